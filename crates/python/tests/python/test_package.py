"""The package without environments."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import maxout
from maxout import Buttons

ROOT = Path(__file__).resolve().parents[4]


def start_held(frames: int) -> np.ndarray:
    held = np.zeros(frames, np.uint8)
    held[::6] = Buttons.START
    return held


def test_a_console_runs_and_its_clone_has_the_same_future():
    console = maxout.Console()
    console.step(frames=100)
    assert console.frame == 100
    picture = console.picture()
    assert picture.shape == (240, 256, 3) and picture.dtype == np.uint8 and picture.any()
    out = np.zeros((240, 256, 3), np.uint8)
    assert console.picture(out) is out
    assert (out == picture).all()
    assert console.gray().shape == (84, 84)
    other = console.clone()
    saved = console.save()
    for player in (console, other):
        player.run(start_held(60))
    assert console == other and console.state_hash() == other.state_hash()
    other.step(Buttons.A)
    assert console != other
    console.load(saved)
    assert console.frame == 100


def test_a_pal_console_has_longer_frames():
    assert maxout.Console().region == "ntsc"
    pal = maxout.Console((ROOT / "roms" / "maxout-pal.nes").read_bytes())
    assert (pal.region, round(pal.frame_rate, 3)) == ("pal", 50.007)
    pal.step(frames=2)
    before = pal.cycle
    pal.step(frames=100)
    assert abs(pal.cycle - before - 100 * 33_247.5) < 20
    assert maxout.Console(region="pal").region == "pal"
    with pytest.raises(ValueError, match="another|NTSC"):
        pal.load(maxout.Console((ROOT / "roms" / "maxout-pal.nes").read_bytes(), region="ntsc").save())
    with pytest.raises(ValueError, match="ntsc"):
        maxout.Console(region="secam")


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="expected"):
        maxout.Console(b"not a cartridge")
    console = maxout.Console()
    with pytest.raises(ValueError):
        console.load(b"MXST but no state")
    with pytest.raises(ValueError, match="2048"):
        console.ram(np.zeros(7, np.uint8))
    with pytest.raises(ValueError, match=r"\(240, 256, 3\)"):
        console.picture(np.zeros((2, 2, 3), np.uint8))
    with pytest.raises(ValueError, match="expected one of"):
        maxout.Randomizer("dice")
    with pytest.raises(ValueError, match="TJZOSLI"):
        maxout.Search().decide(np.zeros((20, 10), np.uint8), "X")


def test_sound_comes_at_the_rate_that_was_asked_for():
    console = maxout.Console(sample_rate=48_000)
    console.step(frames=60)
    samples = console.samples()
    assert samples.dtype == np.float32 and 47_000 < samples.size < 49_000
    assert console.samples().size == 0


def test_the_model_is_the_console_without_the_machine():
    console, game = maxout.Console(video=False), maxout.Game()
    held = start_held(700)
    events = list(maxout.events(game, held))
    assert [event["event"] for event in events].count("game_start") == 1
    assert any(event["event"] == "spawn" and event["number"] == 1 for event in events)
    console.run(held)
    assert game.in_play or console.ram()[0x68] != 1
    assert (game.rows == maxout_rows(console)).all()
    assert (game.piece, game.score, game.lines) == (maxout.PIECES[piece_of(console)], 0, 0)


def maxout_rows(console: maxout.Console) -> np.ndarray:
    cells = console.ram()[0x400:0x4C8].reshape(20, 10) < 0xEF
    return (cells << np.arange(10)).sum(1)


def piece_of(console: maxout.Console) -> int:
    return [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6][int(console.ram()[0x62])]


MOVIES = [("maxout", None), ("maxout-slow", "roms/maxout-slow.nes")]


@pytest.mark.parametrize(("name", "rom"), MOVIES)
def test_a_movie_ends_in_the_state_of_maxout_run_and_in_the_ram_of_fceux(name, rom):
    movie = maxout.Movie.parse((ROOT / f"tests/movies/{name}.fm2").read_bytes())
    console = maxout.Console((ROOT / rom).read_bytes() if rom else None, video=False)
    assert console.play(movie) == len(movie) == len(movie.buttons) == 15_055
    if "MAXOUT_PROGRAM" in os.environ:
        words = ["run", "--input", ROOT / f"tests/movies/{name}.fm2", "--json", ROOT / f"roms/{name}.nes"]
        ran = subprocess.run([os.environ["MAXOUT_PROGRAM"], *words], capture_output=True, text=True, check=True)
        assert f"{console.state_hash():016x}" == json.loads(ran.stdout)["state"]
    assert set(movie.commands) == {0, 1, 2}
    # FCEUX's RAM after the last line, without the stack: sixteen bits of the CRC-32, for its old PPU and its new one.
    ram = console.ram()
    digest = zlib.crc32(ram[0x200:].tobytes(), zlib.crc32(ram[:0x100].tobytes())) & 0xFFFF
    digests = np.frombuffer((ROOT / f"tests/movies/{name}.ram").read_bytes(), "<u2").reshape(-1, 2)
    assert (digests[-1] == digest).all()
    again = maxout.Console((ROOT / rom).read_bytes() if rom else None, video=False)
    again.play(maxout.Movie.parse(movie.to_bytes()))
    assert again == console


def test_a_movie_of_an_array_is_a_movie():
    buttons = np.zeros((300, 2), np.uint8)
    buttons[:, 0] = start_held(300)
    movie = maxout.Movie(buttons)
    assert (maxout.Movie.parse(movie.to_bytes()).buttons == buttons).all()
    console, other = maxout.Console(), maxout.Console()
    console.play(movie)
    other.run(start_held(300))
    assert console.state_hash() == other.state_hash()


def test_randomizers_deal_the_same_from_the_same_seed():
    kinds = [kind for kind, _ in maxout.Randomizer.kinds()]
    assert {"nes", "sps", "tgm1", "tetrio-7bag"} <= set(kinds)
    for kind in kinds:
        one, other = maxout.Randomizer(kind, 7), maxout.Randomizer(kind, 7)
        pieces = one.take(200)
        assert pieces.dtype == np.uint8 and pieces.max() <= 6
        assert "".join(maxout.PIECES[piece] for piece in pieces) == "".join(other.deal() for _ in range(200))
    # What TetrisGYM's own tests expect of its cartridge.
    sps = maxout.Randomizer("sps", "123456")
    assert "".join(next(sps) for _ in range(30)) == "ZTZIJIJOZTSOSZJZOSLIOIJIJSTZST"


def test_the_search_decides_as_the_article_does():
    empty = np.zeros((20, 10), np.uint8)
    x, y, _, fitness = maxout.Search().decide(empty, "SI")
    assert (x, y, fitness) == (1, 18, 244.48149304542784)
    assert len(maxout.Search().places(empty, "O")) == 9
    full = np.ones((20, 10), np.uint8)
    assert maxout.Search().decide(full, "T") is None


def test_the_trained_player_plays_a_game():
    player = maxout.Player()
    empty = np.zeros((20, 10), np.uint8)
    targets, value = player.decide(empty, 0, "T")
    assert len(targets) == 7 and value != 0
    outcome = player.play(0x123456, 400)
    assert outcome["lines"] >= 400 and outcome["pieces"] > 0
    assert outcome == player.play(0x123456, 400)


def test_a_player_looks_one_to_three_pieces_further():
    field = np.zeros((20, 10), np.uint8)
    field[18:, :9] = 1
    for breadth in (0, 4, (4, 2), (2, 1, 1)):
        targets, _ = maxout.Player(breadth=breadth).decide(field, 0, "I")
        assert len(targets) == 7
    both = maxout.Player(breadth=2, deeper=(29, (2, 1, 1)), narrow=1)
    for player in (both, both.clone(), pickle.loads(pickle.dumps(both))):
        for lines, breadth in ((0, 2), (300, (2, 1, 1))):
            assert player.decide(field, lines, "T") == maxout.Player(breadth=breadth, narrow=1).decide(field, lines, "T")
    for breadth in (65, (4, 0), (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="breadth: expected 0, or one to three numbers from 1 to 64"):
            maxout.Player(breadth=breadth)
    for deeper in ((18, (6, 1, 1)), (29, ()), (29, (6, 0)), (39, (1, 2, 3, 4))):
        with pytest.raises(ValueError, match="deeper: expected level 19, 29 or 39 and one to three numbers"):
            maxout.Player(deeper=deeper)
    with pytest.raises(ValueError, match="deeper: expected a player by nets"):
        maxout.Player(nets=[], deeper=(29, (6, 1, 1)))
    for caution in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="caution: expected 0 to 1"):
            maxout.Player(caution=caution)
        with pytest.raises(ValueError, match="caution: expected 0 to 1"):
            maxout.Learner(caution=caution)


def test_pictures_are_files():
    console = maxout.Console()
    console.step(frames=60)
    assert console._repr_png_().startswith(b"\x89PNG")
    pictures = np.stack([console.picture() for _ in range(3) if console.step(frames=20) is None])
    gif = maxout.gif(pictures, delay=4)
    assert gif.startswith(b"GIF89a") and gif.endswith(b";")
    with pytest.raises(ValueError):
        maxout.gif(np.zeros((1, 2, 2, 4), np.uint8))


def test_an_old_python_is_refused_by_its_version():
    code = """
