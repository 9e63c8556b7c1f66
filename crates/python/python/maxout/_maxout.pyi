"""The part in Rust. Buffers are yours: arrays are C-contiguous and filled in place, with the interpreter's lock released.

An array of another type is a ``TypeError``, one of another length or shape a ``ValueError``; a sliced array that is not
contiguous is a ``TypeError``, and so is one that is lent to two calls at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from .settings import RandomizerName

__version__: str
#: Names of what is told of each game.
STATISTICS: list[str]
#: Names of the numbers of ``observation="afterstates"``.
AFTERSTATE_FEATURES: list[str]
#: Names of the numbers of ``observation="features"``.
FEATURES: list[str]

U8 = npt.NDArray[np.uint8]

def png(pixels: U8) -> bytes:
    """An array ``(height, width, 3)`` uint8 as a PNG file."""

def gif(pixels: U8, delay: int = 3) -> bytes:
    """An array ``(pictures, height, width, 3)`` uint8 as a GIF file that repeats, each picture for ``delay`` hundredths of a second."""

@final
class Console:
    """An NES with a cartridge in it, powered on.

    ``rom`` is an iNES image as bytes; without it, the built-in cartridge. ``ram_fill`` is the byte that RAM holds at power-on;
    ``sample_rate``, 8,000 to 192,000, the samples of sound a second (``None``: none is made); ``region``, ``"ntsc"`` or ``"pal"``,
    which console it is (``None``: the one that the image was made for). ``ValueError`` for an image that is none, or whose board is
    not known. Consoles are equal if they have the same future; pictures and sound do not count.
    """

    def __new__(
        cls,
        rom: bytes | None = None,
        *,
        ram_fill: int = 0,
        video: bool = True,
        sample_rate: int | None = None,
        region: Literal["ntsc", "pal"] | None = None,
    ) -> Console: ...
    def step(self, buttons: int = 0, second: int = 0, frames: int = 1) -> None:
        """Runs ``frames`` frames with these buttons (:class:`maxout.Buttons`) held on the first and the second pad."""
    def run(self, buttons: U8) -> None:
        """Runs a frame for each number of an array of buttons."""
    def play(self, movie: Movie) -> int:
        """Powers on as the movie wants it and plays it to its end. The number of frames that were run."""
    @property
    def region(self) -> Literal["ntsc", "pal"]:
        """Which console it is."""
    @property
    def frame_rate(self) -> float:
        """Frames a second at the console's own speed: 60.0988 or 50.0070."""
    @property
    def frame(self) -> int:
        """Frames since power-on."""
    @property
    def cycle(self) -> int:
        """CPU cycles since power-on."""
    def ram(self, out: U8 | None = None) -> U8:
        """The RAM, ``(2048,)`` uint8: ``out``, or a new array."""
    def peek(self, address: int) -> int:
        """What the CPU would read at an address, 0 to 65535, without moving the machine."""
    def write(self, address: int, value: int) -> None:
        """Writes a byte as the CPU would, between two instructions."""
    def picture(self, out: U8 | None = None) -> U8:
        """The last picture, ``(240, 256, 3)`` uint8, RGB: ``out``, or a new array."""
    def gray(self, out: U8 | None = None) -> U8:
        """The last picture in grey, ``(84, 84)`` uint8, each the mean of the pixels that it stands for: ``out``, or a new array."""
    def set_video(self, drawn: bool) -> None:
        """Whether pictures are drawn from here on. Without, frames are faster and the last picture stays."""
    def samples(self) -> npt.NDArray[np.float32]:
        """Mono samples in -1..1 since the last call; none without ``sample_rate``."""
    def reset(self) -> None:
        """The reset button, between two frames."""
    def save(self) -> bytes:
        """The state. The same bytes on any machine."""
    def load(self, state: bytes) -> None:
        """Takes over a state. ``ValueError`` says what is wrong with it; nothing has changed then."""
    def state_hash(self) -> int:
        """64 bits, FNV-1a, of the state: the same on any machine."""
    def get_state(self) -> bytes:
        """The state: ``save`` by the name that environments have."""
    def set_state(self, state: bytes) -> None:
        """Goes on from a state: ``load`` by the name that environments have."""
    def clone(self) -> Console:
        """A console with the same future. One that was pickled has it too; its picture comes with the next frame."""
    def __copy__(self) -> Console: ...
    def __deepcopy__(self, memo: object) -> Console: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_png_(self) -> bytes: ...

