// SPDX-License-Identifier: GPL-2.0-only
//
// The laboratory's plugin for QEMU: sees every instruction of the whole machine and measures from outside.
//
//   -plugin rtmux_lab.so,vectors=VA,window=VA-END,anchor=VA:PA,control=FIFO
//
// vectors: the exception vectors; window: privileged code, the one that masks IRQs; anchor: a place of the
// window in RAM, by virtual and by physical address. Lines written into the FIFO are taken at the next
// interrupt:
//
//   reset         forget what was recorded so far
//   report FILE   write it to FILE, as JSON
//
// A program outside of the window has the time between its "dbg #15" and "dbg #N" recorded under N: nothing
// else uses this hint.
//
// Of the RTOS: isr=VA[+VA...],thread=FIRST-END,irq=N: where the RT interrupts' handlers begin; the code that
// waits for them; the timer's line at the GIC. Of Linux: linux-irq=N,wakes=VA,woken=SIGNATURE,
// waiter=SIGNATURE[+SIGNATURE...]: its timer's line; the function that its interrupt wakes a thread with;
// where system calls return to in libc; where the waiting thread comes to from there. Expiry needs QEMU's own
// options -trace gic_set_irq -D FILE, and irq-log=FILE.
#include "cost_model.hpp"
#include "options.hpp"
#include "qemu_plugin.h"
#include "trackers.hpp"
#include "wakeup.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" {
QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);
}

