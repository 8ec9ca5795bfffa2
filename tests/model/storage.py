# SPDX-License-Identifier: GPL-2.0-only
"""MMC and EDMA: blocks by the data port and by DMA, transfers of every kind."""
import os
import struct
import tempfile
import unittest

from qtest import Machine, main

DDR = 0x80000000


class Mmc(unittest.TestCase):
    CON, BLK, ARG, CMD, RSP10, DATA, PSTATE, SYSCTL, STAT, IE, ISE = (
        0x12C, 0x204, 0x208, 0x20C, 0x210, 0x220, 0x224, 0x22C, 0x230, 0x234, 0x238)
    CC, TC, BWR, BRR, ERRI, CTO = 1, 2, 0x10, 0x20, 0x8000, 0x10000
    R1, R2, NONE, BUSY = 0x20000, 0x10000, 0, 0x30000
    DATA_PRESENT, READ, MULTIPLE, BLOCK_COUNT, DMA, AUTO_CMD12 = 1 << 21, 1 << 4, 1 << 5, 1 << 1, 1, 1 << 2
    LINE = 64

    def start(self, card=True):
        extra = ()
        if card:
            file = tempfile.NamedTemporaryFile()
            self.addCleanup(file.close)
            self.contents = os.urandom(4096)
            file.write(self.contents)
            file.truncate(1 << 20)
            file.flush()
            self.file = file
            extra = ("-drive", f"file={file.name},if=sd,format=raw")
        self.machine = Machine("mmc0", "edma", "gpio0", extra=extra)
        self.addCleanup(self.machine.__exit__)
        self.write(self.IE, 0xFFFFFFFF)

    def read(self, register, size="l"):
        return self.machine.read("mmc0", register, size)

    def write(self, register, value, size="l"):
        self.machine.write("mmc0", register, value, size)

    def command(self, index, argument=0, flags=R1):
        self.write(self.STAT, 0xFFFFFFFF)
        self.write(self.ARG, argument)
        self.write(self.CMD, index << 24 | flags)
        return self.read(self.STAT)

    def select(self):
        """The card as far as it takes data commands."""
        self.command(0, flags=self.NONE)
        self.command(8, 0x1AA)
        self.command(55)
        self.command(41, 0x40300000)
        self.command(2, flags=self.R2)
        self.command(3)
        self.rca = self.read(self.RSP10) & 0xFFFF0000
        self.assertEqual(self.command(7, self.rca, self.BUSY) & (self.CC | self.TC | self.ERRI), self.CC | self.TC)

    def test_no_card(self):
        self.start(card=False)
        self.assertEqual(self.command(8, 0x1AA), self.CTO | self.ERRI)
        self.write(self.STAT, self.CTO)
        self.assertEqual(self.read(self.STAT), 0)
        self.assertEqual(self.machine.read("gpio0", 0x138) >> 6 & 1, 1)

    def test_initialisation_clocks_need_no_card(self):
        self.start(card=False)
        self.write(self.CON, 2)
        self.assertEqual(self.command(0, flags=self.NONE), self.CC)

    def test_status_only_when_enabled(self):
        self.start()
        self.write(self.IE, 0)
        self.assertEqual(self.command(0, flags=self.NONE), 0)

    def test_card_detect(self):
        self.start()
        self.assertEqual(self.machine.read("gpio0", 0x138) >> 6 & 1, 0)

    def test_read_block(self):
        self.start()
        self.select()
        self.write(self.BLK, 512)
        status = self.command(17, 512, self.R1 | self.DATA_PRESENT | self.READ)  # a small card counts in bytes
        self.assertEqual(status, self.CC | self.BRR)
        data = b"".join(struct.pack("<I", self.read(self.DATA)) for _ in range(128))
        self.assertEqual(data, self.contents[512:1024])
        self.assertEqual(self.read(self.STAT), self.CC | self.BRR | self.TC)

    def test_write_block(self):
        self.start()
        self.select()
        self.write(self.BLK, 512)
        self.assertEqual(self.command(24, 1024, self.R1 | self.DATA_PRESENT), self.CC | self.BWR)
        for n in range(128):
            self.write(self.DATA, n * 0x01010101)
        self.assertTrue(self.read(self.STAT) & self.TC)
        self.write(self.BLK, 512)
        self.command(17, 1024, self.R1 | self.DATA_PRESENT | self.READ)
        self.assertEqual([self.read(self.DATA) for _ in range(128)], [n * 0x01010101 for n in range(128)])

    def test_interrupt(self):
        self.start()
        self.command(0, flags=self.NONE)
        self.assertFalse(self.machine.pending(self.LINE))
        self.write(self.ISE, self.CC)
        self.assertTrue(self.machine.pending(self.LINE))
        self.write(self.STAT, self.CC)
        self.assertFalse(self.machine.pending(self.LINE))

    def test_narrow_writes(self):
        """Only the byte with the command's number starts it; clearing one status keeps the others."""
        self.start()
        self.write(self.CMD, 0, "w")
        self.assertEqual(self.read(self.STAT), 0)
        self.write(self.CMD + 2, 0, "w")
        self.assertEqual(self.read(self.STAT), self.CC)
        self.command(17, 0)  # out of turn: nobody answers
        self.assertEqual(self.read(self.STAT) & (self.CTO | self.ERRI), self.CTO | self.ERRI)
        self.write(self.STAT, 0xFFFF, "w")
        self.assertTrue(self.read(self.STAT) & self.CTO)

    def test_read_by_dma(self):
        self.start()
        self.select()
        channel = 25
        self.machine.write("edma", 0x100 + 4 * channel, channel << 5)
        Edma.param(self.machine, channel, opt=1 << 20 | channel << 12 | 4, src=0x48060220, dst=DDR, acnt=4, bcnt=128,
                   ccnt=2, bidx=4 << 16, cidx=512 << 16)
        self.machine.write("edma", 0x1030, 1 << channel)
        self.write(self.BLK, 2 << 16 | 512)
        self.command(18, 512, self.R1 | self.DATA_PRESENT | self.READ | self.MULTIPLE | self.BLOCK_COUNT | self.DMA |
                     self.AUTO_CMD12)
        self.machine.step(10000)
        self.assertEqual(self.machine.dump(DDR, 1024), self.contents[512:1536])
        self.assertTrue(self.read(self.STAT) & self.TC)
        self.assertEqual(self.machine.read("edma", 0x1068), 1 << channel)


