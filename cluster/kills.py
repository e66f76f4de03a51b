"""Kills processes of runs at random, and checks that every run ends with the rows of one thread.

    python cluster/kills.py KILLS EXECUTOR [SEED]

KILLS is the number of kills. EXECUTOR is one of

    processes:N   N worker processes
    dask:N        a scheduler and N workers, which this script starts; their nannies are killed too
    pool:N        a ProcessPoolExecutor; the death of a worker ends the run
    mpi:N         mpirun -n N; the death of a rank ends the run

Coordinators are killed or interrupted as well, and a run that ended early is resumed. Runs are a
tournament, a sequential test and a tuning, in turn. The exit code is 1 if a run is not right.
"""

import csv, os, random, shutil, signal, subprocess, sys, tempfile, time
from collections import Counter
from pathlib import Path

HERE, PORT = str(Path(__file__).resolve()), 18786
KINDS = ("tournament", "test", "tuning")
TIMES = ("black_seconds", "white_seconds", "black_cpu_seconds", "white_cpu_seconds", "check")
PATIENCE = 300  # seconds for a run without a kill


def make(kind, folder, **how):
    """Make the run in `folder`, or resume it."""
    import tengen

    how["progress"] = False
    if (folder / "config.toml").exists():
        return (tengen.tune if kind == "tuning" else tengen.tournament)(resume=folder, **how)
    shutil.rmtree(folder, ignore_errors=True)
    how |= {"size": 5, "seed": 7, "out": folder}
    if kind == "tuning":
        how |= {"param": {"exploration": "0.05..2:log"}, "games": 600, "validation": 20}
        return tengen.tune(bot="uct:simulations=100", **how)
    how |= {"pairs": 600} if kind == "tournament" else {"sprt": "elo0=0 elo1=12"}
    return tengen.tournament(bot={"a": "uct:simulations=100", "b": "uct:simulations=90"}, **how)


def coordinate(kind, folder, name, number):
    """Make the run by an executor, in a process of its own."""
    if name == "pool":
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(number) as pool:
            return make(kind, folder, executor=pool)
    texts = {"dask": f"dask://127.0.0.1:{PORT}", "mpi": "mpi"}
    return make(kind, folder, executor=texts.get(name, f"{name}:{number}"))


def rows(folder):
    """The rows of a run and of a tuning's validation, without times."""
    files = [folder / "games.csv", folder / "validation" / "games.csv"]
    lines = [line for file in files if file.exists() for line in csv.DictReader(file.open())]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in lines]


def below(root, word):
    """All descendants of the process `root` with `word` in their command."""
    children, commands = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            commands[int(entry.name)] = (entry / "cmdline").read_text()
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(entry.name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return [process for process in found[1:] if word in commands[process]]


def main(kills, executor, seed):
    draw, (name, number) = random.Random(seed), executor.split(":")
    scratch = Path(tempfile.mkdtemp(prefix="tengen-kills-"))
    log = (scratch / "log").open("w")

    def begin(*words):
        words = list(map(str, words))
        return subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True)

    at = ("--host", "127.0.0.1", "--no-dashboard")
    worker = (sys.executable, "-m", "dask", "worker", f"tcp://127.0.0.1:{PORT}", "--nthreads", 1, *at)
    mpirun = ["mpirun", "--oversubscribe", *["--allow-run-as-root"] * (os.getuid() == 0), "-n", number]
    ranks = [*mpirun, sys.executable, "-m", "mpi4py.futures"]
    words = [*(ranks if name == "mpi" else [sys.executable]), HERE, "--run"]
    servers, nannies = [], []
    if name == "dask":
        servers = [begin(sys.executable, "-m", "dask", "scheduler", "--port", PORT, *at)]
        nannies = [begin(*worker) for _ in range(int(number))]
    for kind in KINDS:
        make(kind, scratch / f"{kind}-one", threads=1)
    killed, runs, resumed, bad = Counter(), 0, 0, 0
    while killed.total() < kills:
        kind = KINDS[runs % len(KINDS)]
        folder = scratch / f"{kind}-{runs}"
        while True:
            run, began, before = begin(*words, kind, folder, name, number), time.monotonic(), 0
            while run.poll() is None and time.monotonic() < began + PATIENCE:
                time.sleep(draw.uniform(0.2, 2.0))
                # A nanny ends if its worker dies while starting.
                nannies = [own if own.poll() is None else begin(*worker) for own in nannies]
                # Most kills wait for a new row, so that the run makes progress.
                size = sum(file.stat().st_size for file in folder.rglob("games.csv"))
                before = before or size
                if killed.total() >= kills or (size == before and draw.random() < 0.9):
                    continue
                before, luck = size, draw.random()
                workers = below(run.pid, {"processes": "_worker", "mpi": "--run"}.get(name, ""))
                workers += [one for nanny in nannies for one in below(nanny.pid, "spawn_main")]
                if luck < 0.15 or not workers:
                    what, victim = draw.choice([("coordinator", run.pid), ("Ctrl-C", run.pid)])
                elif luck < 0.3 and nannies:
                    what, victim = "nanny", draw.choice(nannies).pid
                else:
                    what, victim = "worker", draw.choice(workers)
                try:
                    os.kill(victim, signal.SIGINT if what == "Ctrl-C" else signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed[what], began = killed[what] + 1, time.monotonic()
            if run.poll() is None:
                print(f"{kind}: no end within {PATIENCE} s of the last kill", flush=True)
                bad += 1
                run.kill()
            if run.wait() == 0:
                break
            resumed += 1
            # Workers outlive a pool whose process was killed, and hold the folder.
            for left in below(1, str(folder)) if name == "pool" else []:
                os.kill(left, signal.SIGKILL)
        runs += 1
        is_right = rows(folder) == rows(scratch / f"{kind}-one")
        bad += not is_right
        print(f"{kind}: {len(rows(folder))} rows, right: {is_right}; kills {dict(killed)}", flush=True)
    for process in servers + nannies:
        process.terminate()
    print(f"{killed.total()} kills, {runs} runs, {resumed} resumed, {bad} bad: {scratch}")
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        coordinate(sys.argv[2], Path(sys.argv[3]), sys.argv[4], int(sys.argv[5]))
    else:
        sys.exit(main(int(sys.argv[1]), sys.argv[2], int((sys.argv[3:] or ["1"])[0])))
