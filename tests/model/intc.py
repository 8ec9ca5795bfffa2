# SPDX-License-Identifier: GPL-2.0-only
"""Interrupt controller: priorities, threshold, agreement, spurious."""
import unittest

from qtest import Machine, main

SYSCONFIG, SIR_IRQ, CONTROL, IRQ_PRIORITY, THRESHOLD = 0x10, 0x40, 0x48, 0x60, 0x68
ITR, MIR, MIR_CLEAR, MIR_SET, ISR_SET, ISR_CLEAR, PENDING_IRQ = 0x80, 0x84, 0x88, 0x8C, 0x90, 0x94, 0x98
SPURIOUS = 0xFFFFFF80
AFTER_SORTING = 200  # ns


def bank(register, line):
    return register + line // 32 * 0x20


class Intc(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.__exit__)

    def read(self, register):
        return self.machine.read("intc", register)

    def write(self, register, value):
        self.machine.write("intc", register, value)

    def unmask(self, line, priority=0):
        self.write(0x100 + 4 * line, priority << 2)
        self.write(bank(MIR_CLEAR, line), 1 << line % 32)

    def test_reset(self):
        self.assertEqual(self.read(0x00), 0x50)
        self.assertEqual(self.read(SIR_IRQ), SPURIOUS)
        self.assertEqual(self.read(IRQ_PRIORITY), 0xFFFFFFC0)
        self.assertEqual(self.read(THRESHOLD), 0xFF)
        for line in range(0, 128, 32):
            self.assertEqual(self.read(bank(MIR, line)), 0xFFFFFFFF)

    def test_masks(self):
        self.machine.line("intc", 92, True)
        self.assertEqual(self.read(bank(ITR, 92)), 1 << 28)
        self.assertEqual(self.read(bank(PENDING_IRQ, 92)), 0)
        self.unmask(92)
        self.assertEqual(self.read(bank(PENDING_IRQ, 92)), 1 << 28)
        self.assertEqual(self.read(SIR_IRQ), 92)
        self.write(bank(MIR_SET, 92), 1 << 28)
        self.assertEqual(self.read(bank(PENDING_IRQ, 92)), 0)

    def test_priority(self):
        for line, priority in ((10, 5), (70, 3), (100, 9)):
            self.write(bank(ISR_SET, line), 1 << line % 32)
            self.write(0x100 + 4 * line, priority << 2)
        self.write(bank(MIR_CLEAR, 100), 1 << 4)   # sorted first, so latched
        self.assertEqual(self.read(SIR_IRQ), 100)
        self.write(bank(MIR_CLEAR, 10), 1 << 10)
        self.write(bank(MIR_CLEAR, 70), 1 << 6)
        self.assertEqual(self.read(SIR_IRQ), 100)  # until the agreement
        self.write(CONTROL, 1)
        self.assertEqual(self.read(SIR_IRQ), 70)
        self.assertEqual(self.read(IRQ_PRIORITY), 3)
        self.write(bank(ISR_CLEAR, 70), 1 << 6)
        self.write(CONTROL, 1)
        self.assertEqual(self.read(SIR_IRQ), 10)

    def test_equal_priorities(self):
        for line in (3, 64, 127):
            self.write(bank(ISR_SET, line), 1 << line % 32)
        for line in (3, 64, 127):
            self.unmask(line, 7)
        self.write(CONTROL, 1)
        self.assertEqual(self.read(SIR_IRQ), 127)  # the highest number

    def test_threshold(self):
        self.write(THRESHOLD, 0x20)
        self.write(bank(ISR_SET, 40), 1 << 8)
        self.unmask(40, 0x20)
        self.assertEqual(self.read(SIR_IRQ) & SPURIOUS, SPURIOUS)  # as low as the threshold: held
        self.assertEqual(self.read(bank(PENDING_IRQ, 40)), 1 << 8)
        self.write(0x100 + 4 * 40, 0x1F << 2)
        self.assertEqual(self.read(SIR_IRQ), 40)
        self.write(0x100 + 4 * 40, 0)
        self.machine.step(AFTER_SORTING)
        self.write(THRESHOLD, 0)
        self.write(CONTROL, 1)
        self.assertEqual(self.read(SIR_IRQ), 40)  # priority 0 passes always

    def test_agreement_only_by_newirqagr(self):
        self.write(bank(ISR_SET, 5), 1 << 5)
        self.unmask(5)
        self.machine.step(AFTER_SORTING)
        self.write(bank(ISR_CLEAR, 5), 1 << 5)
        self.assertEqual(self.read(SIR_IRQ), 5)  # latched
        self.write(CONTROL, 2)                   # NEWFIQAGR
        self.assertEqual(self.read(SIR_IRQ), 5)
        self.write(CONTROL, 1)
        self.assertEqual(self.read(SIR_IRQ) & SPURIOUS, SPURIOUS)

    def test_spurious(self):
        for go_away in (lambda: self.machine.line("intc", 33, False), lambda: self.write(bank(MIR_SET, 33), 2)):
            self.unmask(33)
            self.machine.line("intc", 33, True)
            go_away()  # while sorting goes on
            self.assertEqual(self.read(SIR_IRQ) & SPURIOUS, SPURIOUS)
            self.machine.line("intc", 33, False)
            self.write(CONTROL, 1)
            self.unmask(33)
            self.machine.line("intc", 33, True)
            self.assertEqual(self.read(SIR_IRQ), 33)
            self.machine.line("intc", 33, False)
            self.write(CONTROL, 1)

    def test_fiq_is_reserved(self):
        self.write(bank(ISR_SET, 8), 1 << 8)
        self.write(0x100 + 4 * 8, 1)
        self.write(bank(MIR_CLEAR, 8), 1 << 8)
        self.assertEqual(self.read(0x100 + 4 * 8), 0)
        self.assertEqual(self.read(SIR_IRQ), 8)
        self.assertIn("FIQ is reserved", self.machine.complaints())

    def test_soft_reset(self):
        self.unmask(8, 3)
        self.write(SYSCONFIG, 2)
        self.assertEqual(self.read(bank(MIR, 8)), 0xFFFFFFFF)
        self.assertEqual(self.read(0x100 + 4 * 8), 0)


main()
