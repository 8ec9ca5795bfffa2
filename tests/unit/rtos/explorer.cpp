// SPDX-License-Identifier: GPL-2.0-only
#include "explorer.hpp"

#include <gtest/gtest.h>

#include "inspector.hpp"
#include "kernel/scheduler.hpp"
#include "machine.hpp"

namespace {

struct Choice {
    unsigned taken;
    unsigned alternatives;
};

class Run {
  public:
    Run(const Scenario &scenario, std::vector<Choice> &choices) : scenario_(scenario), choices_(choices) {}

    std::string go() {
        machine::reset();
        {
            const auto at_end = scenario_.set_up();
            machine::at_open([this] { point(); });
            machine::run_until(scenario_.end);
            machine::at_open({});
            note(rtos::Inspector::check());
            at_end();
        }
        choices_.resize(position_); // a shorter run than the one before
        return wrong_;
    }

  private:
    void note(const std::string &what) {
        if (wrong_.empty() && !what.empty())
            wrong_ = "at point " + std::to_string(position_) + ": " + what;
    }

    void point() {
        if (busy_ || machine::in_isr() || !wrong_.empty())
            return;
        busy_ = true;
        note(rtos::Inspector::check());
        note(scenario_.invariant());
        busy_ = false;
        const unsigned choice = choose();
        if (choice == 0)
            return;
        const unsigned first_isr = scenario_.turns ? 2 : 1;
        if (choice < first_isr)
            machine::interrupt([] { rtos::scheduler.end_turn(); });
        else
            machine::interrupt(scenario_.isrs[choice - first_isr]);
    }

    unsigned choose() {
        if (position_ == choices_.size()) {
            const unsigned all = 1 + scenario_.turns + static_cast<unsigned>(scenario_.isrs.size());
            choices_.push_back({0, interrupts_ < scenario_.interrupts ? all : 1});
        }
        const unsigned taken = choices_[position_++].taken;
        interrupts_ += taken != 0;
        return taken;
    }

    const Scenario &scenario_;
    std::vector<Choice> &choices_;
    size_t position_ = 0;
    unsigned interrupts_ = 0;
    bool busy_ = false;
    std::string wrong_;
};

// The next sequence in depth-first order. False: there is none.
bool advance(std::vector<Choice> &choices) {
    while (!choices.empty() && choices.back().taken + 1 >= choices.back().alternatives)
        choices.pop_back();
    if (choices.empty())
        return false;
    ++choices.back().taken;
    return true;
}

std::string described(const std::vector<Choice> &choices) {
    std::string text;
    for (size_t i = 0; i < choices.size(); ++i)
        if (choices[i].taken)
            text += " " + std::to_string(choices[i].taken) + "@" + std::to_string(i);
    return text;
}

} // namespace

Explored explore(const Scenario &scenario) {
    Explored result;
    std::vector<Choice> choices;
    do {
        result.wrong = Run(scenario, choices).go();
        ++result.runs;
        result.longest = std::max(result.longest, static_cast<unsigned>(choices.size()));
        if (!result.wrong.empty() || testing::Test::HasFailure()) {
            result.wrong += " (interrupt@point:" + described(choices) + ")";
            break;
        }
    } while (advance(choices));
    return result;
}