import sys
class Version(tuple):
    major, minor = 3, 9
sys.version_info = Version((3, 9, 18, "final", 0))
import maxout
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1
    assert "ImportError: maxout needs Python 3.10 or newer; this is Python 3.9" in ended.stderr
    packaging = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text()
    assert 'requires-python = ">=3.10"' in packaging


def test_a_chart_has_every_line_and_every_letter():
    from maxout.chart import COLOURS, chart
    from maxout.lettering import _LETTERS

    picture = chart([[1, 2, 3], [3, 2], [0, 0, 5]], "points a game, by round")
    assert picture.shape == (360, 720, 3) and all((picture == colour).all(2).any() for colour in COLOURS)
    assert chart([[]], "").shape == chart([[7]], "").shape
    assert set("points a game, by round: lines of 1000 pieces, generation, mean and best") <= {" ", *_LETTERS}


def test_progress_shows_how_many(capsys: pytest.CaptureFixture[str]):
    assert list(maxout.progress([1, 2, 3], label="games")) == [1, 2, 3]
    assert "games [" in capsys.readouterr().err


def test_stubs_name_what_the_module_has():
    stub = (Path(maxout.__file__).parent / "_maxout.pyi").read_text()
    for name in dir(maxout._maxout):
        if not name.startswith("__"):
            assert name in stub, name
            for method in dir(getattr(maxout._maxout, name)):
                if not method.startswith("_") and isinstance(getattr(maxout._maxout, name), type):
                    assert f"def {method}(" in stub, f"{name}.{method}"
    assert (Path(maxout.__file__).parent / "py.typed").exists()
    assert sys.version_info >= (3, 10)