namespace {

using namespace lab;

Options options;

struct FetchedLine {
    uint32_t va;
    uint64_t pa;
};

// A block of instructions, as QEMU translates it.
struct Block {
    uint32_t pc, last, next; // first and last instruction, and the one behind it
    uint32_t count;
    uint32_t extra_words = 0, cp15s = 0, barriers = 0;
    bool in_window, in_thread;
    bool branches = false; // the last instruction is known to be one
    std::vector<FetchedLine> lines;
};
struct Marked { // an instruction of interest
    uint32_t pc;
    Kind kind;
};

uint64_t instructions;         // counted by code that QEMU inlines
CostModel model, cold, locked; // the last two run on RT's path only
MaskedStretches masked;
Path path;
WakeUp rt_thread, linux_thread;
constexpr uint32_t from_here = 15;
Clocks marked_at;
std::array<Clocks, from_here> intervals; // the last one of each number
IrqLog irqs;
std::deque<Block> blocks;
std::deque<Marked> marks;
const Block *previous;
bool after_exception;
const uint8_t *host_ram; // where anchor_pa is in this process
std::atomic<bool> command_waits;
std::mutex command_lock;
std::string command;

Clocks clocks() {
    return {instructions, model.nanoseconds(), cold.nanoseconds(), locked.nanoseconds()};
}

// ---- reports

void write(std::ostream &out, const char *name, const Histogram &h) {
    out << '"' << name << "\": {";
    const char *comma = "";
    for (const auto &[value, times] : h.all()) {
        out << comma << '"' << value << "\": " << times;
        comma = ", ";
    }
    out << '}';
}

void write(std::ostream &out, const char *name, const std::map<uint64_t, uint32_t> &lines) {
    out << '"' << name << "\": [";
    const char *comma = "";
    for (const auto &[pa, va] : lines) {
        out << comma << va;
        comma = ", ";
    }
    out << ']';
}

void report(const std::string &file) {
    const std::string unfinished = file + ".new";
    {
        std::ofstream out(unfinished);
        out << "{\n";
        for (const auto &[name, point] : {std::pair{"isr", Path::isr}, std::pair{"thread", Path::thread}}) {
            const Path::Record &r = path.record(point);
            out << '"' << name << "\": {";
            write(out, "instructions", r.instructions);
            out << ",\n  ";
            write(out, "modelled_ns", r.modelled_ns);
            out << ",\n  ";
            write(out, "cold_ns", r.cold_ns);
            out << ",\n  ";
            write(out, "locked_ns", r.locked_ns);
            out << "},\n";
        }
        const Path::Lines &lines = path.most_lines();
        out << "\"lines\": {";
        write(out, "code", lines.code);
        out << ",\n  ";
        write(out, "data", lines.data);
        out << ",\n  ";
        write(out, "tables", lines.tables);
        out << "},\n\"masked\": [";
        const char *comma = "";
        for (const auto &[start, s] : masked.all()) {
            out << comma << "\n  {\"start\": " << start << ", \"end\": " << s.end
                << ", \"longest\": " << s.longest << ", \"times\": " << s.times << '}';
            comma = ",";
        }
        out << "],\n\"wakeups\": {";
        for (const auto &[name, w] : {std::pair{"rt", &rt_thread}, std::pair{"linux", &linux_thread}}) {
            out << (w == &rt_thread ? "" : ",\n  ") << '"' << name << "\": {";
            write(out, "instructions", w->record().instructions);
            out << ",\n  ";
            write(out, "modelled_ns", w->record().modelled_ns);
            out << ",\n  \"ambiguous\": " << w->record().ambiguous << '}';
        }
        out << "},\n\"intervals\": [";
        for (size_t i = 0; i < intervals.size(); ++i)
            out << (i ? ",\n  {" : "\n  {") << "\"instructions\": " << intervals[i].instructions
                << ", \"modelled_ns\": " << intervals[i].modelled_ns << '}';
        out << "],\n\"cpsr_writes_not_understood\": " << masked.not_understood()
            << ",\n\"instructions\": " << instructions << "\n}\n";
    }
    std::rename(unfinished.c_str(), file.c_str()); // whoever waits for it sees all of it
}

void run_command() {
    std::string line;
    {
        const std::lock_guard lock(command_lock);
        line.swap(command);
        command_waits = false;
    }
    if (line == "reset") {
        path.clear();
        masked.clear();
        rt_thread.clear();
        linux_thread.clear();
        intervals = {};
    } else if (line.starts_with("report ")) {
        report(line.substr(7));
    } else {
        qemu_plugin_outs(("rtmux_lab: unknown command: " + line + "\n").c_str());
    }
}

void read_commands() {
    for (;;) {
        std::ifstream in(options.control); // waits for a writer
        if (!in)
            return;
        for (std::string line; std::getline(in, line);) {
            while (command_waits)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const std::lock_guard lock(command_lock);
            command = line;
            command_waits = true;
        }
    }
}

// ---- what executes

void vector_fetched(unsigned, void *data) {
    const uint32_t pc = static_cast<Marked *>(data)->pc;
    masked.exception(pc, instructions);
    after_exception = true;
    if (pc == options.vectors + 0x18) {
        if (command_waits)
            run_command();
        cold.forget();
        locked.forget(true);
        path.vector(clocks());
    }
    model.exception();
    cold.exception();
    locked.exception();
}

void marked_executed(unsigned, void *data) {
    const Marked &m = *static_cast<Marked *>(data);
    masked.instruction(m.kind, m.pc, instructions);
}

void isr_entered(unsigned, void *) {
    path.at_isr(clocks());
    rt_thread.served();
}

void linux_wakes(unsigned, void *) {
    linux_thread.served();
}

void waiter_sleeps(unsigned, void *) {
    linux_thread.sleeps();
}

void system_call_returned(unsigned, void *) {
    linux_thread.candidate(clocks());
}

void waiter_runs(unsigned, void *) {
    linux_thread.at_thread();
}

void program_marks(unsigned, void *data) {
    const uint32_t number = static_cast<Marked *>(data)->pc; // here its operand
    const Clocks now = clocks();
    if (number == from_here)
        marked_at = now;
    else
        intervals[number] = {now.instructions - marked_at.instructions,
                             now.modelled_ns - marked_at.modelled_ns};
}

// QEMU has its log open by the time that something executes. Sparse, and gone with the process.
void open_irq_log() {
    constexpr size_t bytes = size_t{1} << 34;
    const int file = open(options.irq_log.c_str(), O_RDWR);
    void *const text = file < 0 || ftruncate(file, bytes)
                           ? MAP_FAILED
                           : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (text == MAP_FAILED) {
        std::perror(("rtmux_lab: " + options.irq_log).c_str());
        std::exit(1);
    }
    close(file);
    unlink(options.irq_log.c_str());
    irqs = IrqLog(static_cast<const char *>(text));
}

void irq_risen(unsigned irq) {
    if (irq == options.irq)
        rt_thread.expired(clocks());
    if (irq == options.linux_irq)
        linux_thread.expired(clocks());
}

void execute(CostModel &m, const Block &b) {
    m.instructions(b.count);
    m.extra_words(b.extra_words * 2);
    for (uint32_t i = 0; i < b.cp15s; ++i)
        m.cp15();
    for (uint32_t i = 0; i < b.barriers; ++i)
        m.barrier();
    for (const FetchedLine &line : b.lines)
        m.fetch(line.va, line.pa);
}

void block_entered(unsigned, void *data) {
    const Block &b = *static_cast<Block *>(data);
    if (!previous && !options.irq_log.empty())
        open_irq_log();
    irqs.look(irq_risen);
    if (b.in_thread) {
        rt_thread.candidate(clocks());
        rt_thread.at_thread();
    }
    masked.block(b.in_window, instructions);
    if (path.active()) {
        if (b.in_thread)
            path.at_thread(clocks());
        else if (!b.in_window)
            path.abandon();
        for (const FetchedLine &line : b.lines)
            path.code(line.va, line.pa);
    }
    if (previous && !after_exception) {
        const bool taken = b.pc != previous->next;
        if (taken || previous->branches) {
            model.branch(previous->last, taken, b.pc);
            cold.branch(previous->last, taken, b.pc);
            locked.branch(previous->last, taken, b.pc);
        }
    }
    after_exception = false;
    previous = &b;
    execute(model, b);
    if (path.active()) {
        execute(cold, b);
        execute(locked, b);
    }
}

void memory_accessed(unsigned, qemu_plugin_meminfo_t info, uint64_t vaddr, void *) {
    const auto *where = qemu_plugin_get_hwaddr(info, vaddr);
    if (!where)
        return;
    const bool store = qemu_plugin_mem_is_store(info);
    const uint32_t va = static_cast<uint32_t>(vaddr);
    if (qemu_plugin_hwaddr_is_io(where)) {
        model.io(store);
        if (path.active()) {
            cold.io(store);
            locked.io(store);
        }
        return;
    }
    const uint64_t pa = qemu_plugin_hwaddr_phys_addr(where);
    model.access(va, pa, store);
    if (path.active()) {
        cold.access(va, pa, store);
        locked.access(va, pa, store);
        path.data(va, pa);
    }
}

// ---- what is translated

uint64_t physical(const qemu_plugin_insn *insn, uint32_t va) {
    const auto *const host = static_cast<const uint8_t *>(qemu_plugin_insn_haddr(insn));
    if (!host)
        return va;
    if (!host_ram && options.window.contains(va))
        host_ram = host - (va - options.anchor_va);
    return host_ram ? options.anchor_pa + static_cast<uint64_t>(host - host_ram)
                    : reinterpret_cast<uintptr_t>(host);
}

uint32_t opcode(const qemu_plugin_insn *insn) {
    uint32_t op = 0;
    // QEMU 7.2 says 6 of some Thumb instructions: their first halfword was read twice.
    std::memcpy(&op, qemu_plugin_insn_data(insn), std::min(qemu_plugin_insn_size(insn), sizeof op));
    return op;
}

bool is_branch(uint32_t op) {
    return (op & 0x0e000000) == 0x0a000000 || (op & 0x0fffffd0) == 0x012fff10 || // B, BL; BX, BLX
           (op & 0x0e108000) == 0x08108000 || (op & 0x0c10f000) == 0x0410f000;   // LDM, LDR of pc
}

// What the window's code means is looked at; of Thumb code only what masks and unmasks.
void look_at(Block &b, qemu_plugin_insn *insn, uint32_t va, bool thumb) {
    const auto on_execution = [&](qemu_plugin_executed callback, Kind kind) {
        qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_NO_REGS,
                                               &marks.emplace_back(va, kind));
    };
    const uint32_t op = opcode(insn);
    const Kind kind = !thumb                             ? decode_arm(op)
                      : qemu_plugin_insn_size(insn) == 2 ? decode_thumb(static_cast<uint16_t>(op))
                                                         : Kind::other;
    if (!thumb) {
        b.branches = is_branch(op);
        if ((op & 0x0e000000) == 0x08000000) {
            const uint32_t words = static_cast<uint32_t>(std::popcount(op & 0xffff));
            b.extra_words += words > 2 ? (words - 2) / 2 : 0;
        }
    }
    b.cp15s += kind == Kind::cp15;
    b.barriers += kind == Kind::barrier;
    if (kind != Kind::other && kind != Kind::cp15 && kind != Kind::barrier)
        on_execution(marked_executed, kind);
    if (std::find(options.isr.begin(), options.isr.end(), va) != options.isr.end())
        on_execution(isr_entered, Kind::other);
}

