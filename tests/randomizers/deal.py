#!/usr/bin/env python3
"""The randomizers a second time, from the documents alone (docs/randomizers/), in plain Python 3.

It shares nothing with crates/randomizers: where that crate counts, this keeps lists; where that one has a formula,
this goes step by step. Its deals are the golden ones.

  python3 tests/randomizers/deal.py                    writes tests/randomizers/golden/ anew
  python3 tests/randomizers/deal.py --check            says whether it is as committed
  python3 tests/randomizers/deal.py tgm3 7 100         deals 100 pieces
"""

import itertools
import pathlib
import sys

PIECES = 1000
HERE = pathlib.Path(__file__).resolve().parent


# --- NES Tetris (docs/randomizers/nes.md) ---

NES_TABLE = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12]
NES_LETTERS = dict(zip(NES_TABLE, "TJZOSLI"))


class Register:
    """The two bytes at $17 and $18, shifted as the routine at $AB47 shifts them."""

    def __init__(self, value):
        self.high, self.low = value >> 8, value & 0xFF

    def step(self):
        carry = 1 if (self.high & 2) ^ (self.low & 2) else 0
        for name in ("high", "low"):
            byte = getattr(self, name)
            setattr(self, name, carry << 7 | byte >> 1)
            carry = byte & 1

    def value(self):
        return self.high << 8 | self.low

    def set(self, value):
        self.__init__(value)


class Picker:
    """The routine at $9907, an instruction a line."""

    def __init__(self, register, spawn_count):
        self.register = Register(register)
        self.spawn_count = spawn_count
        self.spawn_id = 0

    def pick(self, second=None):
        self.spawn_count = (self.spawn_count + 1) & 0xFF
        index = (self.register.high + self.spawn_count) & 7
        if index == 7 or NES_TABLE[index] == self.spawn_id:
            if second is None:
                self.register.step()
                high = self.register.high
            else:
                high = second >> 8
            index = (high & 7) + self.spawn_id
            while index >= 7:
                index -= 7
        self.spawn_id = NES_TABLE[index]
        return NES_LETTERS[self.spawn_id]


