"""Executors: other processes that make the units of a run."""

from __future__ import annotations

import importlib
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tengen import _tengen

if TYPE_CHECKING:
    from tengen._tengen import Answers


@runtime_checkable
class Submits(Protocol):
    """Anything that runs a function elsewhere: a `concurrent.futures.Executor`, any object with its
    methods, or a Dask ``Client``."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Begin to call ``fn(*args)``, and return its future."""


def make_block(block: bytes) -> bytes:
    """Make a block of a run in this process, which is a worker, and return the answer."""
    return _tengen.make_block(block)


class Executor:
    """Other processes that make the units of a run (its games, or the positions of a convergence),
    a block of units at a time. The rows equal those made by one process, whatever the executor and
    the number of its processes, and even if processes die. Bots with a clock and bots that are
    other programs are the exceptions.

    Args:
        executor: "processes:N" for N processes on this machine; "dask://HOST:PORT" for the workers
            of a Dask scheduler; "mpi" for the ranks of ``mpirun -n N python -m mpi4py.futures``;
            "slurm:N" for N jobs of Slurm by dask-jobqueue with its section ``slurm``, or
            "slurm:SECTION:N". Or a ``concurrent.futures.Executor``, or a Dask ``Client``.
        block: most units of a block. By default a block is a pair of games at first, and then as
            many as take about a minute, fewer near the end.
        in_flight: most blocks that are submitted at once; by default 1.25 times those that the
            processes make at once (on Dask: all threads).
        audit: share of the blocks, 0 to 1, that a second process makes again. Where the rows
            differ, this process makes the block itself, names each process with wrong rows, has
            all units of that process made again, and takes no more from it. With several hosts
            this holds for the whole host, except that of this process.
        patience: seconds before a block that nobody has answered is submitted again; the run stops
            when the sixth submission is not answered either. By default ten times the longest
            block, and ten minutes at least.
        mixed_hosts: whether bots with a clock may play on unlike processors. On each host the
            seconds are multiplied by the time that it takes for a fixed search, divided by that of
            this host.
        setup: a module that this process and the worker processes import first, such as one that
            registers a bot; only with "processes:N". Others have ways of their own, as
            ``initializer`` of ``ProcessPoolExecutor``.

    Raises `ValueError` for a text that names no executor, and `ImportError` where a package is
    missing.
    """

    def __init__(
        self,
        executor: str | Submits,
        *,
        block: int | None = None,
        in_flight: int | None = None,
        audit: float = 0.0,
        patience: float | None = None,
        mixed_hosts: bool = False,
        setup: str | None = None,
    ) -> None:
        self.block, self.in_flight, self.audit = block, in_flight, audit
        self.patience, self.mixed_hosts = patience, mixed_hosts
        if setup is not None and not str(executor).startswith("processes:"):
            raise ValueError(
                "setup needs the executor processes:N: other workers import a module by means of "
                "their own, such as dask worker --preload, or initializer of ProcessPoolExecutor"
            )
        if not isinstance(executor, str) and not isinstance(executor, Submits):
            kind = type(executor).__name__
            raise TypeError(
                f"executor: {kind} has no method submit: expected a text or an Executor"
            )
        if isinstance(executor, str):
            _parts(executor)
        if setup is not None:
            _import(setup)
        self._given, self._setup = executor, setup
        self._carrier: _Carrier | None = None
        self._answers: Answers | None = None
        self._out: dict[int, Any] = {}

    def __repr__(self) -> str:
        return f"<tengen.Executor {self._given}>"

    def _open(self) -> None:
        if self._carrier is not None:
            raise ValueError("executor: it makes another run: give each run an Executor of its own")
        self._carrier = _carrier(self._given, self._setup)

    def _close(self) -> None:
        for ticket in list(self._out):
            self._cancel(ticket)
        self._answers = None
        if self._carrier is not None:
            self._carrier.close()
        self._carrier = None

    # The coordinator calls the methods below, on the thread that called the run.

    def _begin(self, answers: Answers) -> None:
        self._answers = answers

    def _submit(self, ticket: int, block: bytes, first: Process | None) -> None:
        answers = self._answers
        if self._carrier is None or answers is None:
            return
        try:
            future = self._carrier.submit(block, first)
        except Exception as error:
            answers.put(ticket, None, _said(error))
            return
        if not hasattr(future, "add_done_callback"):
            kind = type(future).__name__
            answers.put(ticket, None, f"submit returned {kind} in place of a future")
            return
        self._out[ticket] = future

        def done(future: Any) -> None:
            # Any thread may run this callback: an exception here would be lost.
            if self._out.pop(ticket, None) is None:
                return
            try:
                answer = future.result()
            except BaseException as error:
                answers.put(ticket, None, _said(error))
                return
            if isinstance(answer, bytes):
                answers.put(ticket, answer)
            else:
                answers.put(ticket, None, f"it answered {type(answer).__name__} and not bytes")

        future.add_done_callback(done)

    def _cancel(self, ticket: int) -> None:
        future = self._out.pop(ticket, None)
        if future is not None:
            future.cancel()

    def _processes(self) -> int:
        return self._carrier.processes() if self._carrier is not None else 1