class Edma(unittest.TestCase):
    ECR, ESR, EER, EESR, SECR, IESR, IPR, ICR, EMR, EMCR, DRAE0 = (
        0x1008, 0x1010, 0x1020, 0x1030, 0x1040, 0x1060, 0x1068, 0x1070, 0x300, 0x308, 0x340)
    AB, STATIC, TCINTEN, ITCINTEN, TCCHEN = 1 << 2, 1 << 3, 1 << 20, 1 << 21, 1 << 22
    COMPLETION, ERROR = 12, 14

    @staticmethod
    def param(machine, number, opt, src, dst, acnt, bcnt, ccnt, bidx=0, cidx=0, link=0xFFFF, reload=0):
        for word, value in enumerate((opt, src, bcnt << 16 | acnt, dst, bidx, reload << 16 | link, cidx, ccnt)):
            machine.write("edma", 0x4000 + 0x20 * number + 4 * word, value)

    def setUp(self):
        self.machine = Machine("edma")
        self.addCleanup(self.machine.__exit__)
        for channel in range(64):
            self.machine.write("edma", 0x100 + 4 * channel, channel << 5)

    def read(self, register):
        return self.machine.read("edma", register)

    def write(self, register, value):
        self.machine.write("edma", register, value)

    def test_copy(self):
        data = os.urandom(1001)
        self.machine.fill(DDR, data)
        self.param(self.machine, 3, self.AB | self.TCINTEN | 7 << 12, DDR, DDR + 0x1000, len(data), 1, 1)
        self.write(self.ESR, 1 << 3)
        self.assertEqual(self.machine.dump(DDR + 0x1000, len(data)), data)
        self.assertEqual(self.read(self.IPR), 1 << 7)
        self.assertEqual(self.read(0x4000 + 0x20 * 3 + 0x14) & 0xFFFF, 0xFFFF)  # linked to nothing
        self.assertEqual(self.read(0x4000 + 0x20 * 3 + 8), 0)

    def test_a_synchronised(self):
        self.machine.fill(DDR, bytes(range(32)))
        self.param(self.machine, 0, self.TCINTEN, DDR, DDR + 0x100, 4, 2, 2, bidx=4 << 16 | 8, cidx=4 << 16 | 8, reload=2)
        for event, copied in enumerate((b"\0\1\2\3", b"\x08\x09\x0a\x0b", b"\x10\x11\x12\x13", b"\x18\x19\x1a\x1b")):
            self.assertEqual(self.read(self.IPR), 0)
            self.write(self.ESR, 1)
            self.assertEqual(self.machine.dump(DDR + 0x100 + 4 * event, 4), copied)
        self.assertEqual(self.read(self.IPR), 1)

    def test_interrupt_of_the_region(self):
        self.write(self.IESR, 1)
        self.param(self.machine, 0, self.TCINTEN | self.STATIC, DDR, DDR + 16, 4, 1, 1)
        self.write(self.ESR, 1)
        self.assertFalse(self.machine.pending(self.COMPLETION))  # nobody granted it to the region
        self.write(self.DRAE0, 1)
        self.assertTrue(self.machine.pending(self.COMPLETION))
        self.write(self.ICR, 1)
        self.assertFalse(self.machine.pending(self.COMPLETION))

    def test_shadow_region(self):
        self.write(self.DRAE0, 1)
        self.write(0x2030, 3)  # EESR of region 0
        self.assertEqual(self.read(self.EER), 1)

    def test_link(self):
        self.param(self.machine, 0, self.TCINTEN, DDR, DDR + 0x100, 4, 1, 1, link=0x4000 + 0x20 * 100)
        self.param(self.machine, 100, self.TCINTEN | 1 << 12, DDR, DDR + 0x200, 4, 1, 1)
        self.machine.fill(DDR, b"link")
        self.write(self.ESR, 1)
        self.write(self.ESR, 1)
        self.assertEqual(self.machine.dump(DDR + 0x200, 4), b"link")
        self.assertEqual(self.read(self.IPR), 3)

    def test_chain(self):
        self.machine.fill(DDR, b"1234")
        self.param(self.machine, 0, self.TCCHEN | 40 << 12, DDR, DDR + 0x100, 4, 1, 1)
        self.param(self.machine, 40, self.TCINTEN | 40 << 12, DDR + 0x100, DDR + 0x200, 4, 1, 1)
        self.write(self.ESR, 1)
        self.assertEqual(self.machine.dump(DDR + 0x200, 4), b"1234")
        self.assertEqual(self.read(self.IPR + 4), 1 << 8)

    def test_event_on_a_null_set_is_missed(self):
        self.write(self.EESR, 1 << 5)
        self.machine.line("edma", 5, True)
        self.assertEqual(self.read(self.EMR), 1 << 5)
        self.assertTrue(self.machine.pending(self.ERROR))
        self.write(self.EMCR, 1 << 5)
        self.assertFalse(self.machine.pending(self.ERROR))

    def test_event_waits_until_enabled(self):
        self.param(self.machine, 5, self.TCINTEN | 5 << 12, DDR, DDR + 16, 4, 1, 1)
        self.machine.line("edma", 5, True)
        self.assertEqual(self.read(self.IPR), 0)
        self.write(self.EESR, 1 << 5)
        self.assertEqual(self.read(self.IPR), 1 << 5)


main()
