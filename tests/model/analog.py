# SPDX-License-Identifier: GPL-2.0-only
"""ADC: steps in their time, FIFOs, inputs from outside."""
import unittest

from qtest import Machine, main

IRQSTATUS_RAW, IRQSTATUS, IRQENABLE_SET, CTRL, ADCSTAT, CLKDIV, STEPENABLE = 0x24, 0x28, 0x2C, 0x40, 0x44, 0x4C, 0x54
STEPCONFIG1, STEPDELAY1, FIFO0COUNT, FIFO0THRESHOLD, FIFO1COUNT, FIFO0DATA, FIFO1DATA = (
    0x64, 0x68, 0xE4, 0xE8, 0xF0, 0x100, 0x200)
ENABLE, TAG, WRITABLE = 1, 2, 4
END_OF_SEQUENCE, FIFO0_THRESHOLD, FIFO0_OVERRUN, FIFO0_UNDERFLOW = 2, 4, 8, 16
CONTINUOUS, FIFO1 = 1, 1 << 26
LINE = 16
CONVERSION = 4667  # ns: 1 sample clock and 13 more of 3 MHz, rounded up


class Adc(unittest.TestCase):
    def setUp(self):
        self.machine = Machine("adc")
        self.addCleanup(self.machine.__exit__)
        self.write(CTRL, WRITABLE)
        self.write(CLKDIV, 7)

    def read(self, register):
        return self.machine.read("adc", register)

    def write(self, register, value):
        self.machine.write("adc", register, value)

    def step(self, n, config):
        self.write(STEPCONFIG1 + 8 * (n - 1), config)

    def test_one_shot(self):
        self.machine.qom_set("adc", "ain3", 900)
        self.step(1, 3 << 19)
        self.write(CTRL, WRITABLE | ENABLE)
        self.write(STEPENABLE, 1 << 1)
        self.assertEqual(self.read(ADCSTAT), 1 << 5)  # busy
        self.machine.step(CONVERSION - 2)
        self.assertEqual(self.read(FIFO0COUNT), 0)
        self.machine.step(2)
        self.assertEqual((self.read(FIFO0COUNT), self.read(STEPENABLE), self.read(ADCSTAT)), (1, 0, 0x10))
        self.assertTrue(self.read(IRQSTATUS_RAW) & END_OF_SEQUENCE)
        self.assertEqual(self.read(FIFO0DATA), 2047)
        self.assertEqual(self.read(FIFO0COUNT), 0)

    def test_steps_in_turn_with_tags(self):
        for n in range(1, 4):
            self.machine.qom_set("adc", f"ain{n}", 600 * n)
            self.step(n, n << 19 | (FIFO1 if n == 2 else 0))
        self.write(CTRL, WRITABLE | ENABLE | TAG)
        self.write(STEPENABLE, 0xE)
        self.machine.step(3 * CONVERSION)
        self.assertEqual([self.read(FIFO0DATA), self.read(FIFO1DATA), self.read(FIFO0DATA)],
                         [1365, 1 << 16 | 2730, 2 << 16 | 4095])

    def test_interrupt_and_overrun(self):
        self.step(1, CONTINUOUS)
        self.write(FIFO0THRESHOLD, 3)
        self.write(IRQENABLE_SET, FIFO0_THRESHOLD)
        self.write(CTRL, WRITABLE | ENABLE)
        self.write(STEPENABLE, 1 << 1)
        self.machine.step(3 * CONVERSION)
        self.assertFalse(self.machine.pending(LINE))
        self.machine.step(CONVERSION)
        self.assertTrue(self.machine.pending(LINE))
        self.write(IRQSTATUS, FIFO0_THRESHOLD)
        self.assertFalse(self.machine.pending(LINE))
        self.machine.step(70 * CONVERSION)
        self.assertEqual(self.read(FIFO0COUNT), 64)
        self.assertTrue(self.read(IRQSTATUS_RAW) & FIFO0_OVERRUN)

    def test_underflow(self):
        self.assertEqual(self.read(FIFO0DATA), 0)
        self.assertEqual(self.read(IRQSTATUS_RAW), FIFO0_UNDERFLOW)

    def test_protected_steps(self):
        self.write(CTRL, 0)
        self.step(1, 1 << 19)
        self.assertEqual(self.read(STEPCONFIG1), 0)
        self.assertIn("protected", self.machine.complaints())

    def test_input_out_of_range(self):
        with self.assertRaisesRegex(Exception, "0 to 1800 millivolts"):
            self.machine.qom_set("adc", "ain0", 3300)


class Pins(unittest.TestCase):
    def test_gpio_by_property(self):
        with Machine("gpio1") as machine:
            machine.qom_set("gpio1", "pin28", True)
            self.assertEqual(machine.read("gpio1", 0x138), 1 << 28)
            machine.qom_set("gpio1", "input", 3)
            self.assertEqual(machine.read("gpio1", 0x138), 3)


main()
