"""Runs a program with a pad that is not there, and plugs it in and out.

    umockdev-wrapper python3 testbed.py KIND PROGRAM ARGUMENT...

Orders are lines of the standard input: `press` and `release` of the right one of the four buttons, `left`, `right`, `up`,
`down` and `centre` of a cross that is two axes, `unplug`, `plug`. The kind `pad` is an Xbox 360 pad, `usb` a cheap pad
with such a cross (0079:0011), as the kernel describes them (Linux: input-event-codes.h, struct input_event).
Debian: apt-get install umockdev gir1.2-umockdev-1.0 python3-gi
"""

import os
import pathlib
import struct
import subprocess
import sys
import threading

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

EV_SYN, EV_KEY, EV_ABS, ABS_X, ABS_Y, BTN_EAST = 0, 1, 3, 0, 1, 0x131
HERE = pathlib.Path(__file__).parent


class Pad:
    def __init__(self, kind):
        self.kind = kind
        self.testbed = UMockdev.Testbed.new()
        self.number = 100
        self.plug(announce=False)

    def plug(self, announce=True):
        # Each time another number: the testbed does not forget the old ones.
        self.number -= 1
        description = (HERE / f"{self.kind}.umockdev").read_text().replace("99", str(self.number))
        self.device = f"/dev/input/event{self.number}"
        self.testbed.add_from_string(description)
        self.testbed.load_ioctl(self.device, str(HERE / f"{self.kind}.ioctl"))
        self.path = next(
            "/sys" + line.removeprefix("P: ")
            for line in description.splitlines()
            if line.startswith("P: ") and "event" in line
        )
        if announce:
            self.testbed.uevent(self.path, "add")

    def unplug(self):
        self.testbed.uevent(self.path, "remove")
        self.testbed.remove_device(self.path)

    def button(self, value):
        self.write((EV_KEY, BTN_EAST, value))

    def cross(self, x, y):
        self.write((EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y))

    def write(self, *events):
        for kind, code, value in (*events, (EV_SYN, 0, 0)):
            event = struct.pack("llHHi", 0, 0, kind, code, value)
            os.write(self.testbed.get_dev_fd(self.device), event)

    def obey(self, order):
        {
            "press": lambda: self.button(1),
            "release": lambda: self.button(0),
            "left": lambda: self.cross(0, 127),
            "right": lambda: self.cross(255, 127),
            "up": lambda: self.cross(127, 0),
            "down": lambda: self.cross(127, 255),
            "centre": lambda: self.cross(127, 127),
            "plug": self.plug,
            "unplug": self.unplug,
        }[order]()


def main():
    pad = Pad(sys.argv[1])
    program = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)

    def listen():
        for line in sys.stdin:
            pad.obey(line.strip())

    threading.Thread(target=listen, daemon=True).start()
    sys.exit(program.wait())


main()
