# SPDX-License-Identifier: GPL-2.0-only
"""QEMU's machine protocol: as much of it as reading memory needs."""
import json
import socket
import time
from pathlib import Path

from . import ui


class Qmp:
    """Attach it to a machine with extra=qmp.options()."""

    def __init__(self, folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.path = Path(folder) / "qmp"
        self.path.unlink(missing_ok=True)
        self.lines = None

    def options(self):
        return ["-qmp", f"unix:{self.path},server=on,wait=off"]

    def _connect(self, timeout=10):
        deadline = time.monotonic() + timeout
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(str(self.path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise ui.Failure(f"QEMU does not answer on {self.path}") from None
                time.sleep(0.1)
        self.lines = self.socket.makefile()
        self.lines.readline()  # its greeting
        self.command("qmp_capabilities")

    def close(self):
        if self.lines is not None:
            self.lines.close()
            self.socket.close()
            self.lines = None

    def command(self, name, **arguments):
        if self.lines is None:
            self._connect()
        self.socket.sendall(json.dumps({"execute": name, "arguments": arguments}).encode() + b"\n")
        for line in self.lines:
            answer = json.loads(line)
            if "error" in answer:
                raise ui.Failure(f"QEMU refuses {name}: {answer['error']['desc']}")
            if "return" in answer: # what else comes is an event
                return answer["return"]
        raise ui.Failure(f"QEMU ended at the command {name}")

    def memory(self, address, size):
        """Bytes of physical memory, the processor stopped while they are copied."""
        copy = self.path.with_name("memory")
        self.command("stop")
        self.command("pmemsave", val=address, size=size, filename=str(copy))
        self.command("cont")
        data = copy.read_bytes()
        copy.unlink()
        return data
