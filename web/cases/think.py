"""What a person sees of searches: over time, compared, and of a whole game."""

import time

from cases.accessible import assert_accessible, axe
from cases.runs import await_rows, file_rows, open_run
from player import (
    address, backend, click, empty_points, open_panel, press_button, rested, show, text, turn,
)

LEFT, HOME, END = "\ue012", "\ue011", "\ue010"

# Black's A1 throws the game away, and White's C3 gives it back.
MOVES = ["A1", "C3", "B2", "A2"]
GAME = f"#/play?size=3x3&komi=2.5&rules=simple&white=person&moves={'.'.join(MOVES)}"
NAMED = "return [...document.querySelectorAll('button')].some((b) => b.textContent === arguments[0])"
THINK = """return import(arguments[0]).then(({ think }) =>
    think(arguments[1], () => {}, new AbortController().signal))"""


def choose(browser, selector, value):
    """Writes into a field and leaves it, as a person does."""
    browser.js("""const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event("change"))""", selector, str(value))


def percents(browser, selector):
    """The percentages of the cells of a table, by the first cell of their row."""
    rows = browser.js("""return [...document.querySelectorAll(arguments[0])].map((row) =>
        [...row.children].map((cell) => cell.textContent))""", selector)
    return {row[0]: [cell.split(" ")[0] for cell in row[1:]] for row in rows}


def search(page, bot, simulations, **game):
    """The result of a bot's search of so many simulations, requested beside the page."""
    question = {"game": game, "bot": bot, "purpose": "analysis", "seed": 1,
                "simulations": simulations}
    return page.browser.js(THINK, backend(page), question)


