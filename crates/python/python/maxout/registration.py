"""What Gymnasium is told of the environments."""

from __future__ import annotations

#: The environment's name for ``gymnasium.make`` and ``gymnasium.make_vec``.
ID = "maxout/Tetris-v0"


def register() -> None:
    """Registers the environments, once."""
    import gymnasium

    if ID in gymnasium.registry:
        return
    gymnasium.register(
        ID, entry_point="maxout.gym:Tetris", vector_entry_point="maxout.gym:TetrisVector", nondeterministic=False
    )
    from .tasks import TASKS

    for task in TASKS.values():
        one, many = ("TetrisMatch", "TetrisMatches") if task.score == "wins" else ("Tetris", "TetrisVector")
        gymnasium.register(
            f"maxout/{task.name}",
            entry_point=f"maxout.gym:{one}",
            vector_entry_point=f"maxout.gym:{many}",
            nondeterministic=False,
            kwargs=dict(task.settings),
        )
