// SPDX-License-Identifier: GPL-2.0-only
// A terminal of 80 columns that understands what the line editor sends, and complains of anything else.
#pragma once

#include "line_editor.hpp"

#include <string>
#include <vector>

struct Terminal final : rtos::shell::Output {
    std::vector<std::string> above; // finished lines
    std::string row;
    size_t column = 0;
    std::string unknown;

    void write(const char *text, size_t length) override {
        for (size_t i = 0; i < length; ++i) {
            if (text[i] == '\r') {
                column = 0;
            } else if (text[i] == '\n') {
                above.push_back(row);
                row.clear();
                column = 0;
            } else if (text[i] != '\x1b') {
                row.resize(std::max(row.size(), column + 1), ' ');
                row[column++] = text[i];
            } else {
                std::string sequence;
                while (++i < length && (sequence += text[i], text[i] == '[' || text[i] < '@'))
                    ;
                control(sequence);
            }
            if (column >= 80)
                unknown += "written beyond the last column; ";
        }
    }

  private:
    void control(const std::string &sequence) {
        if (sequence == "[K")
            row.resize(std::min(row.size(), column));
        else if (sequence == "[2J")
            above.clear(), row.clear();
        else if (sequence == "[H")
            column = 0;
        else if (sequence.size() > 2 && sequence.back() == 'D' && std::stoul(sequence.substr(1)) <= column)
            column -= std::stoul(sequence.substr(1));
        else
            unknown += sequence + "; ";
    }
};
