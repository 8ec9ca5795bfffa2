// SPDX-License-Identifier: GPL-2.0-only
#include "wakeup.hpp"

#include <gtest/gtest.h>

using namespace lab;

namespace {

constexpr Clocks at(uint64_t instructions) {
    return {instructions, instructions * 10, 0};
}

std::vector<unsigned> risen(const std::vector<const char *> &pieces) {
    static char text[1000];
    std::memset(text, 0, sizeof text);
    IrqLog log(text);
    std::vector<unsigned> seen;
    size_t end = 0;
    for (const char *piece : pieces) {
        std::strcpy(text + end, piece);
        end += std::strlen(piece);
        log.look([&](unsigned irq) { seen.push_back(irq); });
    }
    return seen;
}

} // namespace

TEST(WakeUp, FromExpiryToTheLastCandidate) {
    WakeUp w;
    w.expired(at(100));
    w.served();
    w.candidate(at(150)); // another process comes back from its system call
    w.candidate(at(180));
    w.at_thread();
    w.at_thread(); // still the same wake-up
    EXPECT_EQ(w.record().instructions.all(), (std::map<uint64_t, uint64_t>{{80, 1}}));
    EXPECT_EQ(w.record().modelled_ns.all(), (std::map<uint64_t, uint64_t>{{800, 1}}));
    EXPECT_EQ(w.record().ambiguous, 0u);
}

TEST(WakeUp, AnExpiryThatWakesNobodyDoesNotCount) {
    WakeUp w;
    w.expired(at(100)); // a tick
    w.candidate(at(120));
    w.at_thread();
    EXPECT_TRUE(w.record().instructions.all().empty());
    w.expired(at(200));
    w.served();
    w.expired(at(220)); // a tick before the thread runs
    w.candidate(at(250));
    w.at_thread();
    EXPECT_EQ(w.record().instructions.all().begin()->first, 50u);
}

TEST(WakeUp, WhoWasWokenBeforeTheSleepWasAnother) {
    WakeUp w;
    w.expired(at(100));
    w.served();
    w.sleeps();
    w.candidate(at(110)); // the deadline was past already
    w.at_thread();
    EXPECT_TRUE(w.record().instructions.all().empty());
}

TEST(WakeUp, AnotherOnesWakeUpMakesItAmbiguous) {
    WakeUp w;
    w.expired(at(100));
    w.served();
    w.served(); // two threads at once are no matter
    w.candidate(at(110));
    w.at_thread();
    EXPECT_EQ(w.record().ambiguous, 0u);
    w.expired(at(200));
    w.served();
    w.expired(at(210));
    w.served();
    w.candidate(at(250));
    w.at_thread();
    EXPECT_EQ(w.record().ambiguous, 1u);
    EXPECT_EQ(w.record().instructions.all().rbegin()->first, 40u);
    w.expired(at(300));
    w.served();
    w.candidate(at(310));
    w.at_thread();
    EXPECT_EQ(w.record().ambiguous, 1u);
}

TEST(Signature, MatchesByPageOffsetAndBytes) {
    const Signature s("0x656:80bd034b");
    const uint8_t code[] = {0x80, 0xbd, 0x03, 0x4b, 0};
    EXPECT_TRUE(s.matches(0xb6f1e656, code));
    EXPECT_TRUE(s.matches(0x00411656, code));
    EXPECT_FALSE(s.matches(0xb6f1e658, code));
    EXPECT_FALSE(s.matches(0xb6f1e656, code + 1));
}

TEST(Signature, RefusesWhatIsNone) {
    for (const char *text : {"", "12", "12:", "x:00", "0xffe:000000", "1;00"})
        EXPECT_THROW(Signature{text}, std::invalid_argument) << text;
}

TEST(IrqLog, TellsWhichLinesRise) {
    EXPECT_EQ(risen({"gic_set_irq irq 36 level 1 cpumask 0x1 target 0x1\n",
                     "gic_set_irq irq 36 level 0 cpumask 0x1\n", "rubbish\ngic_set_irq irq 3",
                     "7 level 1 cpumask 0x1 target 0x1\n", "gic_set_irq irq 4 lev"}),
              (std::vector<unsigned>{36, 37}));
}
