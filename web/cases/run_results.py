"""The result of a run, what is wrong with one, and runs of every kind."""

import csv
import io
import shutil
import signal
import subprocess
from pathlib import Path

from cases.accessible import assert_accessible
from cases.runs import COUNT, ROWS, await_rows, choose, file_rows, open_run
from player import text
from webdriver import LIMIT

RESULTS = Path(__file__).resolve().parents[2] / "results"


def copied(page, name, change, *, comes_from="finished"):
    """A copy of a finished run, after `change` has changed the texts of some files."""
    source, folder = page.runs / comes_from, page.runs / name
    folder.mkdir()
    for path in source.iterdir():
        if path.is_file():
            text = path.read_text()
            (folder / path.name).write_text(change.get(path.name, lambda same: same)(text))
    return folder


def without_moves(text):
    """The games of a run that keeps no moves, as published ones are."""
    rows = list(csv.DictReader(io.StringIO(text)))
    names = [name for name in rows[0] if name != "check"]
    out = io.StringIO()
    writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "moves": ""} for row in rows)
    return out.getvalue()


def list_rows(browser):
    return browser.js("""return [...document.querySelectorAll(".runs tbody tr")]
        .map((row) => [...row.cells].map((cell) => cell.textContent))""")


def open_list(page, count):
    page.browser.go("about:blank")
    page.browser.go(page.url + "#/runs")
    page.browser.until(f"return document.querySelectorAll('.runs tbody tr').length >= {count}")


def test_games_without_moves_have_no_links(page):
    browser = page.browser
    copied(page, "without-moves", {"games.csv": without_moves})
    open_run(page, "without-moves")
    browser.until(f"{ROWS} === 6")
    browser.until("return document.querySelector('.games > .note').textContent")
    note = browser.js("return [...document.querySelectorAll('.games > .note:not([hidden])')]"
                      ".map((note) => note.textContent)")
    command = f"tengen tournament --config {page.runs.name}/without-moves/config.toml"
    assert len(note) == 1 and "keeps no moves" in note[0] and command in note[0], note
    assert browser.js("return document.querySelectorAll('.games tbody a, .minis a').length") == 0
    assert not browser.js("return document.querySelector('.card').hidden")
    # The command is accepted.
    config = page.runs / "without-moves" / "config.toml"
    again = subprocess.run([page.tengen, "tournament", "--config", config, "--out",
                            page.runs / "again"], capture_output=True, text=True, timeout=LIMIT)
    assert again.returncode == 0, again.stderr
    open_run(page, "again")
    browser.until("return document.querySelectorAll('.games tbody a').length === 6")


def test_a_broken_run_says_what_is_wrong(page):
    browser = page.browser
    copied(page, "later", {"manifest.toml": lambda text: text.replace("schema = 2", "schema = 99")})
    copied(page, "spoiled", {"config.toml": lambda text: text.replace("size =", "size")})
    copied(page, "changed", {"games.csv": lambda text: text.replace("two-ply", "three-ply", 1)})
    wanted = {"later": "schema 99", "spoiled": "config.toml, line", "changed": "games.csv, line 2"}
    open_list(page, 5)
    for name, said in wanted.items():
        found = browser.until("""const row = [...document.querySelectorAll(".runs tbody tr")]
                .find((row) => row.querySelector("a").textContent === arguments[0]);
            return row?.classList.contains("broken") && row.querySelector(".fault")?.textContent""",
                              name, what=f"{name} is broken")
        assert said in found, (name, found)
    for name, said in wanted.items():
        open_run(page, name)
        found = browser.until("return document.querySelector('.faults li')?.offsetParent"
                              " && document.querySelector('.faults li').textContent")
        assert said in found, (name, found)
        assert text(browser, ".badge") == "broken"
    # The page shows all readable files.
    open_run(page, "later")
    browser.until(f"{ROWS} === 6")
    browser.until("return document.querySelectorAll('section[aria-label=Ratings] tbody tr').length")


def test_a_wrong_filter_says_what_is_expected(page):
    browser = page.browser
    open_run(page, "finished", "&least=x")
    browser.until("return document.querySelector('.games .fault').textContent"
                  " === 'least=x: expected a whole number from 0'")
    assert browser.js(ROWS) == 0
    choose(browser, "From plies", "1")
    browser.until(f"{ROWS} === 6")
    assert text(browser, ".games .fault") == ""
    # Beyond the last game: the last ones.
    browser.js("location.hash += '&offset=2000'")
    browser.until(f"{ROWS} === 6")
    assert text(browser, ".games .place") == "1–6 of 6 games"


