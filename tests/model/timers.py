# SPDX-License-Identifier: GPL-2.0-only
"""DMTIMER and WDT1: exact to the clock's edge."""
import unittest

from qtest import SECOND, Machine, main

IRQSTATUS_RAW, IRQSTATUS, IRQENABLE_SET, IRQENABLE_CLR = 0x24, 0x28, 0x2C, 0x30
TCLR, TCRR, TLDR, TTGR, TMAR = 0x38, 0x3C, 0x40, 0x44, 0x4C
ST, AR, PRE, CE = 1, 2, 1 << 5, 1 << 6
MAT, OVF = 1, 2
HZ = 24000000
TIMER4_LINE, TIMER1_LINE, WDT1_LINE = 92, 67, 91
CLKSEL_TIMER4 = 0x510
PRM_RSTST = 0xF08


def ns(edges, hz=HZ):
    """The time at which so many edges of a clock are over."""
    return -(-edges * SECOND // hz)


class Dmtimer(unittest.TestCase):
    def setUp(self):
        self.machine = Machine("timer4", "timer1")
        self.addCleanup(self.machine.__exit__)
        for value in (0xAAAA, 0x5555):  # the watchdog
            self.machine.write("wdt1", 0x48, value)

    def read(self, register):
        return self.machine.read("timer4", register)

    def write(self, register, value):
        self.machine.write("timer4", register, value)

    def test_identity(self):
        self.assertEqual(self.read(0), 0x4FFF1301)
        self.assertEqual(self.machine.read("timer1", 0), 0x15)

    def test_counts_every_edge(self):
        self.write(TCLR, ST | AR)
        for at in (1, 41, 42, 1000, 999999, SECOND, 3600 * SECOND):  # an hour: more than one turn of the counter
            now = self.machine.step(at)
            self.assertEqual(self.read(TCRR), now * HZ // SECOND % 2**32)

    def test_overflow_and_reload(self):
        self.write(TLDR, 2**32 - 12000)
        self.write(TTGR, 1)
        self.write(IRQENABLE_SET, OVF)
        self.write(TCLR, ST | AR)
        for period in range(1, 200):
            self.machine.step(ns(12000 * period) - 1 - self.machine.step(0))
            self.assertFalse(self.machine.pending(TIMER4_LINE), period)
            self.machine.step(1)
            self.assertTrue(self.machine.pending(TIMER4_LINE), period)
            self.assertEqual(self.read(TCRR), 2**32 - 12000)
            self.write(IRQSTATUS, OVF)
            self.assertFalse(self.machine.pending(TIMER4_LINE))

    def test_one_shot(self):
        self.write(TCRR, 2**32 - 240)
        self.write(TCLR, ST)
        self.machine.step(ns(1000))
        self.assertEqual((self.read(TCRR), self.read(TCLR), self.read(IRQSTATUS_RAW)), (0, 0, OVF))

    def test_match(self):
        self.write(TMAR, 2400)
        self.write(IRQENABLE_SET, MAT)
        self.write(TCLR, ST | AR | CE)
        self.machine.step(ns(2400) - 1)
        self.assertFalse(self.machine.pending(TIMER4_LINE))
        self.machine.step(1)
        self.assertTrue(self.machine.pending(TIMER4_LINE))
        self.assertEqual(self.read(IRQSTATUS), MAT)
        self.write(IRQSTATUS, MAT)
        self.write(TMAR, 2400 + 24)  # a later one in the same turn
        self.machine.step(ns(24) + 1)
        self.assertTrue(self.machine.pending(TIMER4_LINE))

    def test_match_without_ce(self):
        self.write(TMAR, 24)
        self.write(TCLR, ST | AR)
        self.machine.step(ns(100))
        self.assertEqual(self.read(IRQSTATUS_RAW), 0)

    def test_prescaler(self):
        self.write(TCLR, ST | AR | PRE | 3 << 2)  # 2^4
        self.machine.step(ns(1600))
        self.assertEqual(self.read(TCRR), 100)

    def test_masked_status(self):
        self.write(TCRR, 2**32 - 1)
        self.write(TCLR, ST | AR)
        self.machine.step(1000)
        self.assertEqual((self.read(IRQSTATUS_RAW), self.read(IRQSTATUS)), (OVF, 0))
        self.write(IRQENABLE_SET, OVF)
        self.assertTrue(self.machine.pending(TIMER4_LINE))
        self.write(IRQENABLE_CLR, OVF)
        self.assertFalse(self.machine.pending(TIMER4_LINE))

    def test_clock_select(self):
        self.machine.write("prcm", CLKSEL_TIMER4, 2)
        self.write(TCLR, ST | AR)
        self.machine.step(SECOND)
        self.assertEqual(self.read(TCRR), 32768)
        self.machine.write("prcm", CLKSEL_TIMER4, 1)
        self.machine.step(SECOND)
        self.assertEqual(self.read(TCRR), 32768 + HZ)

    def test_soft_reset(self):
        self.write(TCLR, ST | AR)
        self.write(0x10, 1)
        self.assertEqual((self.read(TCLR), self.read(0x10) & 1), (0, 0))

    def test_old_layout(self):
        write = lambda register, value: self.machine.write("timer1", register, value)
        write(0x28, 2**32 - 24)  # TCRR
        write(0x1C, OVF)         # TIER
        write(0x24, ST | AR)     # TCLR
        self.machine.step(ns(24))
        self.assertTrue(self.machine.pending(TIMER1_LINE))
        self.assertEqual(self.machine.read("timer1", 0x18), OVF)
        write(0x18, OVF)
        self.assertFalse(self.machine.pending(TIMER1_LINE))


class Watchdog(unittest.TestCase):
    WISR, WCLR, WCRR, WLDR, WTGR, WDLY, WSPR, WIRQENSET = 0x18, 0x24, 0x28, 0x2C, 0x30, 0x44, 0x48, 0x5C

    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.__exit__)

    def write(self, *pairs):
        for register, value in pairs:
            self.machine.write("wdt1", register, value)

    def stop(self):
        self.write((self.WSPR, 0xAAAA), (self.WSPR, 0x5555))

    def start(self, seconds):
        self.stop()
        self.write((self.WLDR, 2**32 - seconds * 32768), (self.WTGR, 0x1234), (self.WSPR, 0xBBBB), (self.WSPR, 0x4444))

    def resets(self):
        """Has the watchdog reset the chip?"""
        self.machine.step(0)
        return bool(self.machine.read("prcm", PRM_RSTST) & 1 << 4)

    def test_rom_leaves_three_minutes(self):
        self.machine.step(179 * SECOND)
        self.assertFalse(self.resets())
        self.machine.step(2 * SECOND)
        self.assertTrue(self.resets())

    def test_stopped(self):
        self.stop()
        self.machine.step(1000 * SECOND)
        self.assertFalse(self.resets())

    def test_half_a_sequence_stops_nothing(self):
        self.write((self.WSPR, 0xAAAA), (self.WSPR, 0x1111), (self.WSPR, 0x5555))
        self.machine.step(181 * SECOND)
        self.assertTrue(self.resets())

    def test_fed(self):
        self.start(2)
        for feed in range(10):
            self.machine.step(SECOND)
            self.write((self.WTGR, feed))
        self.assertFalse(self.resets())
        self.machine.step(SECOND)
        self.write((self.WTGR, 9))  # the same value feeds nothing
        self.machine.step(SECOND + 1)
        self.assertTrue(self.resets())

    def test_reset_reason_is_cleared_by_writing_it(self):
        self.start(1)
        self.machine.step(SECOND + 1)
        self.assertTrue(self.resets())
        self.machine.write("prcm", PRM_RSTST, 1 << 4)
        self.assertFalse(self.resets())

    def test_delay_interrupt(self):
        self.start(2)
        self.write((self.WDLY, 2**32 - 32768), (self.WIRQENSET, 2))
        self.machine.step(SECOND - 1)
        self.assertFalse(self.machine.pending(WDT1_LINE))
        self.machine.step(1)
        self.assertTrue(self.machine.pending(WDT1_LINE))
        self.write((self.WISR, 2))
        self.assertFalse(self.machine.pending(WDT1_LINE))


main()
