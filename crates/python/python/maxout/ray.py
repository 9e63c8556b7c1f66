"""Maxout on a Ray cluster: trainings whose games are played by many processes, and environments for RLlib.

``python -m maxout.train --ray auto`` trains with it; :class:`Cluster` is what it uses. ``environment`` is what RLlib's
``gym_env_vectorize_mode="vector_entry_point"`` wants: see docs/python.md.
"""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

# Nothing is reported to anybody unless the user has chosen so.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

try:
    import ray
    from ray import exceptions
    from ray._private import ray_constants
except ImportError as _error:
    raise ImportError("maxout.ray needs Ray: pip install 'maxout[ray]'") from _error

from ._maxout import Actor, Learner
from .training import Told

if TYPE_CHECKING:
    from .gym import Tetris, TetrisVector

__all__ = ["Cluster", "build", "connect", "environment", "register"]

#: What says that a worker, its node or what it held is gone, and not that its work is wrong.
_GONE = (
    exceptions.RayActorError,
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
)
#: Pieces of work that a worker has at once: one that it plays, one that waits.
_DEPTH = 2
#: Seconds without a worker after which it is said what is waited for.
_QUIET = 10.0
_log = logging.getLogger("maxout.ray")


def connect(where: str = "auto", processors: int | None = None) -> str:
    """Connects to a cluster, and says to which.

    ``"auto"``: the cluster that ``RAY_ADDRESS`` names, or else one of this process alone, which ends with it and is reached
    from this machine only (127.0.0.1); ``"local"``: always the latter, with so many ``processors``; else the address of a
    cluster: ``"HOST:PORT"``. Another program's cluster on this machine is joined only by its address, since a private one ends
    with that program. Raises ``ConnectionError`` if there is none.

    Ray asks nobody for a password: whoever reaches its ports runs programs. Keep a cluster of several machines in a network
    of its own.
    """
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if where == "auto":
        where = os.environ.get("RAY_ADDRESS", "local")
    if where != "local":
        ray.init(address=where, **quiet)
        return f"cluster {where}"
    # A process has a minute to say that it has begun, and on a busy machine it takes longer; another in its place takes as long.
    os.environ.setdefault("RAY_worker_register_timeout_seconds", "600")
    # Ray takes the address of the network card even if it is told 127.0.0.1, unless clusters of machines are switched off,
    # which is its setting for systems where it does not make any.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    ray_constants.ENABLE_RAY_CLUSTER = False
    ray.init(address="local", num_cpus=processors, include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
    address = ray.get_runtime_context().gcs_address
    if not address.startswith("127."):
        _log.warning("Ray listens at %s, where other machines may reach it: it runs what they send", address)
    return f"this machine, {int(ray.cluster_resources().get('CPU', 0))} processors"


class _Worker:
    """Plays games in a process of its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.key: int | None = None
        self.actor: Actor | None = None

    def ready(self) -> int:
        """Its process."""
        return os.getpid()

    def play(self, key: int, held: list[Any], tasks: list[tuple[list[int], int, int]]) -> list[bytes]:
        """Plays tasks of round ``key``. The weights lie in the object store and are fetched once a round and worker."""
        if self.key != key or self.actor is None:
            assignment, later = ray.get(held)
            self.actor, self.key = Actor(assignment, later, threads=self.threads), key
        return self.actor.play(tasks)


@dataclass(eq=False)
class _Member:
    """A worker as the one who learns sees it."""

    handle: Any
    ready: Any
    process: int | None = None
    load: int = 0


@dataclass(eq=False)
class _Piece:
    """Tasks that go to a worker together."""

    first: int
    tasks: list[tuple[list[int], int, int]]
    done: bool = False
    copies: int = 0


@dataclass
class _Round:
    key: int
    held: list[Any]
    waiting: deque[_Piece]
    games: list[bytes | None] = field(default_factory=list)


class Cluster:
    """Workers that play the games of a training, each an actor of Ray.

    workers
        How many; ``None`` for as many as the cluster has processors for, asked before every round: nodes that join are used.
    threads
        Threads, and processors, of each.
    later
        Nets of later speeds, as bytes.
    tasks
        Games that a worker is given at once.
    patience
        Seconds without any game after which ``TimeoutError`` is raised, and after which a worker that answers nothing is
        given up.

    A worker that dies is replaced, and what it had is played by others. Towards the end of a round, idle workers play what
    others still have: of two answers, which are the same, the first counts. What comes of a round depends on neither.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        threads: int = 1,
        later: Sequence[bytes] = (),
        tasks: int = 4,
        patience: float = 600.0,
    ) -> None:
        for name, value in (("workers", 1 if workers is None else workers), ("threads", threads), ("tasks", tasks)):
            if value < 1:
                raise ValueError(f"{name}: expected 1 or more, found {value}")
        self.wanted: int | None = workers
        self.threads: int = threads
        self.size: int = tasks
        self.patience: float = patience
        self.later: Any = ray.put(list(later))
        self.members: list[_Member] = []
        #: Workers that died, or were given up.
        self.lost: int = 0
        self._work = ray.remote(num_cpus=threads, max_restarts=0, max_concurrency=1)(_Worker)
        #: What is being played: by whom, which piece of which round, since when.
        self._flying: dict[Any, tuple[_Member, _Piece, int, float]] = {}
        self._rounds = 0

    def processes(self) -> list[int]:
        """Processes of the workers that have begun, on whichever machine."""
        return [member.process for member in self.members if member.process is not None]

    def play(self, learner: Learner, told: Told | None = None) -> list[bytes]:
        """The games of ``learner.tasks()`` in their order, as ``learner.learn`` takes them.

        Raises ``TimeoutError`` if no game comes for ``patience`` seconds, ``RuntimeError`` if workers die one after the other.
        """
        tasks = learner.tasks()
        self._rounds += 1
        pieces = deque(_Piece(at, tasks[at : at + self.size]) for at in range(0, len(tasks), self.size))
        held = [ray.put(learner.assignment()), self.later]
        now = _Round(self._rounds, held, deque(pieces), [None] * len(tasks))
        missing, in_a_row, heard = len(tasks), 0, time.monotonic()
        told_at = heard + _QUIET
        while missing:
            self._engage()
            self._give(now, pieces)
            asked = [member.ready for member in self.members if member.process is None] + list(self._flying)
            done, _ = ray.wait(asked, num_returns=1, timeout=0.5)
            for ref in done:
                try:
                    answer = ray.get(ref)
                except _GONE as error:
                    in_a_row += 1
                    if in_a_row > 10 + 3 * len(self.members):
                        raise RuntimeError(f"{in_a_row} workers died one after the other: {error}") from error
                    self._lose(ref, now)
                    continue
                if ref not in self._flying:
                    for member in self.members:
                        if member.ready == ref:
                            member.process = answer
                    continue
                member, piece, key, _ = self._flying.pop(ref)
                member.load -= 1
                heard, in_a_row = time.monotonic(), 0
                if key == now.key and not piece.done:
                    piece.done = True
                    now.games[piece.first : piece.first + len(answer)] = answer
                    missing -= len(answer)
                    if told:
                        told(len(tasks) - missing, len(tasks))
            if not self.processes() and time.monotonic() > told_at:
                told_at = float("inf")
                _log.warning(self._waits_for())
            for ref, (*_, since) in list(self._flying.items()):
                if time.monotonic() - since > self.patience and ref in self._flying:
                    self._lose(ref, now)
            if time.monotonic() - heard > self.patience:
                raise TimeoutError(
                    f"expected a game within {self.patience:.0f} s, found none from {len(self.processes())} workers "
                    f"that run of {len(self.members)}: does the cluster have {self.threads} free processors for one?"
                )
        return [game for game in now.games if game is not None]

    def _waits_for(self) -> str:
        """What keeps the workers from beginning."""
        free = ray.available_resources().get("CPU", 0)
        return (
            f"waits for a free processor: {len(self.members)} workers take {self.threads} each, and of the cluster's "
            f"{ray.cluster_resources().get('CPU', 0):g} processors {free:g} are free; gives up after {self.patience:.0f} s"
        )

    def close(self) -> None:
        """Ends the workers."""
        for member in self.members:
            ray.kill(member.handle)
        self.members.clear()
        self._flying.clear()

    def _engage(self) -> None:
        """Begins workers until there are as many as are wanted."""
        wanted = self.wanted
        if wanted is None:
            wanted = max(1, int(ray.cluster_resources().get("CPU", 1)) // self.threads)
        while len(self.members) < wanted:
            handle = self._work.remote(self.threads)
            self.members.append(_Member(handle, handle.ready.remote()))

    def _give(self, now: _Round, pieces: Sequence[_Piece]) -> None:
        """Gives work to workers that have begun: what nobody has, then what one other has and is not back."""
        for depth in range(_DEPTH):
            for member in self.members:
                if member.process is None or member.load != depth:
                    continue
                if now.waiting:
                    piece = now.waiting.popleft()
                elif depth == 0:
                    having = {id(piece) for other, piece, *_ in self._flying.values() if other is member}
                    shared = (p for p in pieces if not p.done and p.copies == 1 and id(p) not in having)
                    piece = next(shared, None)
                    if piece is None:
                        continue
                else:
                    continue
                piece.copies += 1
                member.load += 1
                ref = member.handle.play.remote(now.key, now.held, piece.tasks)
                self._flying[ref] = (member, piece, now.key, time.monotonic())

    def _lose(self, ref: Any, now: _Round) -> None:
        """Gives up the worker of an answer that never comes; what it had is played by others."""
        gone = self._flying[ref][0] if ref in self._flying else None
        for member in self.members:
            if member.ready == ref:
                gone = member
        if gone is None:
            return
        self.lost += 1
        ray.kill(gone.handle)
        self.members = [member for member in self.members if member is not gone]
        for flying, (member, piece, key, _) in list(self._flying.items()):
            if member is gone:
                del self._flying[flying]
                piece.copies -= 1
                if key == now.key and not piece.done and piece.copies == 0:
                    now.waiting.appendleft(piece)


def environment(settings: Any) -> Tetris | TetrisVector:
    """A ``TetrisVector`` from what RLlib gives: its ``env_config`` are settings of the vector, and ``num_envs`` says how many.

    Without ``num_envs`` it is one game, a ``Tetris``. ``copy=False`` is refused: RLlib keeps the observations of an episode.
    """
    from .gym import Tetris, TetrisVector

    settings = dict(settings)
    # RLlib knows no masks.
    settings.setdefault("illegal", "next")
    if not settings.setdefault("copy", True):
        raise ValueError("copy: expected True, found False: RLlib keeps the observations of an episode")
    if "num_envs" in settings:
        return TetrisVector(int(settings.pop("num_envs")), **settings)
    settings.pop("copy")
    return Tetris(**settings)


def register(name: str = "maxout-tetris") -> str:
    """Registers ``environment`` with RLlib, and answers the name for ``config.environment(name, env_config=...)``."""
    from ray.tune.registry import register_env

    register_env(name, environment)
    return name


class _Probe:
    """Takes the place of an env runner, to see whether one can start."""

    def ready(self) -> int:
        return os.getpid()


def build(config: Any, patience: float = 600.0) -> Any:
    """The algorithm of one of RLlib's configurations, whose env runners can start: RLlib itself waits for ever for those that cannot.

    Raises ``ValueError`` if the cluster has too few processors for them, ``TimeoutError`` if their processes have not begun within
    ``patience`` seconds. ``num_env_runners=0`` samples in this process and needs neither.
    """
    if not ray.is_initialized():
        connect()
    runners, each = int(config.num_env_runners or 0), config.num_cpus_per_env_runner
    processors = ray.cluster_resources().get("CPU", 0)
    if runners * each > processors:
        raise ValueError(
            f"num_env_runners: expected {int(processors // each)} at most, found {runners}: each takes {each} processors, and the "
            f"cluster has {processors:g}; 0 samples in this process"
        )
    probes = [ray.remote(_Probe).options(num_cpus=each).remote() for _ in range(runners)]
    try:
        ray.get([probe.ready.remote() for probe in probes], timeout=patience)
    except exceptions.GetTimeoutError as error:
        raise TimeoutError(
            f"expected {runners} processes for env runners within {patience:.0f} s, but not all have begun: is the machine busy, or do "
            f"others hold its {processors:g} processors? num_env_runners=0 samples in this process"
        ) from error
    finally:
        for probe in probes:
            ray.kill(probe)
    return config.build_algo()