def test_a_search_over_time(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3")
    open_panel(browser, "Search over time")
    press_button(browser, "Analyse")
    count = ("return (document.querySelector('.over-time .course')?.getAttribute('d') ?? '')"
             ".split('L').length")
    browser.until(f"{count} > 4", what="a curve")
    press_button(browser, "Stop")
    rested(browser)
    assert browser.js("return document.querySelectorAll('.over-time .plot').length") == 2
    assert browser.js("return document.querySelectorAll('.over-time .tag').length") == 5
    shown = percents(browser, ".over-time tbody tr")
    assert len(shown) == 5, shown
    # The plot ends with the values of the table of the analysis.
    found = percents(browser, ".findings:not(.empty) tbody tr:not([hidden])")
    for move, (visits, rate) in shown.items():
        assert found[move][1] == rate, (move, found[move], rate)
    last = text(browser, ".over-time caption")
    assert last.startswith("At the end"), last
    # The arrow keys read earlier values, and do not move the cursor of the board.
    browser.js("document.querySelector('.over-time .plot').focus()")
    browser.press(HOME)
    first = text(browser, ".over-time caption")
    assert first.startswith("After "), first
    browser.press(END, LEFT)
    before_last = text(browser, ".over-time caption")
    number = lambda words: int(words.split(" simulations")[0].split(" ")[-1].replace(",", ""))  # noqa: E731
    assert number(first) < number(before_last) < number(last), (first, before_last, last)
    assert browser.js("return document.activeElement.classList.contains('plot')")
    assert browser.js("return document.activeElement.ariaValueText").startswith(
        f"{number(before_last):,} simulations")
    # The pointer reads earlier values too.
    browser.js("""const plot = document.querySelector(".over-time .plot");
        const box = plot.getBoundingClientRect();
        plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2,
            clientY: box.top + 20, bubbles: true }))""")
    assert browser.js("return document.querySelectorAll('.over-time .tip text').length") == 6
    # Another position begins another course.
    click(browser, "C2")
    browser.until("return document.querySelector('.over-time > div').hidden")


def test_two_searches_over_time(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3&b=uct:rave=none,prior=none")
    open_panel(browser, "Search over time")
    press_button(browser, "Analyse")
    browser.until("return document.querySelectorAll('.over-time .course.dashed').length > 5")
    press_button(browser, "Stop")
    assert browser.js("return document.querySelectorAll('.over-time thead th').length") == 5


def test_equal_simulations_are_compared(page):
    browser = page.browser
    other = "uct:rave=none,prior=none"
    show(page, f"#/play?white=person&moves=C3&b={other}")
    browser.until("return /rave none/.test(document.querySelectorAll('figcaption')[1].textContent)",
                  what="what differs stands above the board")
    settings = "return document.querySelectorAll('figcaption details tr').length"
    assert browser.js(settings) > 20, "all settings"
    choose(browser, ".comparison select", "simulations")
    choose(browser, ".comparison input", 1500)
    browser.until("return location.hash.includes('equal=simulations&budget=1500')")
    press_button(browser, "Analyse")
    # Both end by themselves, perhaps before anybody could press *Stop*.
    browser.until("return [...document.querySelectorAll('.figures')]"
                  ".every((one) => one.textContent.startsWith('1,500 simulations'))")
    browser.until(NAMED, "Analyse")
    figures = browser.js("return [...document.querySelectorAll('.figures')].map((one) => one.textContent)")
    assert all(one.startswith("1,500 simulations") for one in figures), figures
    # Separate searches find the same figures.
    game = {"size": "5x5", "rules": "tengen", "handicap": 0, "setup": "", "first": "black",
            "moves": "C3"}
    found = [search(page, bot, 1500, **game)["moves"] for bot in ("uct", other)]
    sums = [sum(move["visits"] for move in one) for one in found]
    shares = [{move["move"]: move["visits"] / all_ for move in one}
              for one, all_ in zip(found, sums)]
    gaps = {move: abs(shares[0].get(move, 0) - shares[1].get(move, 0))
            for move in {*shares[0], *shares[1]}}
    shown = text(browser, ".comparison .note")
    assert f"{50 * sum(gaps.values()):.1f} %" in shown, (shown, gaps)
    best = [one[0]["move"] for one in found]
    told = text(browser, ".agreement")
    assert all(move in told for move in best), (best, told)
    assert told.startswith("Both visit") == (best[0] == best[1]), (best, told)
    rows = percents(browser, ".comparison tbody tr")
    assert len(rows) == 5, rows
    for move, (first, second, _) in rows.items():
        assert first == f"{100 * shares[0].get(move, 0):.1f}", (move, first)
        assert second == f"{100 * shares[1].get(move, 0):.1f}", (move, second)
    assert max(gaps, key=gaps.get) in list(rows)[0]


def test_equal_time_stops_both(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3&b=uct:rave=none")
    press_button(browser, "Analyse")
    browser.until("""return [...document.querySelectorAll(".figures")]
        .every((one) => /simulations/.test(one.textContent))""", what="two searches")
    press_button(browser, "Stop")
    rested(browser)
    figures = "return [...document.querySelectorAll('.figures')].map((one) => one.textContent).join()"
    before = browser.js(figures)
    time.sleep(0.6)
    assert browser.js(figures) == before, "a search goes on"


def analyse_game(browser, simulations):
    open_panel(browser, "Analysis of the game")
    choose(browser, ".review input", simulations)
    press_button(browser, "Analyse the game")


def analysed(browser):
    browser.until("return /all positions are analysed/.test("
                  "document.querySelector('.review .note').textContent)")


def test_a_whole_game_is_analysed(page):
    browser = page.browser
    show(page, GAME)
    analyse_game(browser, 400)
    analysed(browser)
    listed = browser.js("return [...document.querySelectorAll('.errors li')].map((one) => one.textContent)")
    blunder = [one for one in listed if "the search would play" in one]
    assert [one.split(" lost")[0] for one in blunder] == ["2. White C3", "1. Black A1"], listed
    assert "the search would play B2" in blunder[0], blunder
    marked = browser.js("return document.querySelectorAll('.chart .blunder').length")
    assert marked == len(blunder), (marked, blunder)
    assert browser.js("return document.querySelectorAll('.chart .dot').length") == 5
    # Each figure equals that of a separate search.
    game = {"size": "3x3", "komi": 2.5, "rules": "simple", "handicap": 0, "setup": "",
            "first": "black"}
    rates = [100 * search(page, "uct", 400, **game, moves=".".join(MOVES[:place]))["black_win_rate"]
             for place in range(5)]
    drop = rates[0] - rates[1]
    assert f"1. Black A1 lost {drop:.0f} percentage points ({rates[0]:.0f} % to {rates[1]:.0f} %)" in blunder[1]
    browser.js("document.querySelector('.review details').open = true")
    rows = percents(browser, ".review tbody tr")
    shown = [float(row[0]) for row in rows.values()]
    assert all(abs(a - b) <= 0.0501 for a, b in zip(shown, rates[1:], strict=True)), (shown, rates)
    # A click leads to the position before the move, and shows what the search would play.
    browser.js("document.querySelector('.errors .jump').click()")
    place = int(blunder[0].split(".")[0]) - 1
    browser.until("return document.querySelector('.place').textContent === arguments[0]",
                  f"move {place} of 4")
    browser.until("return document.querySelectorAll('.boards figure:first-child .line circle').length",
                  what="the search's line")
    # Keys walk through the chart.
    browser.js("document.querySelector('.chart').focus()")
    browser.press(END)
    browser.until("return document.querySelector('.place').textContent === 'move 4 of 4'")
    browser.press(LEFT)
    browser.until("return document.querySelector('.place').textContent === 'move 3 of 4'")
    told = browser.js("return document.querySelector('.chart').ariaValueText")
    assert told.startswith("move 3: Black B2, Black "), told


def test_the_solver_says_which_moves_lost_points(page):
    browser = page.browser
    show(page, GAME)
    analyse_game(browser, 50)
    analysed(browser)
    if page.name == "static":
        assert "needs the server" in text(browser, ".review .note")
        return
    listed = browser.js("return [...document.querySelectorAll('.errors li')].map((one) => one.textContent)")
    solved = [one for one in listed if "loses nothing" in one]
    # Each value equals the solver's own answer.
    game = {"size": "3x3", "komi": 2.5, "rules": "simple"}
    ask = "return import(arguments[0]).then(({ ask }) => ask('solve', { game: arguments[1] }))"
    values = [browser.js(ask, backend(page), {**game, "moves": ".".join(MOVES[:place])})
              for place in range(5)]
    assert [one["lower"] for one in values] == [6.5, -11.5, 6.5, 6.5, 6.5], values
    for place in range(4):
        before, after = values[place]["lower"], values[place + 1]["lower"]
        lost = (before - after) * (1 if place % 2 == 0 else -1)
        own = [one for one in solved if one.startswith(f"{place + 1}. ")]
        assert bool(own) == (lost > 0), (place, lost, solved)
        if own:
            assert f"lost {lost:g} points; B2 loses nothing" in own[0], own
    assert "is proved" in text(browser, ".verdict")


def test_the_analysis_of_a_game_stops_and_goes_on(page):
    browser = page.browser
    made = "C3.B3.D3.B2.D2.C2.C4.B4"
    show(page, f"#/play?white=person&moves={made}")
    open_panel(browser, "Analysis of the game")
    # The searches may be faster than a look from outside the page.
    browser.js("""const progress = document.querySelector(".review progress");
        const watch = new MutationObserver(() => {
            if (progress.value < 2) return;
            watch.disconnect();
            document.querySelector(".review button").click();
        });
        watch.observe(progress, { attributes: true });""")
    analyse_game(browser, 3000)
    browser.until(NAMED, "Go on")
    rested(browser)
    value = "return document.querySelector('.review progress').value"
    known = browser.js(value)
    time.sleep(0.8)
    assert browser.js(value) == known < 8, "the analysis goes on"
    press_button(browser, "Go on")
    analysed(browser)
    # The analysis continues while another panel is open, which stays open.
    choose(browser, ".review input", 500000)
    press_button(browser, "Analyse the game")
    browser.until(NAMED, "Stop the analysis")
    open_panel(browser, "Search over time")
    time.sleep(1)
    open_panel(browser, "Analysis of the game")
    browser.until(f"{value} > 0")
    press_button(browser, "Stop the analysis")
    browser.until(NAMED, "Go on")


def test_bots_move_while_a_game_is_analysed(page):
    browser = page.browser
    show(page, "#/play?white=uct:simulations=100&moves=C3.C2")
    analyse_game(browser, 1000000)
    for made in (2, 4):
        assert turn(browser)
        click(browser, empty_points(browser)[made])
        browser.until("return location.hash.split('moves=')[1].split('.').length > arguments[0] + 1",
                      made, what="the bot's answer")
    press_button(browser, "Stop the analysis")


def test_the_players_of_a_run_disagree(page):
    browser = page.browser
    await_rows(page.runs / "live", 1)
    browser.go("about:blank")
    browser.go(page.url + "#/play?run=live&game=0")
    browser.until("return document.querySelectorAll('.chart .of-black.course, .chart .of-white.course')"
                  ".length === 2", what="two curves")
    open_panel(browser, "Analysis of the game")
    gaps = browser.until("""const all = [...document.querySelectorAll(".errors li")]
        .map((one) => Number(/(\\d+) percentage points apart/.exec(one.textContent)?.[1]));
        return all.length > 0 && all""")
    assert gaps == sorted(gaps, reverse=True), gaps
    browser.js("document.querySelector('.errors .jump').click()")
    place = browser.js("return document.querySelector('.errors .jump').textContent")
    browser.until("return document.querySelector('.place').textContent.startsWith(arguments[0] + ' of')",
                  place)


def test_moves_of_an_opening_are_no_blunders_and_an_analysis_is_kept(page):
    browser = page.browser
    open_run(page, "finished")
    browser.until("return document.querySelector('.games tbody a')")
    browser.js("document.querySelector('.games tbody a').click()")
    browser.until("return /^move 0 of [1-9]/.test(document.querySelector('.place')?.textContent)")
    opening = int(file_rows(page, "finished", "games.csv")[int(address(browser)["game"])]["opening_plies"])
    assert opening > 0
    analyse_game(browser, 60)
    analysed(browser)
    lists = "return document.querySelector('.errors').textContent"
    found = browser.js(lists)
    count = "move is" if opening == 1 else f"{opening} moves are"
    assert f"The first {count} the run's opening, which no bot chose." in found, found
    blamed = browser.js("""return [...document.querySelectorAll(".errors li")].map((one) => one.textContent)
        .filter((one) => one.includes("the search would play")).map((one) => Number(one.split(".")[0]))""")
    assert all(number > opening for number in blamed), (blamed, opening)
    # The analysis is still there after a visit to another page.
    browser.js("location.hash = '#/runs'")
    browser.until("return document.querySelector('.runs tbody tr')")
    browser.js("history.back()")
    browser.until("return document.querySelector('.tabs')")
    rested(browser)
    open_panel(browser, "Analysis of the game")
    assert browser.js(lists) == found, browser.js(lists)


def test_axe_finds_no_fault_in_searches_over_time_and_whole_games(page):
    browser = page.browser
    axe()
    try:
        for width, height in [(1280, 800), (390, 844)]:
            browser.size(width, height)
            show(page, f"{GAME}&b=uct:rave=none&equal=simulations&budget=300")
            open_panel(browser, "Search over time")
            press_button(browser, "Analyse")
            browser.until("return document.querySelectorAll('.over-time .dashed').length > 1")
            analyse_game(browser, 100)
            analysed(browser)
            browser.js("for (const part of document.querySelectorAll('figcaption details, .review "
                       "details')) part.open = true")
            browser.js("document.querySelector('.plot').focus()")
            browser.press(LEFT)
            assert_accessible(browser, (width, "searches"))
            wide = browser.js("""return [document.documentElement,
                ...document.querySelectorAll(".panel")].filter((one) =>
                one.scrollWidth > one.clientWidth).map((one) => one.textContent)""")
            assert not wide, wide
    finally:
        browser.dark(False)
        browser.size(1280, 900)


THINKING = [
    test_a_search_over_time,
    test_two_searches_over_time,
    test_equal_simulations_are_compared,
    test_equal_time_stops_both,
    test_a_whole_game_is_analysed,
    test_the_solver_says_which_moves_lost_points,
    test_the_analysis_of_a_game_stops_and_goes_on,
    test_bots_move_while_a_game_is_analysed,
    test_axe_finds_no_fault_in_searches_over_time_and_whole_games,
]
THINKING_OF_RUNS = [
    test_the_players_of_a_run_disagree,
    test_moves_of_an_opening_are_no_blunders_and_an_analysis_is_kept,
]