def test_the_list_is_sorted_and_filtered(page):
    browser = page.browser
    for name in ("2001-02-03-old", "2002-02-03-study"):
        (page.runs / name).mkdir()
    study = "# study\n\nWhich is better?\n\nThe [first](x.md). Not the second.\n"
    (page.runs / "2002-02-03-study" / "README.md").write_text(study)
    for path in (page.runs / "finished").iterdir():
        if path.is_file() and path.name != "manifest.toml":
            (page.runs / "2001-02-03-old" / path.name).write_bytes(path.read_bytes())
    open_list(page, 4)
    # The page may have read the list before the two runs were there.
    links = "[...document.querySelectorAll('.runs tbody a')]"
    browser.until(f"return {links}.some(link => link.title === '2001-02-03-old')")
    rows = list_rows(browser)
    names = [row[0] for row in rows]
    states = [row[-1] for row in rows]
    assert states.count("playing") >= 1 and states == sorted(states, key=lambda one: one != "playing")
    assert "live" in names[:states.count("playing")], rows
    assert names[-2:] == ["study", "old"], names
    assert rows[-1][1] == "2001-02-03" and rows[-2][1:5] == ["2002-02-03", "study", "", "The first."]
    dates = [row[1] for row in rows if row[-1] != "playing"]
    assert dates == sorted(dates, reverse=True), dates
    finished = rows[names.index("finished")]
    assert finished[2:4] == ["tournament", "5x5"] and " wins " in finished[4], finished
    assert browser.js(f"return {links}.at(-1).title") == "2001-02-03-old"
    choose(browser, "Kind", "study")
    browser.until("return document.querySelectorAll('.runs tbody tr').length === 1")
    choose(browser, "Kind", "")
    choose(browser, "State", "playing")
    browser.until("return [...document.querySelectorAll('.runs tbody .badge')]"
                  ".every((badge) => badge.textContent === 'playing')")


def test_a_long_name_moves_no_column(page):
    browser = page.browser
    long = "x" * 200
    copied(page, "long-bot", {
        "config.toml": lambda text: text.replace('"two-ply"', f'"{long}"', 1),
        "games.csv": lambda text: without_moves(text).replace("two-ply", long),
        "summary.csv": lambda text: text.replace("two-ply", long),
    })
    for width, height in [(1280, 900), (390, 844)]:
        try:
            browser.size(width, height)
            open_run(page, "long-bot")
            browser.until(f"{ROWS} === 6")
            told = browser.js("""const table = document.querySelector(".games table");
                const scroll = table.closest(".scroll").getBoundingClientRect();
                const cells = [...table.querySelectorAll("tbody tr")[0].cells];
                return [document.documentElement.scrollWidth - innerWidth,
                    cells.every((cell) => cell.getBoundingClientRect().right <= scroll.right + 1)]""")
            # A vertical scroll bar makes the page narrower than the window.
            assert told[0] <= 0 and told[1], (width, told)
        finally:
            browser.size(1280, 900)
    title = browser.js("return [...document.querySelectorAll('.games tbody td')]"
                       ".find((cell) => cell.textContent.startsWith('xxx')).title")
    assert title == long


def test_a_run_says_its_result_first(page):
    browser = page.browser
    open_run(page, "finished")
    card = browser.until("""const card = document.querySelector(".card");
        const image = card?.querySelector(".result img");
        return image?.naturalWidth > 0 && [card.querySelector(".answer").textContent,
            image.alt, image.getBoundingClientRect().width,
            [...card.querySelectorAll("tbody tr")].map((row) => row.textContent)]""")
    answer, alt, width, bots = card
    rates = file_rows(page, "finished", "summary.csv")
    line = next(row for row in rates if row["kind"] == "pairing")
    assert line["bot"] in answer and "games" in answer, answer
    assert alt == "Plot: win rates" and width > 300, card
    assert [bot.split("kind=")[0] for bot in bots] == ["two-ply", "uct:simulations=50"], bots