// Instructions that mean something wherever they are
void look_for(qemu_plugin_insn *insn, uint32_t va) {
    const auto on_execution = [&](qemu_plugin_executed callback) {
        qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_NO_REGS,
                                               &marks.emplace_back(va, Kind::other));
    };
    const auto is_one_of = [&](const std::vector<Signature> &signatures) {
        const void *const memory = signatures.empty() ? nullptr : qemu_plugin_insn_haddr(insn);
        return memory && std::any_of(signatures.begin(), signatures.end(),
                                     [&](const Signature &s) { return s.matches(va, memory); });
    };
    if (va - options.vectors < 0x20)
        on_execution(vector_fetched);
    if (const int mark = decode_dbg(opcode(insn)); mark >= 0 && !options.window.contains(va))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, program_marks, QEMU_PLUGIN_CB_NO_REGS,
                                               &marks.emplace_back(static_cast<uint32_t>(mark), Kind::other));
    if (options.wakes && va == options.wakes)
        on_execution(linux_wakes);
    if (is_one_of(options.sleeps))
        on_execution(waiter_sleeps);
    if (is_one_of(options.woken))
        on_execution(system_call_returned);
    if (is_one_of(options.waiter))
        on_execution(waiter_runs);
}

void translated(qemu_plugin_id_t, qemu_plugin_tb *tb) {
    Block &b = blocks.emplace_back();
    b.count = static_cast<uint32_t>(qemu_plugin_tb_n_insns(tb));
    bool thumb =
        false; // as soon as one is short, or not at a word: a block of which neither is true hardly exists
    for (size_t i = 0; i < b.count; ++i) {
        const qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        thumb = thumb || qemu_plugin_insn_size(insn) != 4 || qemu_plugin_insn_vaddr(insn) % 4 != 0;
    }
    for (size_t i = 0; i < b.count; ++i) {
        qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        const uint32_t va = static_cast<uint32_t>(qemu_plugin_insn_vaddr(insn));
        if (i == 0) {
            b.pc = va;
            b.in_window = options.window.contains(va);
            b.in_thread = options.thread.contains(va);
        }
        b.last = va;
        b.next = va + static_cast<uint32_t>(qemu_plugin_insn_size(insn));
        if (b.lines.empty() || b.lines.back().va / 64 != va / 64)
            b.lines.push_back({va, physical(insn, va)});
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &instructions, 1);
        look_for(insn, va);
        if (b.in_window)
            look_at(b, insn, va, thumb);
        qemu_plugin_register_vcpu_mem_cb(insn, memory_accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         nullptr);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, block_entered, QEMU_PLUGIN_CB_NO_REGS, &b);
}

} // namespace

int qemu_plugin_install(qemu_plugin_id_t id, const void *, int argc, char **argv) {
    for (int i = 0; i < argc; ++i) {
        const std::string text = argv[i];
        const size_t equals = text.find('=');
        try {
            options.set(text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1));
        } catch (const std::exception &) {
            std::fprintf(stderr, "rtmux_lab: bad option: %s\n", argv[i]);
            return -1;
        }
    }
    if (!options.control.empty())
        std::thread(read_commands).detach();
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
