"""What a user writes: strict checkers find nothing in it, and it runs."""

from __future__ import annotations

import copy

import gymnasium
import numpy as np

import maxout
from maxout.training import Threads, curve, train


def main() -> None:
    games = maxout.TetrisVector(8, reward="lines", machine="board", observation="field+mask")
    observation, infos = games.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(10):
        observation, rewards, terminated, truncated, infos = games.step(games.sample(rng))
        print(observation["field"].shape, rewards.sum(), terminated.any(), truncated.any(), infos["score"])
    state = games.get_state(1)
    games.set_state(state, 2)
    twin = copy.deepcopy(games)
    print(twin.action_masks().sum(), twin.statistics["lines"].max(), games.expert_action().shape)
    env = maxout.Tetris(level=19, observation="features", reward=lambda before, after: after["lines"] - before["lines"])
    first, info = env.reset(seed=1)
    for name, number in zip(maxout.FEATURES, first):
        print(name, number)
    _, reward, ended, _, info = env.step(env.expert_action())
    print(reward + 1.0, ended, info, env.render())
    versus = maxout.TetrisVersus(garbage=True)
    views, _ = versus.reset(seed=3)
    answers = versus.step({agent: int(view["action_mask"].argmax()) for agent, view in views.items()})
    print(answers[1]["player_0"], versus.agents)
    matches = maxout.TetrisMatches(2, level=29)
    matches.reset(seed=3)
    _, gained, lost, drawn, _ = matches.step(matches.expert_action(maxout.Search("el-tetris")))
    print(gained.sum(), lost.any(), drawn.any(), matches.clone().action_masks().sum())
    match = maxout.TetrisMatch(opponent="article", max_steps=20)
    match.reset(seed=1)
    match.set_state(match.get_state())
    print(match.step(match.expert_action())[1] + 1.0)
    console = maxout.Console()
    console.step(maxout.Buttons.START, frames=3)
    print(console.ram().sum(), console.picture().shape, console.clone().state_hash())
    randomizer = maxout.Randomizer("tgm3", 7)
    print(randomizer.deal(), randomizer.take(7).tolist(), [next(iter(randomizer)) for _ in range(2)])
    decision = maxout.Search("el-tetris").decide(np.zeros((20, 10), np.uint8), "TJ")
    if decision is not None:
        column, row, orientation, rating = decision
        print(column + row + orientation, rating)
    choice = maxout.Player().decide(np.zeros((20, 10), np.uint8), 0, "T")
    if choice is not None:
        print(choice[0][0], choice[1])
    for event in maxout.events(maxout.Game(), [0, 1, 2]):
        print(event["event"])
    learner = train(maxout.Learner(games=2), Threads(2), rounds=1)
    print(curve(learner).shape, learner.history()[0]["score"])
    for item in maxout.progress(range(3), label="x"):
        print(item + 1)
    made = gymnasium.make("maxout.gym:maxout/Tetris-v0", reward="lines")
    print(made.action_space, maxout.PIECES, maxout.STATISTICS[0], maxout.AFTERSTATE_FEATURES[0], maxout.__version__)


if __name__ == "__main__":
    main()