AnyExecutor = str | Submits | Executor
"""What `executor=` takes: see :class:`tengen.Executor`."""


@contextmanager
def opened(executor: AnyExecutor | None) -> Iterator[Executor | None]:
    """`executor`, opened for a run."""
    if executor is None:
        yield None
        return
    own = executor if isinstance(executor, Executor) else Executor(executor)
    own._open()
    try:
        yield own
    finally:
        own._close()


def _import(name: str) -> None:
    """Import the module `name`, as worker processes will, to report a failure now."""
    try:
        importlib.import_module(name)
    except Exception as error:
        hint = f": give its name, {name[:-3]}" if name.endswith(".py") else ""
        raise ImportError(f"setup: {name} cannot be imported ({_said(error)}){hint}") from error


def _said(error: BaseException) -> str:
    """The type of `error` and the first line of its message."""
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}" if lines[0] else type(error).__name__


Process = tuple[str, str]
"""A worker process: its host, and its process ID with the start of its first block."""


class _Carrier(Protocol):
    """Carries blocks to processes."""

    def submit(self, block: bytes, first: Process | None) -> Any:
        """Submit `block` and return the future of its answer; avoid the process `first` if
        possible."""
        ...

    def processes(self) -> int:
        """Number of blocks that are made at once."""
        ...

    def close(self) -> None:
        """Stop whatever this carrier has started."""
        ...


FORMS = '"processes:N" with N from 1, "dask://HOST:PORT", "mpi", "slurm:N" or "slurm:SECTION:N"'


def _parts(text: str) -> tuple[str, str, int]:
    """The kind, the address or section and the number of an executor's `text`."""
    kind, _, rest = text.partition(":")
    section, _, number = rest.rpartition(":")
    if kind == "dask" and re.fullmatch(r"//.+:\d+", rest):
        return kind, f"tcp:{rest}", 0
    if kind == "mpi" and not rest:
        return kind, "", 0
    if kind in ("processes", "slurm") and number.isdecimal() and 1 <= int(number) <= 10_000:
        if kind == "slurm" or not section:
            return kind, section, int(number)
    raise ValueError(f"executor: {text!r} names none: expected {FORMS}")