def test_a_tuning_is_followed(page):
    browser, folder = page.browser, page.runs / "tuned"
    tuning = subprocess.Popen(
        [page.tengen, "tune", "--size", "5", "--threads", "1", "--games", "200", "--method",
         "sweep", "--steps", "5", "--validation", "10", "--bot",
         "uct:simulations=20,rave=none,prior=none", "--param", "exploration=0.1..1:log", "--out",
         folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_rows(folder, 20)
        tuning.send_signal(signal.SIGSTOP)
        open_run(page, "tuned")
        first = browser.until("""return document.querySelector(".result img")?.naturalWidth > 0
            && document.querySelector(".answer").textContent""")
        assert "exploration is" in first, first
        assert "playing" in browser.js(COUNT) and not (folder / "estimate.csv").exists()
        browser.until("return document.querySelector('.card .clock').textContent.includes('left')")
        tuning.send_signal(signal.SIGCONT)
        browser.until("return document.querySelector('.answer').textContent !== arguments[0]", first,
                      what="the estimate advances")
    finally:
        tuning.kill()
        tuning.wait()


def test_a_learning_run_is_followed(page):
    """A published run, with its folder as it was during the run."""
    browser, folder = page.browser, page.runs / "learned"
    published = RESULTS / "2026-11-25-learn-9x9"
    folder.mkdir()
    for name in ("config.toml", "prediction.csv"):
        (folder / name).write_bytes((published / name).read_bytes())
    manifest = (published / "manifest.toml").read_text().splitlines(keepends=True)
    over = ("finished", "seconds", "units = 5")
    session = next(at for at, line in enumerate(manifest) if line.startswith("[[session]]"))
    kept = [line for at, line in enumerate(manifest) if at < session or not line.startswith(over)]
    (folder / "manifest.toml").write_text("".join(kept))
    head, *rounds = (published / "rounds.csv").read_text().splitlines(keepends=True)
    (folder / "rounds.csv").write_text(head + "".join(rounds[:2]))
    open_run(page, "learned")
    browser.until("return document.querySelector('.result img')?.naturalWidth > 0")
    answer = text(browser, ".answer")
    assert "round 2:" in answer and "log loss" in answer and "round 3:" not in answer, answer
    assert "playing" in browser.js(COUNT) and "2 of 5 rounds" in browser.js(COUNT)
    plots = browser.js("return [...document.querySelectorAll('.result img')].map(({ alt }) => alt)")
    assert plots[0] == "Plot: rounds" and "Plot: loss" in plots, plots
    with open(folder / "rounds.csv", "a") as file:
        file.write(rounds[2])
    browser.until("return document.querySelector('.answer').textContent.includes('round 3:')")
    browser.until(f"{COUNT}.includes('3 of 5 rounds')")
    names = browser.js("return [...document.querySelectorAll('details summary')]"
                       ".map((one) => one.textContent)")
    assert "rounds.csv" in names and "prediction.csv" in names, names
    assert not browser.js("return document.querySelector('.games')")


def test_published_runs_of_every_kind(page):
    """A copy of one run of each kind says its answer, with a plot that nothing blocks."""
    browser = page.browser
    wanted = {
        "2026-11-22-convergence": ("convergence", "simulations are the fewest"),
        "2026-11-22-parallel-self-4-0.3-9x9": ("scaling", "parallel search of degree"),
        "2026-11-22-speed-3": ("speed", "simulations per second of CPU time"),
        "2026-11-22-playouts": ("playouts", "playouts per second of CPU time"),
        "2026-11-22-regret": ("synthetic", "loses least"),
        "2026-11-24-exchange-7x7": ("study", "0.677 Elo"),
    }
    for name in wanted:
        shutil.copytree(RESULTS / name, page.runs / name)
    for name, (kind, said) in wanted.items():
        open_run(page, name)
        browser.until("return document.querySelector('.result img')?.naturalWidth > 0", what=name)
        answer = text(browser, ".answer")
        assert said in answer, (name, answer)
        facts = text(browser, ".about p")
        assert facts.startswith(kind) and text(browser, ".badge") == "finished", (name, facts)
        assert not browser.js("return document.querySelector('.faults').offsetParent"), name
        browser.js("for (const box of document.querySelectorAll('.card details')) box.open = true;")
        try:
            assert_accessible(browser, name)
        finally:
            browser.dark(False)


def test_a_row_of_a_table_has_a_link(page):
    browser = page.browser
    open_run(page, "finished")
    link = browser.until("""const rows = [...document.querySelectorAll(".run details tbody tr")];
        return rows.find((row) => row.textContent.includes("pairing"))?.querySelector("a")?.hash""")
    browser.go("about:blank")
    browser.go(page.url + link)
    shown = browser.until("return document.querySelector('.linked')?.textContent")
    assert "pairing" in shown, shown
    assert browser.js("return document.querySelector('.linked').closest('details').open")
    browser.until("""const box = document.querySelector(".linked").getBoundingClientRect();
        return box.top > 0 && box.bottom < innerHeight""")
    assert "row=" in browser.js("return location.hash")


RUN_RESULTS = [
    test_a_row_of_a_table_has_a_link,
    test_games_without_moves_have_no_links,
    test_a_broken_run_says_what_is_wrong,
    test_a_wrong_filter_says_what_is_expected,
    test_the_list_is_sorted_and_filtered,
    test_a_long_name_moves_no_column,
    test_a_tuning_is_followed,
    test_a_learning_run_is_followed,
    test_published_runs_of_every_kind,
]

# With and without a server.
RUN_RESULTS_ANYWHERE = [
    test_a_run_says_its_result_first,
]
