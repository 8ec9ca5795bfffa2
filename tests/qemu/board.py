#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is the board's: interrupt controller, watchdog, resets, clocks and pins, and the way from its card to Linux."""
import re
import shutil

from harness import check, main, shell
from rtmux_lib import sdcard
from rtmux_lib.machine import Machine
from rtmux_lib.paths import BUILD
from rtos import machine as rtos_machine

PROMPT = r"^=> "


def test_lines(boot):
    """Lines raised at once come once each. Of those withdrawn at most the one comes that was being signalled already,
    and afterwards everything goes on."""
    with rtos_machine(boot, "rtos-board.elf") as m:
        m.log.expect("board commands ready", 60)
        said = re.findall(r"^lines (\w+): (\w*)\.$", m.rt("lines"), re.MULTILINE)
        check([kind for kind, _ in said] == ["raised", "withdrawn", "raised"], f"{said}")
        check(all(sorted(order) == ["a", "b"] for kind, order in said if kind == "raised"), f"{said}")
        check(said[1][1] in ("", "a"), f"{said}")


def test_watchdog(boot):
    """An executive that takes no interrupts any more is ended by a reset of the board, and the next start says why; one
    that lives for longer than the watchdog's time is not."""
    coarse = ("-icount", "shift=3,sleep=off")  # nothing here is about instructions, and much time passes
    image = boot.folder / "rtmux.img"
    with rtos_machine(boot, "rtos-board.elf"):
        pass  # makes the image
    with Machine(boot.folder / "dog", image, extra=coarse, name=boot.board) as m:
        m.log.expect(r"^\[exec\] started by power-on", 60)
        m.log.expect("board commands ready", 60)
        m.rt("list")
        m.log.send("latency -n 60 -i 500000\r")
        m.log.expect(r"samples 60", 120)  # half a minute
        check(m.log.text.count("started by") == 1, "the board was reset while all was well")
        m.log.send("hang\r")
        m.log.expect(r"^\[exec\] started by the watchdog$", 120)


def test_denied(boot):
    """What the guest writes to clocks and pins of others is dropped and counted; its own it may change."""
    def refused(m):
        return int(re.search(r"refused (\d+);", m.rt("stat"))[1])

    def poke(address, value):
        return int(shell(m, f"poke {address:#x} {value:#x}"), 0)

    prcm, control = 0x44E00000, 0x44E10000
    with boot.machine() as m:
        m.shell()
        # clocks: RT timer, its counter, the LEDs' GPIO, the watchdog; the processor's PLL; a reset; LED and console pins
        for address, value in ((prcm + 0x88, 0), (prcm + 0xEC, 0), (prcm + 0xAC, 0), (prcm + 0x4D4, 0), (prcm + 0x488, 4),
                               (prcm + 0xF00, 2), (control + 0x854, 0x27), (control + 0x974, 0x2F)):
            before, held = refused(m), int(shell(m, f"poke {address:#x}"), 0)
            check(value != held, f"{address:#x} holds {held:#x} anyway")
            check(poke(address, value) == held, f"the guest changed {address:#x}")
            check(refused(m) == before + 1, f"the write to {address:#x} was not counted")
        before = refused(m)
        check(poke(control + 0x990, 0x27) == 0x27, "the guest cannot change a pin that nobody else has")
        check(poke(prcm + 0x70, 2) & 3 == 2, "the guest cannot run its own UART2")
        check(refused(m) == before, "one of the guest's own writes was refused")
        for address in (0x48044000, 0x44E35000, 0x44E0B000, 0x49000000):  # RT timer, watchdog, PMIC's bus, DMA
            status, said = m.run(f"poke {address:#x}")
            check(status != 0 and not re.search(r"^0x[0-9a-f]{8}$", said, re.MULTILINE), f"the guest reads {address:#x}: {said}")
        boot.check_rt(m, "forbidden writes")


def card(boot):
    """A copy of the card that the build made, to be spoiled."""
    copy = boot.folder / "card.img"
    shutil.copyfile(BUILD / boot.board / "card.img", copy)
    return copy


def to_prompt(m):
    """U-Boot's prompt, without its two seconds of virtual time."""
    m.log.expect("Hit any key to stop autoboot", 120)
    m.log.send(" ")
    m.log.expect(PROMPT, 30)


def test_card(boot):
    """Boot ROM, U-Boot, image, Linux with its root on the card; after a reset by U-Boot, too; Linux writes the card."""
    copy = card(boot)
    with Machine(boot.folder / "card", sd=copy, name=boot.board) as m:
        to_prompt(m)
        m.log.send("reset\n")
        to_prompt(m)
        # An environment in which nothing is as usual
        m.log.send("setenv autostart no; setenv loadaddr 0; setenv kernel_addr_r 0; setenv fdt_high 0; boot\n")
        m.log.expect(r"^\[exec\] started by software, warm$", 120)
        m.shell()
        check("/dev/root on / type ext4 (rw" in shell(m, "mount"), "the root is not on the card")
        shell(m, "echo from the guest >/answer && sync")
        # No check_log: of the display's PLL, which U-Boot leaves as reset does, Linux has a warning on the model
        boot.check_rt(m, "a boot from the card")
        m.linux.send("poweroff\n")
        m.log.expect(r"^\[exec\] guest: powered off", 60)
    root = boot.folder / "root.ext4"
    with copy.open("rb") as source, root.open("wb") as target:
        source.seek((sdcard.BOOT_START + sdcard.BOOT_SIZE) * sdcard.MIB)
        shutil.copyfileobj(source, target)
    check(boot.card_holds(root, "answer") == "from the guest\n", "the guest's file is not on the card")


def test_damaged_card(boot):
    """An image that is not as it was written is not started; an environment that is rubbish does no harm."""
    copy = card(boot)
    data = bytearray(copy.read_bytes())
    at = data.index(b"RTMux\0", sdcard.MIB) + 2 * sdcard.MIB  # in the middle of rtmux.uimg
    data[at] ^= 1
    copy.write_bytes(data)
    environment = boot.folder / "uboot.env"
    environment.write_bytes(bytes(range(256)) * 512)
    boot.tool("mcopy", "-i", f"{copy}@@1M", environment, "::uboot.env")
    with Machine(boot.folder / "damaged", sd=copy, name=boot.board) as m:
        m.log.expect("bad CRC, using default environment", 120)
        to_prompt(m)
        m.log.send("boot\n")
        m.log.expect(r"Bad Data CRC", 60)
        m.log.expect(r"^RTMux: rtmux.uimg is damaged: write the card again$", 30)
        check("[exec]" not in m.log.text, "a damaged image was started")


if __name__ == "__main__":
    main(globals())
