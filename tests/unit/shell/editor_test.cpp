// SPDX-License-Identifier: GPL-2.0-only
#include "terminal.hpp"

#include <gtest/gtest.h>

using namespace rtos::shell;

namespace {

struct Words final : Completer {
    std::vector<std::string> commands = {"list", "list_thread", "list_timer", "ps"},
                             objects = {"tick", "tock"};

    void candidates(const char *, size_t length, Candidates &to) override {
        for (const std::string &name : length == 0 ? commands : objects)
            to.add(name.c_str());
    }
};

struct EditorTest : testing::Test {
    Terminal terminal;
    Words words;
    LineEditor editor{"rt> ", terminal, words};
    std::vector<std::string> entered;

    EditorTest() { editor.begin(); }
    ~EditorTest() override { EXPECT_EQ(terminal.unknown, ""); }

    void type(const std::string &keys) {
        for (char c : keys) {
            const LineEditor::Event event = editor.feed(c);
            if (event == LineEditor::Event::entered)
                entered.push_back(editor.line());
            if (event != LineEditor::Event::none)
                editor.begin();
        }
    }
    // What stands there must be what is seen, the cursor where it acts.
    void shows(const std::string &line, size_t cursor) {
        EXPECT_EQ(std::string(editor.line()), line);
        EXPECT_EQ(editor.cursor(), cursor);
        EXPECT_EQ(terminal.row, "rt> " + line);
        EXPECT_EQ(terminal.column, 4 + cursor);
    }
};

const std::string up = "\x1b[A", down = "\x1b[B", right = "\x1b[C", left = "\x1b[D";

TEST_F(EditorTest, TypesAndEnters) {
    shows("", 0);
    type("ps -a");
    shows("ps -a", 5);
    type("\r\n"); // one Enter
    EXPECT_EQ(entered, std::vector<std::string>{"ps -a"});
    shows("", 0);
    type("\n\r");
    EXPECT_EQ(entered.size(), 3u);
}

TEST_F(EditorTest, InsertsAndRemovesAnywhere) {
    type("lst" + left + left + "i");
    shows("list", 2);
    type("\x1b[3~");
    shows("lit", 2);
    type("\x7f\x08");
    shows("t", 0);
    type("\x7f" + left);
    shows("t", 0);
    type(right + right + "\x04");
    shows("t", 1);
}

TEST_F(EditorTest, MovesToBothEnds) {
    for (const std::string home : {"\x01", "\x1b[H", "\x1b[1~", "\x1bOH", "\x1b[7~"})
        for (const std::string end : {"\x05", "\x1b[F", "\x1b[4~", "\x1bOF", "\x1b[8~"}) {
            type("\x15"
                 "abc" +
                 home);
            shows("abc", 0);
            type(end);
            shows("abc", 3);
        }
}

TEST_F(EditorTest, KillsToEitherSideAndAWord) {
    type("one two  three  \x17");
    shows("one two  ", 9);
    type("\x17");
    shows("one ", 4);
    type("two\x01\x1b[C\x1b[C\x0b");
    shows("on", 2);
    type(left + "\x15");
    shows("n", 0);
}

TEST_F(EditorTest, CancelsALine) {
    type("rm -rf\x03");
    shows("", 0);
    EXPECT_EQ(entered, std::vector<std::string>{});
    EXPECT_EQ(terminal.above.back(), "rt> rm -rf^C");
}

TEST_F(EditorTest, ClearsAndRedraws) {
    type("ps\nlist" + left + "\x0c");
    EXPECT_EQ(terminal.above.size(), 0u);
    shows("list", 3);
    terminal.write("\r\x1b[K[rt] a line of the log\n", 26);
    type("\x12");
    shows("list", 3);
}

TEST_F(EditorTest, RecallsLines) {
    type("one\ntwo\ntwo\n\nthr" + up);
    shows("two", 3); // entered twice, kept once; the empty one not at all
    type(up + up);
    shows("one", 3);
    type("!" + down + down);
    shows("thr", 3);
    type(down);
    shows("thr", 3);
    type(up + up + "\r");
    EXPECT_EQ(entered.back(), "one"); // a recalled line's change is forgotten
    type(up);
    shows("one", 3);
}

TEST_F(EditorTest, RemembersTheLastLinesOnly) {
    for (int i = 0; i < 40; ++i)
        type(std::to_string(i) + "\n");
    for (unsigned i = 0; i < History::lines + 5; ++i)
        type(up);
    shows(std::to_string(40 - History::lines), 2);
}

TEST_F(EditorTest, CompletesOneCommand) {
    type("p\t");
    shows("ps ", 3);
}

TEST_F(EditorTest, CompletesWhatIsCommonThenLists) {
    type("l\t");
    shows("list", 4);
    type("_t\t");
    shows("list_t", 6);
    ASSERT_EQ(terminal.above.size(), 2u);
    EXPECT_EQ(terminal.above[0], "rt> list_t");
    EXPECT_EQ(terminal.above[1], "list_thread     list_timer      ");
    type("x\t");
    shows("list_tx", 7);
}

TEST_F(EditorTest, CompletesArgumentsAtTheCursor) {
    type("ps ti\t");
    shows("ps tick ", 8);
    type("\x01l\t");
    shows("listps tick ", 4);
}

TEST_F(EditorTest, ALongLineScrolls) {
    const std::string text(line_size + 20, 'x');
    type("begin" + text);
    const std::string all = ("begin" + text).substr(0, line_size - 1); // the rest was refused
    EXPECT_EQ(std::string(editor.line()), all);
    EXPECT_EQ(terminal.row.size(), LineEditor::columns - 1);
    EXPECT_EQ(terminal.column, LineEditor::columns - 1);
    type("\x01");
    EXPECT_EQ(terminal.row.substr(0, 9), "rt> begin");
    EXPECT_EQ(terminal.column, 4u);
    for (size_t i = 0; i < line_size; ++i)
        type(right);
    EXPECT_EQ(terminal.column, LineEditor::columns - 1);
    type("\r");
    EXPECT_EQ(entered.back(), all);
}

TEST_F(EditorTest, ACompletionThatDoesNotFitIsRefused) {
    type(std::string(line_size - 3, 'x') + " p\t");
    EXPECT_EQ(editor.length(), line_size - 1);
}

TEST_F(EditorTest, UnknownSequencesAreSwallowedWhole) {
    type("a\x1b[15~\x1b[1;5C\x1b[?25h\x1b[200;1;~\x1b]\x1b[ q"
         "b");
    // ^Right moves like Right: nothing to move over
    shows("ab", 2);
    type("\x1b[\x1b[D"
         "c");
    shows("acb", 2);
    type("\xc3\xa4"); // not ASCII
    shows("acb", 2);
}

} // namespace
