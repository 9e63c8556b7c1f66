"""Data sets: what was played is in them, and the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

import maxout
from maxout import datasets
from maxout.tasks import TASKS


def test_rows_are_a_game_that_can_be_played_again():
    rows = list(datasets.decisions(7))
    assert [row["step"] for row in rows] == list(range(len(rows))) and len(rows) > 200
    env = maxout.Tetris(**TASKS["TetrisPlace-v1"].settings)
    observation, info = env.reset(seed=7)
    for row in rows:
        assert (datasets.unpack(row["field"]) == observation["field"]).all()
        assert (row["piece"], row["next"]) == tuple(observation["pieces"]) and row["lines"] == info["lines"]
        observation, reward, terminated, _, info = env.step(row["action"])
        assert (reward, terminated) == (row["reward"], row["terminated"])
    assert rows[0]["value"] > 500_000 and set(rows[0]) == set(datasets.COLUMNS)
    for row in rows:
        odds = [row[f"odds_{level}"] for level in (19, 29, 39)]
        assert 1 >= odds[0] >= odds[1] >= odds[2] >= 0 and row["points"] >= 0, row
        reached = sum(row["level"] >= level for level in (19, 29, 39))
        # A decision that reaches a level may say so.
        assert odds[:reached] == [1.0] * reached and (odds[min(reached + 1, 2)] < 1 or reached > 1), row
    # Odds of a strong player at the beginning, and what it expects: what it makes on average.
    assert 1 > rows[0]["odds_19"] > 0.8 and 1_000_000 < rows[0]["points"] < 3_000_000
    with pytest.raises(ValueError, match="for evaluation"):
        next(datasets.decisions(2**62))


def test_parquet_has_every_column(tmp_path: Path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "decisions.parquet"
    assert datasets.main(["--decisions", "1500", "--out", str(path)]) == 0
    assert "1,500 decisions" in capsys.readouterr().out
    table = parquet.read_table(path)
    assert table.num_rows == 1_500 and table.column_names == list(datasets.COLUMNS)
    assert table["game"][0].as_py() == 0 and datasets.unpack(table["field"][40].as_py()).sum() > 10
    assert [file.name for file in tmp_path.iterdir()] == ["decisions.parquet"]
    for words in ([], ["--out", "x", "--decisions", "0"]):
        with pytest.raises(SystemExit):
            datasets.main(words)


def test_minari_takes_games(tmp_path: Path, monkeypatch):
    minari = pytest.importorskip("minari", reason="Minari is not installed")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    made = datasets.write_minari("maxout/test-v0", 300)
    loaded = minari.load_dataset("maxout/test-v0")
    assert loaded.total_steps == made.total_steps >= 300
    episode = next(loaded.iterate_episodes())
    assert episode.terminations[-1] or episode.truncations[-1]
    assert set(datasets.EXPECTED) <= set(episode.infos) and len(episode.infos["odds_29"]) >= len(episode.actions)
    assert len(episode.actions) == len(episode.rewards) == len(episode.observations["field"]) - 1
