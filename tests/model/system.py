# SPDX-License-Identifier: GPL-2.0-only
"""PRCM, clock gates, control module, UART, I2C with what hangs on it."""
import socket
import unittest

from qtest import CLKCTRL, Machine, main


class Prcm(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.__exit__)

    def test_clkctrl(self):
        self.assertEqual(self.machine.read("prcm", CLKCTRL["gpio1"]), 3 << 16)
        self.machine.write("prcm", CLKCTRL["gpio1"], 2)
        self.assertEqual(self.machine.read("prcm", CLKCTRL["gpio1"]), 2)
        self.machine.write("prcm", CLKCTRL["gpio1"], 0)
        self.assertEqual(self.machine.read("prcm", CLKCTRL["gpio1"]), 3 << 16)

    def test_gate(self):
        self.assertEqual(self.machine.read("gpio1", 0), 0)
        self.assertIn("read of 4804c000, its clock is off", self.machine.complaints())
        self.machine.write("gpio1", 0x13C, 1)
        self.assertIn("write to 4804c13c, its clock is off", self.machine.complaints())
        self.machine.write("prcm", CLKCTRL["gpio1"], 2)
        self.assertEqual((self.machine.read("gpio1", 0), self.machine.read("gpio1", 0x13C)), (0x50600801, 0))

    def test_dpll(self):
        self.assertEqual(self.machine.read("prcm", 0x420), 0x100)  # MPU in bypass
        self.machine.write("prcm", 0x488, 7)
        self.assertEqual(self.machine.read("prcm", 0x420), 1)

    def test_rom_leaves_clocks(self):
        for module in ("mmc0", "wdt1", "timer1"):
            self.assertEqual(self.machine.read("prcm", CLKCTRL[module]) & 3, 2)

    def test_reset_reason(self):
        self.assertEqual(self.machine.read("prcm", 0xF08), 1)  # cold
        self.machine.write("prcm", 0xF00, 1)
        self.machine.step(0)
        self.assertEqual(self.machine.read("prcm", 0xF08), 3)  # and warm
        self.machine.write("prcm", 0xF08, 3)
        self.assertEqual(self.machine.read("prcm", 0xF08), 0)

    def test_identity(self):
        self.assertEqual(self.machine.read("control", 0x600), 0x2B94402E)
        self.assertEqual(self.machine.read("control", 0x40) >> 22 & 3, 1)  # 24 MHz
        self.machine.write("control", 0x970, 0x30)
        self.assertEqual(self.machine.read("control", 0x970), 0x30)


