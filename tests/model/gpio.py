# SPDX-License-Identifier: GPL-2.0-only
"""GPIO: outputs, edges, levels, both interrupt lines; pins from outside."""
import unittest

from qtest import Machine, main

IRQSTATUS_RAW_0, IRQSTATUS_0, IRQSTATUS_1 = 0x24, 0x2C, 0x30
IRQSTATUS_SET_0, IRQSTATUS_SET_1, IRQSTATUS_CLR_0 = 0x34, 0x38, 0x3C
CTRL, OE, DATAIN, DATAOUT = 0x130, 0x134, 0x138, 0x13C
LEVELDETECT0, LEVELDETECT1, RISINGDETECT, FALLINGDETECT = 0x140, 0x144, 0x148, 0x14C
CLEARDATAOUT, SETDATAOUT = 0x190, 0x194
LINE_A, LINE_B = 98, 99


class Gpio(unittest.TestCase):
    def setUp(self):
        self.machine = Machine("gpio1")
        self.addCleanup(self.machine.__exit__)

    def read(self, register):
        return self.machine.read("gpio1", register)

    def write(self, register, value):
        self.machine.write("gpio1", register, value)

    def pin(self, n, level):
        self.machine.line("gpio1", n, level)

    def pulse(self, n):
        self.pin(n, True)
        self.pin(n, False)

    def test_reset(self):
        self.assertEqual((self.read(0), self.read(OE), self.read(DATAOUT)), (0x50600801, 0xFFFFFFFF, 0))

    def test_outputs(self):
        self.write(SETDATAOUT, 1 << 21)
        self.assertEqual(self.read(DATAIN), 0)  # an input still
        self.write(OE, ~(1 << 21) & 0xFFFFFFFF)
        self.assertEqual(self.read(DATAIN), 1 << 21)
        self.pin(21, False)  # nothing against the output
        self.assertEqual(self.read(DATAIN), 1 << 21)
        self.write(CLEARDATAOUT, 1 << 21)
        self.assertEqual((self.read(DATAIN), self.read(DATAOUT)), (0, 0))

    def test_rising_edge(self):
        self.write(RISINGDETECT, 1 << 28)
        self.write(IRQSTATUS_SET_0, 1 << 28)
        self.pulse(28)
        self.assertTrue(self.machine.pending(LINE_A))
        self.assertFalse(self.machine.pending(LINE_B))
        self.assertEqual(self.read(IRQSTATUS_0), 1 << 28)
        self.write(IRQSTATUS_0, 1 << 28)
        self.assertFalse(self.machine.pending(LINE_A))
        self.pin(28, False)
        self.assertEqual(self.read(IRQSTATUS_RAW_0), 0)

    def test_falling_edge(self):
        self.write(FALLINGDETECT, 1 << 28)
        self.write(IRQSTATUS_SET_1, 1 << 28)
        self.pin(28, True)
        self.assertFalse(self.machine.pending(LINE_B))
        self.pin(28, False)
        self.assertTrue(self.machine.pending(LINE_B))
        self.assertFalse(self.machine.pending(LINE_A))

    def test_level(self):
        self.write(LEVELDETECT1, 1 << 3)
        self.write(IRQSTATUS_SET_0, 1 << 3)
        self.pin(3, True)
        self.write(IRQSTATUS_0, 1 << 3)
        self.assertTrue(self.machine.pending(LINE_A))  # the level lasts
        self.pin(3, False)
        self.assertTrue(self.machine.pending(LINE_A))  # what it raised as well
        self.write(IRQSTATUS_0, 1 << 3)
        self.assertFalse(self.machine.pending(LINE_A))

    def test_low_level(self):
        self.pin(3, True)
        self.write(LEVELDETECT0, 1 << 3)
        self.write(IRQSTATUS_SET_0, 1 << 3)
        self.assertFalse(self.machine.pending(LINE_A))
        self.pin(3, False)
        self.assertTrue(self.machine.pending(LINE_A))

    def test_not_enabled(self):
        self.write(RISINGDETECT, 1 << 7)
        self.pulse(7)
        self.assertEqual((self.read(IRQSTATUS_RAW_0), self.read(IRQSTATUS_0)), (1 << 7, 0))
        self.write(IRQSTATUS_SET_0, 1 << 7)
        self.assertTrue(self.machine.pending(LINE_A))
        self.write(IRQSTATUS_CLR_0, 1 << 7)
        self.assertFalse(self.machine.pending(LINE_A))

    def test_own_output_interrupts(self):
        self.write(OE, 0xFFFFFFFE)
        self.write(RISINGDETECT, 1)
        self.write(IRQSTATUS_SET_0, 1)
        self.write(SETDATAOUT, 1)
        self.assertTrue(self.machine.pending(LINE_A))

    def test_card_detect(self):
        self.machine.write("prcm", 0x408, 2)
        self.assertEqual(self.machine.read("gpio0", DATAIN) >> 6 & 1, 1)  # no card: high


main()
