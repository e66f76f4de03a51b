"""Browsers driven through WebDriver: headless Chromium and Firefox."""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Seconds until a wait is given up: far more than a busy machine takes, since a wait in vain is a
# failure anyway.
PATIENCE = 90

# Seconds that one command of a driver may take, more than the driver's own limits.
LIMIT = 300


class Skipped(Exception):
    """A program or resource that a test needs is missing."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """One window of a browser; close it by `with`."""

    def __init__(self, driver, capabilities):
        for attempts_left in (2, 1, 0):
            try:
                self.begin(driver, capabilities)
                break
            except (OSError, AssertionError):
                # Another process may take the port, and a browser may give up on a busy machine.
                self.end()
                if attempts_left == 0:
                    raise
        limits = {"script": 1000 * LIMIT, "pageLoad": 1000 * LIMIT}
        self.do("/timeouts", **limits)

    def begin(self, driver, capabilities):
        """Starts the driver and has it open a window."""
        self.port = free_port()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(
            [driver, f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.session = ""
        deadline = time.monotonic() + PATIENCE
        wanted = {"capabilities": {"alwaysMatch": capabilities(self.profile.name)}}
        while True:
            try:
                answer = self.call("POST", "/session", wanted)
                break
            except OSError:
                if time.monotonic() > deadline or self.driver.poll() is not None:
                    raise
                time.sleep(0.1)
        self.session = f"/session/{answer['sessionId']}"

    def end(self):
        """Ends the driver."""
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        except OSError:
            pass
        self.end()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=LIMIT + 30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise AssertionError(json.load(fault)["value"]["message"].split("\n")[0]) from None

    def do(self, path, **body):
        return self.call("POST", self.session + path, body)

    def go(self, url):
        self.do("/url", url=url)

    def js(self, script, *arguments):
        return self.do("/execute/sync", script=script, args=list(arguments))

    def find(self, selector):
        return self.do("/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        """Clicks an element once it is there and nothing covers it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.do(f"/element/{self.find(selector)}/click")
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def press(self, *keys):
        """Presses and releases keys wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.do("/actions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def upload(self, selector, path):
        self.do(f"/element/{self.find(selector)}/value", text=path)

    def until(self, script, *arguments, what=None):
        """Waits until `script` returns a true value, and returns it. The elements of `script` may
        not be in the document yet."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                value, why = self.js(script, *arguments), ""
            except AssertionError as fault:
                value, why = None, f" ({fault})"
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"in vain: {what or script}{why}")
            time.sleep(0.05)

    def screenshot(self, path):
        picture = base64.b64decode(self.call("GET", self.session + "/screenshot"))
        with open(path, "wb") as file:
            file.write(picture)


class Chromium(Browser):
    """Headless Chromium by chromedriver."""

    PROGRAMS = ["chromium", "chromedriver"]
    ARGUMENTS = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
    ]

    def __init__(self, width=1280, height=900):
        super().__init__("chromedriver", lambda profile: {
            "browserName": "chrome",
            "goog:chromeOptions": {
                "args": [*self.ARGUMENTS, f"--user-data-dir={profile}",
                         f"--window-size={width},{height}"],
                "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False},
                "prefs": {"download.default_directory": profile},
            },
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        })
        self.size(width, height)

    def cdp(self, command, **parameters):
        return self.do("/goog/cdp/execute", cmd=command, params=parameters)

    def size(self, width, height):
        """Sets the size of the page in CSS pixels, also below the smallest size of windows."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def dark(self, is_dark=True):
        value = "dark" if is_dark else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.cdp("Emulation.setEmulatedMedia", features=features)

    def complaints(self):
        """The messages of the console since the last call."""
        entries = self.do("/se/log", type="browser")
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self):
        """The addresses that were requested since the last call."""
        entries = [json.loads(entry["message"])["message"]
                   for entry in self.do("/se/log", type="performance")]
        sent = [entry for entry in entries if entry["method"] == "Network.requestWillBeSent"]
        return [entry["params"]["request"]["url"] for entry in sent]


class Firefox(Browser):
    """Headless Firefox by geckodriver. Commands that it does not have are skipped."""

    PROGRAMS = ["firefox", "geckodriver"]

    def __init__(self, width=1280, height=900):
        super().__init__("geckodriver", lambda _: {
            "browserName": "firefox",
            "moz:firefoxOptions": {
                "args": ["-headless"],
                "prefs": {"layout.css.prefers-color-scheme.content-override": 1},
            },
        })
        self.size(width, height)

    def cdp(self, command, **_):
        raise Skipped(f"{command} is of Chromium")

    def size(self, width, height):
        """Sets the size of the page, if a window can be so narrow."""
        inner = "return [innerWidth, innerHeight]"
        for _ in range(2):
            now = self.js(inner)
            rect = self.call("GET", f"{self.session}/window/rect")
            self.do("/window/rect", width=rect["width"] + width - now[0],
                    height=rect["height"] + height - now[1])
        if self.js(inner)[0] != width:
            raise Skipped(f"a window of Firefox has more than {width} pixels")

    def dark(self, is_dark=True):
        if is_dark:
            raise Skipped("Firefox keeps its colours")

    def complaints(self):
        """Firefox reports none."""
        return []

    def requested(self):
        """The addresses that the present page has requested."""
        return self.js("return performance.getEntriesByType('resource').map(({ name }) => name)")


def missing(browser=Chromium):
    """The programs of a browser that are not installed."""
    # Debian's Firefox has another name.
    names = {"firefox": ["firefox", "firefox-esr"]}
    return [program for program in browser.PROGRAMS
            if not any(shutil.which(name) for name in names.get(program, [program]))]