def _carrier(given: str | Submits, setup: str | None) -> _Carrier:
    if not isinstance(given, str):
        return _of_object(given)
    kind, place, number = _parts(given)
    if kind == "processes":
        return _Processes(number, setup)
    if kind == "mpi":
        world = _needed("mpi4py.MPI", "mpi4py").COMM_WORLD
        # `mpi4py.futures` runs the script on rank 0 alone.
        if world.Get_size() < 2 or world.Get_rank() > 0:
            raise ValueError(
                "executor: mpi needs ranks: mpirun -n N python -m mpi4py.futures, and then "
                "SCRIPT.py or -m tengen.run ..."
            )
        pool = _needed("mpi4py.futures", "mpi4py").MPIPoolExecutor()
        return _Futures(pool, closes=[pool.shutdown])
    distributed = _needed("distributed", "distributed")
    if kind == "dask":
        try:
            client = distributed.Client(place, timeout=DASK_TIMEOUT)
        except OSError as error:
            raise OSError(
                f"executor: no scheduler of Dask answers at {place}: start one by `dask scheduler` "
                f"({_said(error)})"
            ) from None
        return _Dask(client, closes=[client.close])
    jobqueue = _needed("dask_jobqueue", "dask-jobqueue")
    try:
        subprocess.run(["sinfo", "--noheader"], check=True, capture_output=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        raise OSError(f"executor: Slurm does not answer: {_said(error)}") from None
    try:
        cluster = jobqueue.SLURMCluster(**({"config_name": place} if place else {}))
    except KeyError as error:
        raise ValueError(f"executor: Dask's configuration has no section {error}") from None
    cluster.scale(jobs=number)
    try:
        client = distributed.Client(cluster)
    except BaseException:
        cluster.close()
        raise
    return _Dask(client, closes=[client.close, cluster.close])


DASK_TIMEOUT = 15
"""Seconds within which a Dask scheduler must accept the connection."""


def _needed(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        said = f"{module} cannot be imported ({error}): pip install {package}"
        raise ImportError(said) from error


def _of_object(given: Submits) -> _Carrier:
    client = getattr(given, "_client", given)
    if hasattr(client, "nthreads") and hasattr(client, "scheduler_info"):
        return _Dask(client)
    return _Futures(given)


class _Futures:
    """Any `concurrent.futures.Executor`."""

    def __init__(self, pool: Submits, closes: list[Callable[[], object]] | None = None) -> None:
        self._pool, self._closes = pool, closes or []
        self._broken = ""

    def submit(self, block: bytes, first: Process | None) -> Any:
        try:
            return self._pool.submit(make_block, block)
        except futures.BrokenExecutor as error:
            self._broken = _said(error)
            raise

    def processes(self) -> int:
        if self._broken:
            raise _tengen.RunError(
                f"executor: it takes no more work ({self._broken}): make another"
            )
        for name in ("_max_workers", "num_workers", "max_workers"):
            number = getattr(self._pool, name, None)
            if isinstance(number, int) and number > 0:
                return number
        return os.cpu_count() or 1

    def close(self) -> None:
        for close in self._closes:
            close()


BUNDLE_SECONDS = 0.1
"""Target duration of a Dask task, in seconds. Every task costs Dask milliseconds: quick blocks
share a task."""


def make_blocks(blocks: Sequence[bytes]) -> tuple[list[bytes], float]:
    """Make blocks in this process; return the answers, and the seconds that they took."""
    begun = time.perf_counter()
    answers = [make_block(block) for block in blocks]
    return answers, time.perf_counter() - begun


def _this() -> tuple[str, int]:
    """The host and the number of this process."""
    return socket.gethostname(), os.getpid()


def _settle(future: futures.Future[bytes], answer: bytes | BaseException) -> None:
    """Give `future` its answer, unless it is cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)


class _Dask:
    """All present workers of a Dask cluster, with at most two tasks per thread: one that runs, and
    the next."""

    def __init__(self, client: Any, closes: list[Callable[[], object]] | None = None) -> None:
        self._client, self._closes = client, closes or []
        self._addresses: dict[str, tuple[str, int]] = {}
        # An audit makes a block again: Dask must not answer it by the first result.
        self._pool = client.get_executor(pure=False)
        self._threads = 1
        self._waiting: deque[tuple[bytes, futures.Future[bytes]]] = deque()
        self._tasks: set[Any] = set()
        self._seconds_per_block = BUNDLE_SECONDS
        self._lock = threading.RLock()

    def submit(self, block: bytes, first: Process | None) -> futures.Future[bytes]:
        future: futures.Future[bytes] = futures.Future()
        others = self._others(first) if first is not None else []
        with self._lock:
            if others:
                # An address may be gone by now: then any other worker serves.
                self._begin([(block, future)], workers=others, allow_other_workers=True)
            else:
                self._waiting.append((block, future))
                self._send()
        return future

    def _others(self, first: Process) -> list[str]:
        """The addresses of workers other than `first`; none if that is the only one."""
        host, process = first
        if len(self._addresses) < 2:
            self._addresses = self._client.run(_this)
        own = (host, int(process.split("-")[0]))
        return [address for address, other in self._addresses.items() if other != own]

    def processes(self) -> int:
        if self._client.status == "closed":
            raise _tengen.RunError("executor: the scheduler of Dask has ended: start it again")
        try:
            threads = sum(int(threads) for threads in self._client.nthreads().values())
        except Exception:
            # The scheduler does not answer now.
            threads = 0
        with self._lock:
            if threads != self._threads:
                self._addresses = {}
            self._threads = threads
            self._send()
        return threads

    def close(self) -> None:
        with self._lock:
            self._waiting.clear()
            tasks = list(self._tasks)
        for task in tasks if self._client.status != "closed" else []:
            task.cancel()
        for close in self._closes:
            close()

    def _send(self) -> None:
        """Submits waiting blocks until there are two tasks per worker thread."""
        most = 2 * max(self._threads, 1)
        while self._waiting and len(self._tasks) < most:
            in_time = int(BUNDLE_SECONDS / max(self._seconds_per_block, 1e-9))
            size = max(1, min(in_time, len(self._waiting) // most))
            bundle = [self._waiting.popleft() for _ in range(size)]
            bundle = [own for own in bundle if not own[1].cancelled()]
            if bundle:
                self._begin(bundle)

    def _begin(self, bundle: list[tuple[bytes, futures.Future[bytes]]], **where: Any) -> None:
        try:
            task = self._pool.submit(make_blocks, [block for block, _ in bundle], **where)
        except Exception as error:
            for _, future in bundle:
                _settle(future, error)
            return
        self._tasks.add(task)

        def done(task: Any) -> None:
            try:
                answers, seconds = task.result()
            except BaseException as error:
                answers = [error] * len(bundle)
            else:
                self._seconds_per_block = seconds / len(bundle)
            with self._lock:
                self._tasks.discard(task)
                self._send()
            for (_, future), answer in zip(bundle, answers, strict=True):
                _settle(future, answer)

        def ended(_: futures.Future[bytes]) -> None:
            is_over = all(future.cancelled() for _, future in bundle)
            if is_over and self._client.status != "closed":
                task.cancel()

        task.add_done_callback(done)
        for _, future in bundle:
            future.add_done_callback(ended)


class _Processes:
    """Worker processes on this machine. One that dies is replaced, and loses only its block; the
    end of a run kills all of them."""

    def __init__(self, number: int, setup: str | None) -> None:
        self._number, self._setup = number, setup
        self._is_closed = False
        self._queue: deque[tuple[bytes, futures.Future[bytes]]] = deque()
        self._wake = threading.Condition()
        self._running: set[subprocess.Popen[bytes]] = set()
        for _ in range(number):
            threading.Thread(target=self._serve, daemon=True).start()

    def submit(self, block: bytes, first: Process | None) -> futures.Future[bytes]:
        future: futures.Future[bytes] = futures.Future()
        with self._wake:
            self._queue.append((block, future))
            self._wake.notify()
        return future

    def processes(self) -> int:
        return self._number

    def close(self) -> None:
        with self._wake:
            self._is_closed = True
            self._queue.clear()
            running = list(self._running)
            self._wake.notify_all()
        for process in running:
            process.kill()

    def _serve(self) -> None:
        """Hands blocks to one process, and replaces this process when it dies."""
        process: subprocess.Popen[bytes] | None = None
        while True:
            with self._wake:
                while not self._queue and not self._is_closed:
                    self._wake.wait()
                if self._is_closed:
                    break
                block, future = self._queue.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None:
                    process = self._begin()
            except OSError as error:
                future.set_exception(error)
                continue
            try:
                future.set_result(_answer(process, block))
            except Exception:
                died = f"a worker process died ({_ended(_code(process))})"
                with self._wake:
                    self._running.discard(process)
                process = None
                future.set_exception(futures.BrokenExecutor(died))
        if process is not None:
            process.kill()
            process.wait()

    def _begin(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "tengen._worker", *([self._setup] if self._setup else [])]
        # Workers find all modules that this process finds, such as modules beside its script.
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        # In a session of its own, a worker gets no Ctrl-C of the terminal.
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        with self._wake:
            self._running.add(process)
            if self._is_closed:
                process.kill()
        return process


def _code(process: subprocess.Popen[bytes]) -> int:
    """The exit code of `process`, which no longer answers."""
    try:
        return process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


SIZE = struct.Struct("<Q")
"""The length in bytes that precedes each block and each answer."""


def _answer(process: subprocess.Popen[bytes], block: bytes) -> bytes:
    """Send `block` to `process` and return its answer; `EOFError` if the process ends first."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(SIZE.pack(len(block)) + block)
    process.stdin.flush()
    size = process.stdout.read(SIZE.size)
    if len(size) < SIZE.size:
        raise EOFError
    (length,) = SIZE.unpack(size)
    answer = process.stdout.read(length)
    if len(answer) < length:
        raise EOFError
    return answer