@final
class Movie:
    """Buttons from power-on, frame by frame: ``(frames, 2)`` uint8. Frames are the console's (docs/movies.md)."""

    def __new__(cls, buttons: U8) -> Movie: ...
    @staticmethod
    def parse(data: bytes) -> Movie:
        """Reads an FM2 file, text or binary. ``ValueError`` names the line that is wrong, or what is not supported."""
    def to_bytes(self) -> bytes:
        """The movie as an FM2 file."""
    @property
    def buttons(self) -> U8:
        """A copy of the buttons held, ``(frames, 2)`` uint8."""
    @property
    def commands(self) -> U8:
        """What happens before each frame, ``(frames,)`` uint8: 1 the reset button, 2 the power switch."""
    @property
    def rom_checksum(self) -> str:
        """``base64:`` and the MD5 of the cartridge, as the file has it; empty if it has none."""
    def clone(self) -> Movie:
        """A copy."""
    def __copy__(self) -> Movie: ...
    def __deepcopy__(self, memo: object) -> Movie: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...

@final
class Game:
    """NES Tetris without the machine: a model that is exact to the frame and to the byte (docs/model.md), from power-on.

    With ``region="pal"`` pieces fall and shift as on the PAL build.
    """

    def __new__(cls, *, region: Literal["ntsc", "pal"] | None = None) -> Game: ...
    def step(self, buttons: int = 0, frames: int = 1) -> None:
        """Runs ``frames`` frames with these buttons held."""
    def run(self, buttons: U8) -> None:
        """Runs a frame for each number of an array of buttons."""
    def ram(self) -> U8:
        """The RAM, ``(2048,)`` uint8; what the model does not know is 0."""
    def set_ram(self, ram: U8) -> None:
        """Takes over what ``(2048,)`` bytes hold of a game under way."""
    def set_next(self, piece: str) -> None:
        """Deals another next piece, a letter of TJZOSLI."""
    @property
    def in_play(self) -> bool:
        """Does the play run: not in a menu, a demo, a pause, an ending?"""
    @property
    def is_over(self) -> bool:
        """Has the curtain begun to fall?"""
    @property
    def score(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def piece(self) -> str | None:
        """The piece in play; ``None`` while none is shown."""
    @property
    def next(self) -> str | None:
        """The next piece."""
    @property
    def rows(self) -> npt.NDArray[np.uint16]:
        """The rows of the field from the top, ``(20,)`` uint16, bit 0 the leftmost cell."""
    @property
    def region(self) -> Literal["ntsc", "pal"]:
        """By whose speeds it plays."""
    def get_state(self) -> bytes:
        """The state."""
    def set_state(self, state: bytes) -> None:
        """Goes on from a state. ``ValueError`` says what is wrong with it; nothing has changed then."""
    def clone(self) -> Game:
        """A game with the same future."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: object) -> Game: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object) -> bool: ...

@final
class Randomizer:
    """Which piece comes next, without end: an iterator of letters. ``seed`` is a whole number, or a text in the form of that randomizer (docs/randomizers)."""

    def __new__(cls, kind: RandomizerName = "nes", seed: int | str = 0) -> Randomizer: ...
    @staticmethod
    def kinds() -> list[tuple[str, str]]:
        """Names of all randomizers, and what each does."""
    def deal(self) -> str:
        """The next piece."""
    def take(self, count: int) -> U8:
        """The next pieces, ``(count,)`` uint8, 0 to 6 for TJZOSLI."""
    @property
    def kind(self) -> RandomizerName:
        """The name."""
    def get_state(self) -> bytes:
        """The state."""
    def set_state(self, state: bytes) -> None:
        """Goes on from a state, of any randomizer. ``ValueError`` says what is wrong with it."""
    def clone(self) -> Randomizer:
        """A randomizer that deals the same from here on."""
    def __eq__(self, other: object) -> bool: ...
    def __copy__(self) -> Randomizer: ...
    def __deepcopy__(self, memo: object) -> Randomizer: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __next__(self) -> str: ...

@final
class Search:
    """The search of the article's player (docs/computer.md).

    ``evaluator`` is a name (``article``, ``el-tetris``, ``dellacherie``, ``stacking``) or the text of a formula in TOML, ``filter``
    ``none`` or ``well``. ``ValueError`` says what is wrong with them.
    """

    def __new__(cls, evaluator: str = "article", filter: str = "none") -> Search: ...
    def clone(self) -> Search:
        """A search by the same evaluator and filter."""
    def __copy__(self) -> Search: ...
    def __deepcopy__(self, memo: object) -> Search: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def decide(self, field: U8, pieces: str) -> tuple[int, int, int, float] | None:
        """Column, row and orientation (0 to 18) of the best place for the first of one to three known pieces, and the rating (lower is better). ``field`` is ``(20, 10)`` uint8, 0 free. ``None`` where a piece has no room."""
    def action(self, field: U8, pieces: str) -> int | None:
        """The place of :meth:`decide` as an action of ``reach="free"``, ``200 * turn + 10 * row + column``."""
    def places(self, field: U8, piece: str) -> list[tuple[int, int, int]]:
        """Column, row and orientation of every place of a piece."""

@final
class Player:
    """The player for points under taps that a hand can press (docs/points.md).

    It judges by the nets that the package brings, by ``nets``, the bytes of one file for each speed, or by ``weights``, the text of
    a file. ``nets=[]`` takes the built-in weights. It looks a piece further at ``breadth`` boards if that is not 0; ``(4, 2)`` looks at a
    third piece too, from the 2 best boards of the second, and ``(6, 1, 1)`` at a fourth. ``deeper=(29, (6, 1, 1))`` does so from level
    29 on (19, 29 or 39), by nets alone. With ``narrow`` it looks further than two pieces for that many boards alone, which are best by
    two pieces. ``caution``, from 0 to 1, says how much decisions by nets care about
    surviving levels 18 and 19; lower plays bolder. Values include it.
    """

    def __new__(
        cls,
        format: str = "bt-30hz-18f",
        *,
        weights: str | None = None,
        nets: list[bytes] | None = None,
        breadth: int | Sequence[int] = 0,
        deeper: tuple[int, Sequence[int]] | None = None,
        narrow: int = 0,
        caution: float = ...,
    ) -> Player: ...
    def clone(self) -> Player:
        """A player of the same nets or weights."""
    def __copy__(self) -> Player: ...
    def __deepcopy__(self, memo: object) -> Player: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def decide(
        self, field: U8, lines: int, piece: str
    ) -> tuple[list[tuple[int, int, int]], float] | None:
        """Column, row and orientation of the place by next piece (TJZOSLI), and the value in points; ``None`` where there is no place."""
    def outlook(self) -> tuple[float, tuple[float, float, float] | None] | None:
        """What the nets expect after the last decision: mean points to come, and the odds of reaching levels 19, 29 and 39 (1 for those that are reached).

        ``None`` where weights have decided, or nothing was decided; no odds where a net is missing."""
    def play(self, seed: int, lines: int = 0) -> dict[str, int]:
        """Plays the pieces of a seed of ``sps`` from so many lines to the end: ``seed``, ``score``, ``lines``, ``pieces``."""
    @property
    def format(self) -> str:
        """The format."""

@final
class Learner:
    """A net in training: it says which games are to be played, and learns from them.

    A round is ``assignment()`` and ``tasks()`` for those who play, ``learn(games)`` when all have been played. What comes of it
    follows from the settings alone, not from who played or in which order: the same as ``maxout ai value train`` has.
    """

    def __new__(
        cls,
        format: str = "bt-30hz-18f",
        *,
        speed: int = 39,
        seed: int = 1,
        begin: bytes | None = None,
        games: int | None = None,
        batch: int | None = None,
        passes: int | None = None,
        memory: int | None = None,
        rate: float | None = None,
        halving: float | None = None,
        lambda_: float | None = None,
        exploration: float | None = None,
        taught: int | None = None,
        stumbling: float | None = None,
        guided: int | None = None,
        average: float | None = None,
        ahead: int | None = None,
        looked_at: int | None = None,
        well: float | None = None,
        caution: float | None = None,
        garbage: float | None = None,
        by_weights: bool = False,
    ) -> Learner:
        """A training from random weights, or from the net ``begin``; settings as ``maxout ai value train --help`` has them.

        Raises ``ValueError`` for a setting out of its range."""
    @staticmethod
    def from_bytes(checkpoint: bytes) -> Learner:
        """The training of a checkpoint, this class's or the program's. Raises ``ValueError`` if it is damaged."""
    def to_bytes(self) -> bytes:
        """The training as a checkpoint."""
    def clone(self) -> Learner:
        """The same training once more."""
    def __copy__(self) -> Learner: ...
    def __deepcopy__(self, memo: object) -> Learner: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def assignment(self) -> bytes:
        """How the games of the next round are played, the net included: about 1.3 MB, the same for all of them."""
    def tasks(self) -> list[tuple[list[int], int, int]]:
        """The games of the next round: ten columns, lines, seed."""
    def learn(self, games: list[bytes]) -> None:
        """Learns from the games of the round, in the order of the tasks.

        Raises ``ValueError`` if they are not those of this round; nothing has been learned then."""
    def net(self, later: list[bytes] = ...) -> bytes:
        """The net as a file, for :class:`Player` and ``maxout ai value play``; ``later`` are the nets that the actors had."""
    def history(self) -> list[dict[str, float]]:
        """``samples``, ``score`` (mean points of a game), ``survived`` (share) and ``loss`` of each round."""
    @property
    def rounds(self) -> int:
        """How many rounds there were."""
    def plan_json(self) -> str:
        """What it follows, as JSON."""

@final
class Actor:
    """Plays the games of a round."""

    def __new__(cls, assignment: bytes, later: list[bytes] = ..., *, threads: int = 1) -> Actor:
        """By ``Learner.assignment()``, and the nets of later speeds, which say what the end of this one is worth."""
    def clone(self) -> Actor:
        """An actor of the same round."""
    def __copy__(self) -> Actor: ...
    def __deepcopy__(self, memo: object) -> Actor: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def play(self, tasks: list[tuple[list[int], int, int]]) -> list[bytes]:
        """Plays games of ``Learner.tasks()``; each game as bytes for ``Learner.learn``. Raises ``ValueError`` for others."""
    @property
    def round(self) -> int:
        """Rounds before the one whose games it plays."""

@final
class Events:
    """See :class:`maxout.Events`."""

    def __new__(cls) -> Events: ...
    def get_state(self) -> bytes:
        """The state."""
    def __copy__(self) -> Events: ...
    def __deepcopy__(self, memo: object) -> Events: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def observe_json(self, frame: int, ram: U8) -> list[str]:
        """What happened in a frame, a line of JSON for each event."""

@final
class State:
    """An environment at a moment: ``get_state`` of an environment makes it, ``set_state`` goes on from it, any number of times."""

    @staticmethod
    def from_bytes(data: bytes) -> State:
        """The state of bytes. What is wrong with them is said by ``set_state``."""
    def to_bytes(self) -> bytes:
        """The state as bytes, the same on any machine."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object) -> State: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Single:
    """One game of a vector of one, as :class:`maxout.Tetris` steps it."""

    def __new__(cls, vector: Vector, told: list[int], with_mask: bool, buttons: list[int] | None = None) -> Single: ...
    def reset(self, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a game; with a seed, the games follow from it. Observation and info."""
    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Does an action: observation, reward, terminated, truncated, info."""
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions."""
    def get_state(self) -> State:
        """The state of the game."""
    def set_state(self, state: State) -> tuple[Any, dict[str, Any]]:
        """Goes on from a state. Observation and info."""

@final
class Vector:
    """See :class:`maxout.TetrisVector`, which has the spaces around it."""

    def __new__(cls, count: int, **settings: Any) -> Vector: ...
    def widths(self) -> tuple[int, int, int, int]:
        """Bytes of an observation, floats of one, actions, statistics."""
    def seed(self, number: int, seed: int) -> None:
        """From here on the games of an environment follow from a seed."""
    def reset(
        self,
        which: npt.NDArray[np.bool_] | None,
        bytes: U8 | None,
        floats: npt.NDArray[np.float32] | None,
        statistics: npt.NDArray[np.int32],
        mask: npt.NDArray[np.int8] | None,
    ) -> None:
        """Begins all games anew, or those for which ``which`` is true."""
    def step(
        self,
        actions: npt.NDArray[np.int64],
        begin_anew: bool,
        bytes: U8 | None,
        floats: npt.NDArray[np.float32] | None,
        statistics: npt.NDArray[np.int32],
        mask: npt.NDArray[np.int8] | None,
        rewards: npt.NDArray[np.float64],
        terminated: npt.NDArray[np.bool_],
        truncated: npt.NDArray[np.bool_],
    ) -> None:
        """Does an action in each game; those that had ended begin anew if ``begin_anew``, else they are a ``ValueError``."""
    def observe(
        self,
        bytes: U8 | None,
        floats: npt.NDArray[np.float32] | None,
        statistics: npt.NDArray[np.int32],
        mask: npt.NDArray[np.int8] | None,
    ) -> None:
        """Writes anew how all games stand."""
    def observe_one(
        self,
        number: int,
        bytes: U8 | None,
        floats: npt.NDArray[np.float32] | None,
        statistics: npt.NDArray[np.int32],
        mask: npt.NDArray[np.int8] | None,
    ) -> None:
        """Writes anew how one game stands."""
    def get_state(self, number: int, observed: U8 | None = None) -> State:
        """The state of an environment; ``observed`` is its observation."""
    def set_state(self, number: int, state: State, observed: U8 | None = None) -> None:
        """Lets an environment go on from a state; ``observed`` takes over an observation that is a picture."""
    def clone(self) -> Vector:
        """A vector with the same future."""
    def expert(self, search: Search) -> list[int]:
        """The action of a search in each game; -1 where none is legal."""
    def ended(self) -> list[bool]:
        """Which games have ended and were not begun anew."""
    def lift(self, number: int, count: int, hole: int) -> None:
        """Lifts the field of a board by rows of garbage that are free in column ``hole``."""
    def is_over(self, number: int) -> bool:
        """Is a game over?"""
    def picture(self, number: int, out: U8) -> bool:
        """Writes a picture, ``(240, 256, 3)``; false where the game has none."""
    def cells(self, number: int, out: U8) -> None:
        """Writes cells, ``(20, 10)``: 0 free, 1 taken, 2 the piece in play."""