class Uart(unittest.TestCase):
    DLL, THR, IER, DLH, FCR, IIR, LCR, LSR, MDR1, SSR = 0, 0, 4, 4, 8, 8, 0xC, 0x14, 0x20, 0x44
    LINE = 72

    def start(self, *options):
        ours, theirs = socket.socketpair()
        self.machine = Machine("uart0", extra=("-chardev", f"socket,id=u,fd={theirs.fileno()}", "-serial", "chardev:u",
                                               *options), keep=(theirs,))
        self.addCleanup(self.machine.__exit__)
        theirs.close()
        self.addCleanup(ours.close)
        ours.settimeout(5)
        self.wire = ours

    def write(self, *pairs):
        for register, value in pairs:
            self.machine.write("uart0", register, value)

    def read(self, register):
        return self.machine.read("uart0", register)

    def set_up(self):
        """115200 baud, FIFOs on, triggers at 8 received and 56 free"""
        self.write((self.LCR, 0x83), (self.DLL, 26), (self.DLH, 0), (self.LCR, 3), (self.FCR, 0x31), (self.MDR1, 0))

    def test_off_until_set_up(self):
        self.start()
        self.write((self.THR, ord("x")))
        self.assertIn("transmitter off", self.machine.complaints())

    def test_transmits(self):
        self.start()
        self.set_up()
        for c in b"hello":
            self.write((self.THR, c))
        self.assertEqual(self.wire.recv(5, socket.MSG_WAITALL), b"hello")
        self.assertEqual(self.read(self.LSR), 0x60)

    def test_transmit_interrupt(self):
        self.start()
        self.set_up()
        self.write((self.IER, 2))
        self.assertEqual(self.read(self.IIR) & 0x3F, 2)
        self.assertTrue(self.machine.pending(self.LINE))
        self.write((self.IER, 0))
        self.assertFalse(self.machine.pending(self.LINE))

    def receive(self, data, level):
        """What comes in goes through QEMU's main loop: ask until it is there."""
        self.wire.sendall(data)
        while self.read(0x64) < level:
            pass

    def test_receives(self):
        self.start()
        self.set_up()
        self.write((self.IER, 1))
        self.receive(b"ab", 2)
        self.assertEqual(self.read(self.IIR) & 0x3F, 0x0C)  # below the trigger: timed out
        self.receive(b"cdefgh", 8)
        self.assertEqual(self.read(self.IIR) & 0x3F, 0x04)
        self.assertTrue(self.machine.pending(self.LINE))
        self.assertEqual(bytes(self.read(0) for _ in range(8)), b"abcdefgh")
        self.assertFalse(self.machine.pending(self.LINE))
        self.assertEqual(self.read(self.LSR) & 1, 0)

    def test_paced(self):
        self.start("-global", "am335x-uart.paced=on")
        self.set_up()
        for n in range(65):  # one in the shift register, 64 in the FIFO
            self.write((self.THR, n))
        self.assertEqual((self.read(self.SSR) & 1, self.read(self.LSR) & 0x60), (1, 0))
        self.write((self.THR, 99))
        self.assertIn("full FIFO", self.machine.complaints())
        self.assertEqual(self.wire.recv(100), b"\0")
        self.machine.step(86667 * 8)
        self.assertEqual(self.read(0x68), 56)
        self.machine.step(86667 * 57)
        self.assertEqual(self.read(self.LSR) & 0x60, 0x60)


class I2c(unittest.TestCase):
    IRQSTATUS_RAW, IRQSTATUS, CNT, DATA, CON, SA = 0x24, 0x28, 0x98, 0x9C, 0xA4, 0xAC
    EN, MST, TRX, STP, STT = 1 << 15, 1 << 10, 1 << 9, 2, 1
    NACK, ARDY, BF, BB = 2, 4, 1 << 8, 1 << 12

    def setUp(self):
        self.machine = Machine("i2c0")
        self.addCleanup(self.machine.__exit__)

    def write(self, register, value):
        self.machine.write("i2c0", register, value)

    def read(self, register):
        return self.machine.read("i2c0", register)

    def start(self, address, count, flags):
        self.write(self.IRQSTATUS, 0x7FFF)
        self.write(self.SA, address)
        self.write(self.CNT, count)
        self.write(self.CON, self.EN | self.MST | self.STT | flags)

    def get(self, address, pointer, count):
        """Write a pointer, and after a repeated start read."""
        self.start(address, len(pointer), self.TRX)
        for byte in pointer:
            self.write(self.DATA, byte)
        self.start(address, count, self.STP)
        return bytes(self.read(self.DATA) for _ in range(count))

    def test_eeprom(self):
        self.assertEqual(self.get(0x50, b"\0\0", 16), b"\xaa\x55\x33\xeeA335BNLT00C0")
        self.assertEqual(self.get(0x50, b"\0\x04", 8), b"A335BNLT")

    def test_pmic(self):
        self.assertEqual(self.get(0x24, b"\0", 1), b"\xe2")
        self.start(0x24, 2, self.TRX | self.STP)
        self.write(self.DATA, 0x0B)
        self.write(self.DATA, 0x5A)
        self.assertEqual(self.get(0x24, b"\x0b", 1), b"\x5a")

    def test_nobody_answers(self):
        self.start(0x51, 1, self.TRX | self.STP)
        self.assertEqual(self.read(self.IRQSTATUS_RAW) & (self.NACK | self.ARDY | self.BB), self.NACK | self.ARDY)

    def test_interrupt(self):
        self.write(0x2C, self.ARDY)
        self.get(0x24, b"\0", 1)
        self.assertTrue(self.machine.pending(70))
        self.write(self.IRQSTATUS, 0x7FFF)
        self.assertFalse(self.machine.pending(70))


main()
