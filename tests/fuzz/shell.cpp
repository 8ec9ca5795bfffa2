// SPDX-License-Identifier: GPL-2.0-only
// Any characters from a terminal: the editor's line stays one, and what is seen is what stands there.
#include "terminal.hpp"
#include "words.hpp"

#include <cstdint>
#include <cstring>

using namespace rtos::shell;

namespace {

struct Words final : Completer {
    void candidates(const char *, size_t, Candidates &to) override {
        for (const char *name :
             {"list", "list_thread", "list_timer", "ps", "a-name-of-thirty-one-characters"})
            to.add(name);
    }
};

void require(bool condition) {
    if (!condition)
        __builtin_trap();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Terminal terminal;
    Words words;
    LineEditor editor("rt> ", terminal, words);
    editor.begin();
    for (size_t i = 0; i < size; ++i) {
        const LineEditor::Event event = editor.feed(static_cast<char>(data[i]));
        const std::string line = editor.line();
        require(line.size() == editor.length() && line.size() < line_size && editor.cursor() <= line.size());
        require(terminal.unknown.empty());
        if (event != LineEditor::Event::none) {
            char *word[max_words + 1];
            const int count = split(editor.line(), word);
            require(count <= max_words && (count < 0 || word[count] == nullptr));
            editor.begin();
        } else if (4 + line.size() < LineEditor::columns) {
            require(terminal.row == "rt> " + line && terminal.column == 4 + editor.cursor());
        }
    }
    return 0;
}
