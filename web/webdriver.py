"""A browser driven through WebDriver: headless Chromium by chromedriver."""

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
ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
]


def missing():
    """The programs that are not installed."""
    return [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """One window; close it by `with`."""

    def __init__(self, width=1280, height=900):
        self.port = free_port()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        options = {
            "args": [*ARGUMENTS, f"--user-data-dir={self.profile.name}",
                     f"--window-size={width},{height}"],
            "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False},
            "prefs": {"download.default_directory": self.profile.name},
        }
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        self.session = ""
        deadline = time.monotonic() + 30
        while True:
            try:
                answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self.session = f"/session/{answer['sessionId']}"
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise AssertionError(json.load(fault)["value"]["message"].split("\n")[0]) from None

    def do(self, path, **body):
        return self.call("POST", self.session + path, body)

    def cdp(self, command, **parameters):
        return self.do("/goog/cdp/execute", cmd=command, params=parameters)

    def go(self, url):
        self.do("/url", url=url)

    def js(self, script, *arguments):
        return self.do("/execute/sync", script=script, args=list(arguments))

    def size(self, width, height):
        """The size of the page in its own pixels, also below what windows can have."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def dark(self, is_dark=True):
        value = "dark" if is_dark else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.cdp("Emulation.setEmulatedMedia", features=features)

    def find(self, selector):
        return self.do("/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.do(f"/element/{self.find(selector)}/click")

    def press(self, *keys):
        """Presses and releases keys wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.do("/actions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def upload(self, selector, path):
        self.do(f"/element/{self.find(selector)}/value", text=path)

    def until(self, script, *arguments, patience=20, what=None):
        """Waits until `script` returns something true, and returns that."""
        deadline = time.monotonic() + patience
        while True:
            value = self.js(script, *arguments)
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"in vain: {what or script}")
            time.sleep(0.05)

    def screenshot(self, path):
        picture = base64.b64decode(self.call("GET", self.session + "/screenshot"))
        with open(path, "wb") as file:
            file.write(picture)

    def complaints(self):
        """What the console has to say since it was asked last."""
        entries = self.do("/se/log", type="browser")
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self):
        """The addresses that were requested since this was asked last."""
        entries = [json.loads(entry["message"])["message"]
                   for entry in self.do("/se/log", type="performance")]
        sent = [entry for entry in entries if entry["method"] == "Network.requestWillBeSent"]
        return [entry["params"]["request"]["url"] for entry in sent]
