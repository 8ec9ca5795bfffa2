#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The examples of rtos/examples, each as an image beside Linux, and an application from outside the tree."""
import re
import subprocess
from pathlib import Path

from harness import ROOT, check, main
from rtmux_lib.machine import Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, TOOLS

EXAMPLES = BUILD / DEFAULT_BOARD / "rtos"


def image(boot, elf, *options):
    """The image that tools/rtmux makes of an application."""
    output = boot.folder / f"{Path(elf).stem}.img"
    subprocess.run([TOOLS / "rtmux", "image", "--rtos", elf, "-o", output, *options], check=True, capture_output=True)
    return output


def machine(boot, name, **options):
    return Machine(boot.folder / "1", image(boot, EXAMPLES / f"{name}.elf"), **options)


def linux_runs(m):
    m.shell()
    check(m.run("echo $((6 * 7))")[1].strip() == "42", "Linux's shell does not calculate")


def test_example_blink(boot):
    with machine(boot, "blink") as m:
        linux_runs(m)
        for state in ("on", "off") * 3:
            m.log.expect(rf"^\[rt\] blink: LED {state}$", 60)
        check(m.run("cat /proc/device-tree/soc/gpio@10014000/status 2>/dev/null || "
                    "cat /proc/device-tree/*/gpio@10014000/status")[1].startswith("disabled"), "Linux has the GPIO too")


def test_example_control(boot):
    with machine(boot, "control") as m:
        linux_runs(m)
        report = r"^\[rt\] control: (\d+) periods, (\d+) missed; jitter ns min (\d+) avg (\d+) max (\d+); output (\d+)\.\d{3}$"
        while True:
            periods, missed, least, average, worst, output = map(int, m.log.expect(report, 60).groups())
            check(missed == 0 and 0 < least <= average <= worst < 5000, f"{periods} periods, {missed} missed, worst {worst}")
            if periods >= 10000:
                break
        check(output in (39, 40), f"the controller has reached {output}, not 40")


def test_example_producer_consumer(boot):
    with machine(boot, "producer_consumer") as m:
        m.log.expect(r"producer_consumer: 3000 messages, 0 out of order$", 60)
        m.log.expect(r"producer_consumer: done, sent 3000$", 60)
        check("sent 3000, received 3000" in m.rt("progress"), "its command does not run")
        check(re.search(r"^messages +RT-Thread +0 of +8, +8 bytes", m.rt("list msgqueue"), re.MULTILINE), "no such queue")
        linux_runs(m)


def test_example_posix(boot):
    with machine(boot, "posix") as m:
        found = m.log.expect(r"posix: (\d+) samples, largest (\d\.\d+), error (\d\.\d+)\n", 60)
        check(found[1] == "1000" and 0.99 < float(found[2]) < 1.01 and float(found[3]) < 0.01, found[0])
        linux_runs(m)


def test_example_uart_echo(boot):
    with machine(boot, "uart_echo", rt_uart=True) as m:
        m.log.expect(r"^\[rt\] uart_echo: ready$", 60)
        m.uart.send("hello\rMixed Case 12\n")
        m.uart.expect(r"^HELLO\nMIXED CASE 12\n", 60)
        linux_runs(m)
        m.uart.send("x" * 100 + "\n")
        m.uart.expect(r"^X{100}\n", 60)
        check(int(m.log.expect(r"uart_echo: 100 characters, interrupts (\d+), lost 0$", 60)[1]) > 0, "no interrupts")


def test_example_rt_device(boot):
    with machine(boot, "rt_device", rt_uart=True) as m:
        m.uart.expect(r"^ready$", 60)
        m.uart.send("a line\n")
        m.uart.expect(r"^a line$", 60)
        m.log.expect(r'rt_device: "a line", 6 characters, 0 lost$', 60)
        linux_runs(m)


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    check(done.returncode == 0, f"{command[0]} {command[1]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def test_package(boot):
    """An application in a folder of its own, with nothing but what is installed: built, put into an image, booted."""
    prefix, project = boot.folder / "prefix", boot.folder / "project"
    run("cmake", "--install", BUILD / DEFAULT_BOARD, "--prefix", prefix, cwd=ROOT)
    installed = "\n".join(path.read_text(errors="replace") for path in prefix.rglob("*.cmake"))
    check(str(ROOT) not in installed, "the package knows the tree that it comes from")
    project.mkdir()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(mine C CXX)\n"
                                            "find_package(RtmuxRtos 0.1 REQUIRED)\n"
                                            "add_rt_application(mine main.c loop.cpp)\n"
                                            "add_rt_application(hosted POSIX hosted.cpp)\n")
    (project / "main.c").write_text("""
#include <finsh.h>
#include <msh.h>
#include <rtthread.h>

extern int loops(void);

static int answer(int argc, char **argv)
{
	rt_kprintf("%s: %d, %d loops\\n", argv[argc - 1], 42, loops());
	return 0;
}
MSH_CMD_EXPORT(answer, the answer);

int main(void)
{
	rt_kprintf("mine: started\\n");
	return finsh_system_init();
}
""")
    (project / "loop.cpp").write_text("""
#include <board.hpp>
#include <rtos/thread.hpp>

static volatile int count;
static constinit rtos::Thread thread{"loop", 3, [](void *) {
    for (rtos::Time next = rtos::now();;) {
        count = count + 1;
        (void)rtos::Thread::sleep_until(next = next + rtos::milliseconds(1));
    }
}};

extern "C" int loops(void) {
    if (thread.state() == rtos::Thread::State::created)
        (void)thread.start(4096);
    return count;
}
""")
    (project / "hosted.cpp").write_text("""
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

int main() {
    std::map<std::string, double> values{{"pi", 3.14159}};
    try {
        std::printf("hosted: %.2f\\n", values.at("pi"));
        std::printf("hosted: %.2f\\n", values.at("e"));
    } catch (const std::out_of_range &) {
        std::printf("hosted: caught\\n");
    }
}
""")
    run("cmake", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={prefix}/lib/cmake/RtmuxRtos/RtmuxRtosToolchain.cmake", cwd=project)
    run("cmake", "--build", "build", cwd=project)
    with Machine(boot.folder / "mine", image(boot, project / "build/mine.elf")) as m:
        m.log.expect(r"mine: started$", 60)
        m.rt("answer first")
        m.shell()
        check(re.search(r"^again: 42, [1-9]\d* loops$", m.rt("answer again"), re.MULTILINE), "its command says something else")
    with Machine(boot.folder / "hosted", image(boot, project / "build/hosted.elf", "--alone")) as m:
        m.log.expect(r"hosted: 3\.14\n(?:.*\n)*?.*hosted: caught$", 60)


def test_examples_outside(boot):
    """Each example builds by itself against the package, as its README says."""
    prefix = boot.folder / "prefix"
    run("cmake", "--install", BUILD / DEFAULT_BOARD, "--prefix", prefix, cwd=ROOT)
    for folder in sorted(path.parent for path in (ROOT / "rtos/examples").glob("*/CMakeLists.txt")):
        build = boot.folder / folder.name
        run("cmake", "-S", folder, "-B", build,
            f"-DCMAKE_TOOLCHAIN_FILE={prefix}/lib/cmake/RtmuxRtos/RtmuxRtosToolchain.cmake", cwd=boot.folder)
        run("cmake", "--build", build, cwd=boot.folder)
        check((build / f"{folder.name}.elf").exists(), f"{folder.name}.elf is not built")


if __name__ == "__main__":
    main(globals())
