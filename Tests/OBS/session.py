"""OBS on a display of its own, with a home folder of its own, spoken to through its WebSocket server. Only Python's
standard library is needed."""

import base64
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import time


class Problem(Exception):
    """What is not as it must be."""


def wait_for(what, condition, seconds=60):
    """Waits until a condition is true and returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise Problem(f"waited {seconds} s in vain for {what}")


class WebSocket:
    """A client of obs-websocket 5, without a password."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Protocol: obswebsocket.json\r\n\r\n"
            ).encode()
        )
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.read(1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise Problem(f"OBS's WebSocket server answered {answer!r}")
        self.receive()
        self.send({"op": 1, "d": {"rpcVersion": 1, "eventSubscriptions": 0}})
        self.receive()
        self.count = 0

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise Problem("OBS closed its WebSocket: it has ended")
            data += more
        return data

    def send(self, message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(b"\x81" + length + mask + masked)

    def receive(self):
        data = b""
        while True:
            first, length = self.read(2)
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            part = self.read(length)
            if first & 0x0F in (0, 1):
                data += part
                if first & 0x80:
                    return json.loads(data)

    def ask(self, kind, **values):
        """Sends a request and returns the data of its answer."""
        self.count += 1
        self.send({"op": 6, "d": {"requestType": kind, "requestId": str(self.count), "requestData": values}})
        while True:
            message = self.receive()
            if message["op"] == 7 and message["d"]["requestId"] == str(self.count):
                break
        status = message["d"]["requestStatus"]
        if not status["result"]:
            raise Problem(f"OBS refused {kind}: {status.get('comment', status['code'])}")
        return message["d"].get("responseData", {})


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("padding", ctypes.c_long * 24)]


def close_window(display_name, title):
    """Does what a window manager does when its button is clicked; there is none here."""
    found = subprocess.run(["xdotool", "search", "--name", title], env={**os.environ, "DISPLAY": display_name},
                           stdout=subprocess.PIPE, check=True).stdout.split()
    library = ctypes.CDLL("libX11.so.6")
    library.XOpenDisplay.restype = ctypes.c_void_p
    library.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(library.XOpenDisplay(display_name.encode()))
    event = ClientMessage(type=33, send_event=1, display=display, window=int(found[0]), format=32,
                          message_type=library.XInternAtom(display, b"WM_PROTOCOLS", 0))
    event.data[0] = library.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    library.XSendEvent(display, ctypes.c_ulong(event.window), 0, ctypes.c_long(0), ctypes.byref(event))
    library.XCloseDisplay(display)


class OBS:
    """One run of OBS with one scene, whose sources have filters.

    sources: {name: (kind, settings, [(filter kind, filter name, filter settings)])}
    other_plugins: the paths of plugins that the sources need.
    """

    def __init__(self, folder, plugin, locale, sources, size=(640, 480), environment=None, other_plugins=()):
        self.folder = pathlib.Path(folder)
        config = self.folder / ".config" / "obs-studio"
        for name in ("basic/scenes", "basic/profiles/test", "plugins/obs-bauta/bin/64bit", "plugins/obs-bauta/data"):
            (config / name).mkdir(parents=True)
        shutil.copy(plugin, config / "plugins/obs-bauta/bin/64bit/")
        for other in other_plugins:
            folder = config / "plugins" / other.stem / "bin/64bit"
            folder.mkdir(parents=True)
            shutil.copy(other, folder)
        shutil.copytree(locale, config / "plugins/obs-bauta/data/locale")
        port = free_port()
        # OBS 31 keeps the first section in user.ini and obs-websocket's in a file of its own.
        general = (
            "[General]\nFirstRun=true\nInfoIncrement=99\nEnableAutoUpdates=false\n"
            f"[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\nServerPort={port}\nAlertsEnabled=false\n"
            "AuthRequired=false\nServerPassword=unused\n"
        )
        (config / "global.ini").write_text(general)
        (config / "user.ini").write_text(general)
        (config / "plugin_config/obs-websocket").mkdir(parents=True)
        (config / "plugin_config/obs-websocket/config.json").write_text(
            json.dumps({"first_load": False, "server_enabled": True, "server_port": port, "alerts_enabled": False,
                        "auth_required": False, "server_password": "unused"}))
        width, height = size
        (config / "basic/profiles/test/basic.ini").write_text(
            f"[General]\nName=test\n[Video]\nBaseCX={width}\nBaseCY={height}\nOutputCX={width}\nOutputCY={height}\n"
            "FPSCommon=30\n[Output]\nMode=Simple\n[SimpleOutput]\n"
            f"FilePath={self.folder}\nRecFormat=mkv\nRecFormat2=mkv\nRecQuality=Small\nRecEncoder=x264\n")
        self.scene(config / "basic/scenes/test.json", sources)
        self.log_path = self.folder / "obs.log"
        variables = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / ".config"),
                     "XDG_RUNTIME_DIR": str(self.folder), "QT_QPA_PLATFORM": "xcb", "PULSE_SERVER": "none",
                     "LIBGL_ALWAYS_SOFTWARE": "1", "LC_ALL": "C.UTF-8", **(environment or {})}
        variables.pop("WAYLAND_DISPLAY", None)
        reading, writing = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            self.display_name = ":" + numbers.readline().strip()
        variables["DISPLAY"] = self.display_name
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                ["dbus-run-session", "--", "obs", "--verbose", "--multi", "--collection", "test", "--profile", "test", "--scene",
                 "Scene"],
                env=variables, stdout=log, stderr=log, start_new_session=True, cwd=self.folder)
        try:
            self.socket = wait_for("OBS's WebSocket server", lambda: self.connect(port))
            wait_for("OBS", self.is_ready)
        except BaseException:
            self.kill()
            raise

    def connect(self, port):
        if self.process.poll() is not None:
            raise Problem(f"OBS has ended: {self.log()[-2000:]}")
        try:
            return WebSocket(port)
        except ConnectionRefusedError:
            return None

    def is_ready(self):
        try:
            return self.ask("GetSceneList")
        except Problem:
            return None

    def scene(self, path, sources):
        items, written = [], []
        for number, (name, (kind, settings, filters)) in enumerate(sources.items(), 1):
            items.append({"name": name, "id": number, "visible": True, "pos": {"x": 0.0, "y": 0.0},
                          "scale": {"x": 1.0, "y": 1.0}, "rot": 0.0, "align": 5, "bounds_type": 0})
            written.append({
                "id": kind, "versioned_id": kind, "name": name, "settings": settings,
                "filters": [{"id": filter_kind, "versioned_id": filter_kind, "name": filter_name, "enabled": True,
                             "settings": filter_settings} for filter_kind, filter_name, filter_settings in filters]})
        scene = {"id": "scene", "versioned_id": "scene", "name": "Scene",
                 "settings": {"id_counter": len(items), "items": items}}
        path.write_text(json.dumps({
            "current_scene": "Scene", "current_program_scene": "Scene", "name": "test",
            "scene_order": [{"name": "Scene"}], "sources": [scene, *written], "groups": [], "transitions": [],
            "quick_transitions": []}))

    def ask(self, kind, **values):
        return self.socket.ask(kind, **values)

    def log(self):
        return self.log_path.read_text(errors="replace")

    def wait_for_log(self, pattern, seconds=60):
        return wait_for(f"'{pattern}' in OBS's log", lambda: re.search(pattern, self.log()), seconds)

    def picture(self, name, width, height):
        """The picture of a source with its filters: RGB, 8 bits, as bytes."""
        answer = self.ask("GetSourceScreenshot", sourceName=name, imageFormat="png", imageWidth=width,
                          imageHeight=height)
        data = base64.b64decode(answer["imageData"].split(",", 1)[1])
        return subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
            input=data, stdout=subprocess.PIPE, check=True).stdout

    def screenshot(self, path):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-draw_mouse", "0", "-video_size", "1280x800", "-i",
                        self.display_name, "-frames:v", "1", str(path)], check=True)

    def record(self, seconds):
        """Records, and returns the path of the file."""
        self.ask("StartRecord")
        time.sleep(seconds)
        path = self.ask("StopRecord")["outputPath"]
        wait_for("the end of the recording", lambda: not self.ask("GetRecordStatus")["outputActive"])
        return path

    def quit(self):
        """Ends OBS as a user does and returns its log."""
        # It may crash while it ends with a client, and what it does on SIGINT is not safe in a signal's handler.
        self.socket.socket.shutdown(socket.SHUT_RDWR)
        self.socket.socket.close()
        self.wait_for_log("WebSocket client .* has disconnected")
        close_window(self.display_name, "^OBS [0-9]")
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise Problem("OBS does not end") from error
        self.display.terminate()
        self.display.wait()
        if status != 0:
            raise Problem(f"OBS ended with status {status}: {self.log()[-3000:]}")
        return self.log()

    def children(self, name):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and (entry / "comm").read_text().strip() == name \
                        and os.getsid(int(entry.name)) == self.process.pid:
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.display.terminate()
        self.display.wait()