def split_mix(state):
    mask = (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        yield mixed ^ (mixed >> 31)


def cycle():
    register, values = Register(0x8988), []
    for _ in range(32767):
        values.append(register.value())
        register.step()
    return values


CYCLE = cycle()


def nes_start(seed):
    if seed.startswith("$"):
        register, _, count = seed[1:].partition(":")
        register, count = int(register, 16), int(count or "0", 16)
        return Picker(register, count), count * 65536 + register
    return Picker(CYCLE[int(seed) % 32767], 0), int(seed)


def nes(seed):
    picker, stream = nes_start(seed)
    dead = picker.register.value() < 2
    for output in split_mix(stream):
        picker.register.set(0 if dead else CYCLE[(output >> 32) * 32767 // 2**32])
        yield picker.pick()


def nes_independent(seed):
    picker, stream = nes_start(seed)
    dead = picker.register.value() < 2
    outputs = split_mix(stream)
    while True:
        first, second = (0 if dead else CYCLE[(next(outputs) >> 32) * 32767 // 2**32] for _ in range(2))
        picker.register.set(first)
        yield picker.pick(second)


def nes_frames(frames):
    def deal(seed):
        picker, _ = nes_start(seed)
        while True:
            for _ in range(frames):
                picker.register.step()
            yield picker.pick()

    return deal


# --- TetrisGYM's same piece sets (docs/randomizers/sps.md) ---


def sps(seed):
    high, low, third = bytes.fromhex(seed)
    picker = Picker(high << 8 | low, third)
    loops = (third >> 4 or 0x10) + 2
    while True:
        picker.register.step()
        for _ in range(loops):
            picker.register.step()
        yield picker.pick()


# --- Sega System 16 (docs/randomizers/sega.md) ---


def sega_rand(seed):
    """What the generator returns, and the seed that it leaves."""
    old = seed or 0x2A6D365A
    product = old * 41 % 2**32
    value = ((product % 65536) + product // 65536) | (old & 0xFFFF0000)
    return value, (product + (product << 16)) % 2**32


def sega_game(seed):
    """A game's thousand pieces, and the seed that they leave."""
    sequence = []
    for _ in range(1000):
        value, seed = sega_rand(seed)
        sequence.append("IZSOTLJ"[(value & 0x3F) % 7])
    return sequence, seed


def sega(seed):
    sequence, _ = sega_game(int(seed, 0))
    return itertools.cycle(sequence)


def sega_after(ends):
    """The game after the one of the seed: after Start, or after the monkey."""

    def deal(seed):
        _, seed = sega_game(int(seed, 0))
        if ends == "monkey":
            _, seed = sega_rand(seed)
        return itertools.cycle(sega_game(seed)[0])

    return deal


# --- TETR.IO (docs/randomizers/tetrio.md) ---


class Minstd:
    def __init__(self, seed):
        self.t = seed % 2147483647
        if self.t <= 0:
            self.t += 2147483646

    def next(self):
        self.t = 16807 * self.t % 2147483647
        return self.t

    def next_float(self):
        return (self.next() - 1) / 2147483646

    def floor(self, bound):
        return int(self.next_float() * bound)

    def shuffle(self, array):
        i = len(array) - 1
        while i != 0:
            r = self.floor(i + 1)
            array[i], array[r] = array[r], array[i]
            i -= 1
        return array


def tetrio_bag(copies):
    def queues(rng):
        while True:
            yield rng.shuffle(list("ZLOSIJT" * copies))

    return queues


def tetrio_classic(rng):
    last = None
    while True:
        index = rng.floor(8)
        if index == last or index >= 7:
            index = rng.floor(7)
        last = index
        yield ["ZLOSIJT"[index]]


def tetrio_pairs(rng):
    while True:
        s = rng.shuffle(list("ZLOSIJT"))
        yield rng.shuffle([s[0], s[0], s[0], s[1], s[1], s[1]])


def tetrio_mayhem(rng):
    while True:
        yield ["ZLOSIJT"[rng.floor(7)]]


def tetrio(queues, first="any"):
    def deal(seed):
        fills = queues(Minstd(int(seed, 0)))
        queue = next(fills)
        if first == "back" and len(queue) > 1:
            for _ in range(len(queue)):
                if queue[0] in "SZO":
                    queue.append(queue.pop(0))
        endless = itertools.chain(queue, itertools.chain.from_iterable(fills))
        if first == "skip" or (first == "back" and len(queue) == 1):
            endless = itertools.dropwhile(lambda piece: piece in "SZO", endless)
        return endless

    return deal


# --- The Grand Master (docs/randomizers/tgm.md) ---


def arika_rand(seed):
    while True:
        seed = (seed * 0x41C64E6D + 12345) % 2**32
        yield (seed >> 10) % 32768


def arika_first(rand):
    while True:
        piece = "IZSJLOT"[next(rand) % 7]
        if piece not in "SZO":
            return piece


def tgm(tries, history):
    def deal(seed):
        rand, recent = arika_rand(int(seed, 0)), list(history)
        piece = arika_first(rand)
        while True:
            yield piece
            recent = recent[1:] + [piece]
            for _ in range(tries - 1):
                piece = "IZSJLOT"[next(rand) % 7]
                if piece not in recent:
                    break
                piece = "IZSJLOT"[next(rand) % 7]

    return deal


def tgm3(seed):
    """With the bug by its three conditions, and the rarest piece as the head of a list by age."""
    rand = arika_rand(int(seed, 0))
    pool = [letter for letter in "IZSJLOT" for _ in range(5)]
    by_age = list("IZSJLOT")
    received = set()
    recent = ["S", "S", "Z", arika_first(rand)]
    yield recent[-1]
    while True:
        rerolled = False
        for _ in range(6):
            slot = next(rand) % 35
            if pool[slot] not in recent:
                break
            rerolled = True
            pool[slot] = by_age[0]
            slot = next(rand) % 35
        piece = pool[slot]
        received.add(piece)
        bug = piece == by_age[0] and rerolled and len(received) == 7
        by_age.remove(piece)
        by_age.append(piece)
        if not bug:
            pool[slot] = by_age[0]
        recent = recent[1:] + [piece]
        yield piece


def tgm_ace(seed):
    rand = arika_rand(int(seed, 0))

    def bag():
        pieces = list("IZSJLOT")
        for last in range(6, 0, -1):
            other = next(rand) % (last + 1)
            pieces[last], pieces[other] = pieces[other], pieces[last]
        return pieces

    pieces = bag()
    while pieces[0] in "SZO":
        pieces = bag()
    while True:
        yield from pieces
        pieces = bag()


# --- Uniform (docs/randomizers/uniform.md) ---


def uniform(seed):
    state = int(seed, 0)
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield "TJZOSLI"[(state >> 33) % 7]


NES_SEEDS = ["0", "1", "5000", "32766", "65535", "123456789012", "$8988", "$8988:1A", "$FFFF:FF", "$0001:03"]
SPS_SEEDS = ["000200", "101010", "123456", "87AB12", "133702", "ABCDEF", "FFFFFF", "8988F0", "00FF0F", "7E5715"]
NUMBERS = ["0", "1", "2", "7", "12345", "0x2A6D365A", "33554433", "2147483646", "2147483647", "4294967295"]
LONG_NUMBERS = NUMBERS[:-1] + ["18446744073709551615"]

DEALS = {
    "nes": (nes, NES_SEEDS),
    "nes.independent": (nes_independent, NES_SEEDS),
    "nes.frames-1": (nes_frames(1), NES_SEEDS),
    "nes.frames-37": (nes_frames(37), NES_SEEDS),
    "sega": (sega, NUMBERS),
    "sega.start": (sega_after("start"), NUMBERS),
    "sega.monkey": (sega_after("monkey"), NUMBERS),
    "tetrio-7bag": (tetrio(tetrio_bag(1)), LONG_NUMBERS),
    "tetrio-7bag.skip": (tetrio(tetrio_bag(1), "skip"), LONG_NUMBERS),
    "tetrio-7bag.back": (tetrio(tetrio_bag(1), "back"), LONG_NUMBERS),
    "tetrio-14bag": (tetrio(tetrio_bag(2)), LONG_NUMBERS),
    "tetrio-14bag.skip": (tetrio(tetrio_bag(2), "skip"), LONG_NUMBERS),
    "tetrio-14bag.back": (tetrio(tetrio_bag(2), "back"), LONG_NUMBERS),
    "tetrio-classic": (tetrio(tetrio_classic), LONG_NUMBERS),
    "tetrio-classic.skip": (tetrio(tetrio_classic, "skip"), LONG_NUMBERS),
    "tetrio-pairs": (tetrio(tetrio_pairs), LONG_NUMBERS),
    "tetrio-pairs.skip": (tetrio(tetrio_pairs, "skip"), LONG_NUMBERS),
    "tetrio-pairs.back": (tetrio(tetrio_pairs, "back"), LONG_NUMBERS),
    "tetrio-mayhem": (tetrio(tetrio_mayhem), LONG_NUMBERS),
    "tetrio-mayhem.skip": (tetrio(tetrio_mayhem, "skip"), LONG_NUMBERS),
    "tgm1": (tgm(4, "ZZZZ"), NUMBERS),
    "tgm2": (tgm(6, "ZSSZ"), NUMBERS),
    "tgm3": (tgm3, NUMBERS),
    "tgm-ace": (tgm_ace, NUMBERS),
    "uniform": (uniform, LONG_NUMBERS),
    "sps": (sps, SPS_SEEDS),
}


def letters(deal, seed, pieces):
    return "".join(itertools.islice(deal(seed), pieces))


def golden(name):
    deal, seeds = DEALS[name]
    return "".join(f"{seed} {letters(deal, seed, PIECES)}\n" for seed in seeds)


def main(arguments):
    folder = HERE / "golden"
    if len(arguments) == 3:
        print(letters(DEALS[arguments[0]][0], arguments[1], int(arguments[2])))
    elif arguments == ["--check"]:
        stale = [name for name in DEALS if (folder / f"{name}.txt").read_text() != golden(name)]
        stray = [path.name for path in folder.iterdir() if path.stem not in DEALS]
        if stale or stray:
            sys.exit(f"not as committed: {', '.join(stale + stray)}")
        print(f"{len(DEALS)} golden files are what deal.py deals")
    elif not arguments:
        folder.mkdir(exist_ok=True)
        for name in DEALS:
            (folder / f"{name}.txt").write_text(golden(name))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
