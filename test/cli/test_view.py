# SPDX-License-Identifier: MIT
"""test_view.py: abut view: what the server answers and refuses, and the page that contains all data"""
import base64
import csv
import hashlib
import html.parser
import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys
from urllib.parse import urlsplit

from command import ABUT, BLOCK, CUBE, SPIKE, CommandTest, main

REALS, INTS = 19, 16


class Server:
    """A running `abut view`."""

    def __init__(self, test, *arguments):
        self.process = subprocess.Popen([ABUT, "view", "--no-open", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=test.folder)
        self.address = self.process.stdout.readline().decode().strip()
        parts = urlsplit(self.address)
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def request(self, path, method="GET", host=None):
        """Status, headers and body. A path that does not begin with a slash follows the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path if path.startswith("/") else self.path + path, skip_host=True)
        if host != "":
            connection.putheader("Host", host or self.host)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.errors = self.process.communicate(timeout=60)[1].decode()


class Page(html.parser.HTMLParser):
    """The elements of a page, as a browser separates them."""

    def __init__(self, text):
        super().__init__()
        self.data, self.scripts, self.styles, self.tags, self.policy, self.open = {}, [], [], [], "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        self.open = (tag, attributes.get("data-path"))
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        tag, path = self.open or (None, None)
        if path is not None:
            self.data[path] = self.data.get(path, "") + data
        elif tag == "script":
            self.scripts.append(data)
        elif tag == "style":
            self.styles.append(data)


def frames(data, bodies):
    """The states of a piece: number, poses, contacts as (reals, integers)."""
    at, states = 0, []
    while at < len(data):
        number, contacts, regions, loops, points = struct.unpack_from("<5i", data, at)
        at += 32
        poses = [struct.unpack_from("<7d", data, at + 56 * i) for i in range(bodies)]
        at += 56 * bodies
        reals = [struct.unpack_from("<%dd" % REALS, data, at + 8 * REALS * i) for i in range(contacts)]
        at += 8 * REALS * contacts
        ints = [struct.unpack_from("<14iQ", data, at + 4 * INTS * i) for i in range(contacts)]
        at += 4 * INTS * contacts + 16 * regions + 8 * loops + 24 * points
        states.append((number, poses, list(zip(reals, ints))))
    return states


class View(CommandTest):
    def record(self, name="run.h5", steps=12, method="regions"):
        self.run_abut("simulate", "pillar", "--steps", str(steps), "--method", method, "--out", name)
        return str(self.folder / name)

    def test_server(self):
        """The page, its script and style and the data are there; everything carries the headers."""
        with Server(self, self.record()) as server:
            self.assertRegex(server.address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
            for path, kind in (("", "text/html"), ("viewer.js", "text/javascript"), ("viewer.css", "text/css"),
                               ("data/index.json", "application/json"), ("data/0/series", "application/octet-stream")):
                status, headers, body = server.request(path)
                self.assertEqual(status, 200, path)
                self.assertTrue(headers["content-type"].startswith(kind), headers)
                self.assertIn("default-src 'none'", headers["content-security-policy"])
                self.assertNotIn("unsafe", headers["content-security-policy"])
                self.assertNotIn("access-control-allow-origin", headers)
                self.assertEqual(headers["x-content-type-options"], "nosniff")
                self.assertGreater(len(body), 0)
            self.assertEqual(server.request("", host="localhost:%d" % server.port)[0], 200)
            index = json.loads(server.request("data/index.json")[2])
            track, = index["tracks"]
            self.assertEqual((track["scene"], track["method"], track["steps"]), ("pillar", "regions", 12))
            self.assertEqual(track["states"], list(range(13)))
            self.assertEqual(len(server.request("data/0/series")[2]), 13 * 8 * 8)
        self.assertEqual((server.process.returncode, server.errors), (0, ""))

    def test_refusals(self):
        """No token, a wrong one, a foreign Host, other methods, other files."""
        secret = self.write("secret.txt", "secret")
        with Server(self, BLOCK, SPIKE) as server:
            token = server.path.strip("/")
            wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
            for path in ("/", "/data/index.json", "/favicon.ico", "/" + token, "/%s/" % wrong, "/%s/data/index.json" % wrong,
                         "/%s/" % token.upper() if token.upper() != token else "/", "//" + token + "/"):
                self.assertEqual(server.request(path)[0], 403, path)
            for host in ("", "example.org", "127.0.0.1", "localhost", "127.0.0.1:%d" % (server.port ^ 1),
                         "evil.example:%d" % server.port, server.host + ".example.org"):
                self.assertEqual(server.request("data/index.json", host=host)[0] // 100, 4, host)
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"):
                status, headers, body = server.request("data/index.json", method)
                self.assertIn(status, (405, 501), method)
                self.assertNotIn(b"tracks", body)
                self.assertNotIn("access-control-allow-origin", headers)
            for path in ("secret.txt", "../secret.txt", "data/../secret.txt", "data/%2e%2e/secret.txt", "data/" + secret,
                         "data//etc/passwd", "data/0/mesh/2", "data/0/mesh/-1", "data/1/series", "data/0/piece/1"):
                status, _, body = server.request(path)
                self.assertEqual(status, 404, path)
                self.assertNotIn(b"root:", body)
                self.assertNotEqual(body, b"secret")

    def test_many_connections(self):
        """Connections that send half a request do not keep others out, and after more than the limit the server recovers."""
        with Server(self, BLOCK, SPIKE) as server:
            def hold(count):
                held = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(count)]
                for item in held:
                    item.send(b"GET / HT")
                return held
            held = hold(100)
            self.assertEqual(server.request("data/index.json")[0], 200)
            for item in held + hold(600):
                item.close()
            self.assertEqual(server.request("data/index.json")[0], 200)
            self.assertEqual(server.request("data/" + "x" * 100000)[0], 414)
        self.assertEqual(server.process.returncode, 0)

    def test_up(self):
        """Up is y without gravity, else where gravity points away from; --up changes it."""
        scene = {"schema": 1, "gravity": [0, 0, -9.81], "steps": 1, "materials": {"m": {}}, "meshes": {"box": {"box": [1, 1, 1]}},
                 "bodies": [{"mesh": "box", "material": "m", "position": [0, 0, z], "fixed": z == 0} for z in (0, 1)]}
        self.write("up.json", json.dumps(scene))
        self.run_abut("simulate", "up.json", "--out", "up.h5")
        for words, up in (((str(self.folder / "up.h5"),), [0, 0, 1]), ((str(self.folder / "up.h5"), "--up", "x"), [1, 0, 0]),
                          ((BLOCK, SPIKE), [0, 1, 0]), ((BLOCK, SPIKE, "--up", "z"), [0, 0, 1])):
            with Server(self, *words) as server:
                self.assertEqual(json.loads(server.request("data/index.json")[2])["up"], up, words)
        self.assertEqual(self.text("draw", "up.h5"), self.text("draw", "up.h5", "--up", "z"))
        self.assertNotEqual(self.text("draw", "up.h5"), self.text("draw", "up.h5", "--up", "y"))
        self.assertIn("W\u00fcrfel", self.text("draw", BLOCK, SPIKE, "--title", "W\u00fcrfel"))

    def test_tokens_differ(self):
        tokens = set()
        for _ in range(3):
            with Server(self, BLOCK, SPIKE) as server:
                tokens.add(server.path)
        self.assertEqual(len(tokens), 3)

    def page(self, *arguments):
        self.run_abut("view", *arguments, "--out", "page.html")
        return (self.folder / "page.html").read_text()

    def test_page_has_the_contacts_of_the_recording(self):
        """All numbers of all contacts and poses are those of abut export --csv."""
        run = self.record(steps=6, method="opposing")
        page = Page(self.page(run))
        self.run_abut("export", run, "--csv", "csv")
        track, = json.loads(page.data["index.json"])["tracks"]
        states = []
        for path, text in page.data.items():
            if path.startswith("0/piece/"):
                states += frames(base64.b64decode(text), len(track["bodies"]))
        self.assertEqual([state[0] for state in states], list(range(7)))
        rows = list(csv.DictReader(open(self.folder / "csv/contacts.csv", encoding="utf-8")))
        found = [(number, *contact) for number, _, contacts in states for contact in contacts]
        self.assertEqual(len(found), len(rows))
        self.assertGreater(len(rows), 200)
        truths = {"": -1, "wrong": 0, "right": 1, "unknown": -1, "-1": -1, "0": 0, "1": 1}
        for (number, reals, ints), row in zip(found, rows):
            self.assertEqual(number, int(row["step"]))
            self.assertEqual(reals[0:3], tuple(float(row["position_" + k]) for k in "xyz"))
            self.assertEqual(reals[3:6], tuple(float(row["normal_" + k]) for k in "xyz"))
            self.assertEqual(reals[12], float(row["gap"]))
            self.assertEqual((ints[0], ints[1]), (int(row["body_a"]), int(row["body_b"])))
            self.assertEqual(ints[2], truths[row["truth"]])
            self.assertEqual(ints[14], int(row["id"], 16))

    def test_page_is_self_contained(self):
        """Nothing is loaded, and only the script and the style with the right hash may run."""
        text = self.page(BLOCK, SPIKE, "--method", "regions,intersection")
        page = Page(text)
        for tag, attributes in page.tags:
            self.assertFalse({"src", "action"} & set(attributes), (tag, attributes))
            self.assertIn(attributes.get("href", "data:,"), ("data:,",))
        for kind, parts in (("script", page.scripts), ("style", page.styles)):
            value = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
            self.assertIn("%s-src 'sha256-%s'" % (kind, value), page.policy)
        tracks = json.loads(page.data["index.json"])["tracks"]
        self.assertEqual([track["method"] for track in tracks], ["regions", "intersection"])
        (number, poses, contacts), = frames(base64.b64decode(page.data["0/piece/0"]), 2)
        self.assertEqual((number, len(poses), len(contacts)), (1, 2, 1))
        self.assert_near(contacts[0][0][0:3], (0.5, 1.5, 1.0))  # the spike stands there

    def test_names_are_text(self):
        """Names of files cannot become markup, neither in the title nor in the data."""
        name = self.write("<img src=x onerror=alert(1)><!--<script>.obj", CUBE)
        text = self.page(name, BLOCK)
        self.assertNotIn("<img", text)
        page = Page(text)
        self.assertEqual([tag for tag, _ in page.tags if tag in ("img", "iframe")], [])
        self.assertEqual(len([tag for tag, _ in page.tags if tag == "script"]), len(page.data) + 1)
        track, = json.loads(page.data["index.json"])["tracks"]
        self.assertTrue(track["bodies"][0]["name"].startswith("<img src=x"))

    def test_names_cannot_end_the_script(self):
        """Names in a recording, of the scene, bodies and materials, cannot close the element that they stand in."""
        evil = "</script><script>window.stolen=1</script><!--<script>"
        scene = {"schema": 1, "name": evil, "steps": 2, "materials": {evil: {}},
                 "meshes": {"box": {"box": [1, 1, 1]}},
                 "bodies": [{"name": evil, "mesh": "box", "material": evil, "fixed": True},
                            {"name": "b" + evil, "mesh": "box", "material": evil, "position": [0, 1, 0]}]}
        self.run_abut("simulate", self.write("evil.json", json.dumps(scene)), "--out", "evil.h5")
        text = self.page("evil.h5")
        page = Page(text)
        self.assertEqual(len([tag for tag, _ in page.tags if tag == "script"]), len(page.data) + 1)
        self.assertNotIn("window.stolen", "".join(page.scripts))
        self.assertNotIn(evil, text)
        track, = json.loads(page.data["index.json"])["tracks"]
        self.assertEqual([body["name"] for body in track["bodies"]], [evil, "b" + evil])
        # The server's index is data, which a browser must not take for a page.
        with Server(self, "evil.h5") as server:
            _, headers, body = server.request("data/index.json")
            self.assertTrue(headers["content-type"].startswith("application/json"))
            self.assertEqual(json.loads(body)["tracks"][0]["bodies"][0]["name"], evil)
            self.assertNotIn(b"stolen", server.request("")[2])

    def test_every(self):
        run = self.record(steps=11)
        page = Page(self.page(run, "--every", "4"))
        track, = json.loads(page.data["index.json"])["tracks"]
        self.assertEqual((track["states"], track["steps"]), ([0, 4, 8, 11], 11))

    def test_large_pages_are_refused(self):
        """Eight times 100 states of some 500 contacts, with 216 bytes each and as base64, are more than 100 MB. With the
        --every of the message they are less."""
        run = str(self.folder / "large.h5")
        self.run_abut("simulate", "pillar", "--method", "intersection", "--steps", "100", "--out", run)
        page = self.folder / "large.html"
        said = self.fails("view", *[run] * 8, "--out", str(page), says="more than 100 MB: try --every ")
        self.assertFalse(page.exists())
        every = re.search("--every ([0-9]+)", said).group(1)
        self.page(*[run] * 8, "--every", every)

    def test_mesh_is_near_its_centre(self):
        """Far from the origin, vertices in single precision are relative to the centre."""
        far = re.sub(r"(?m)^v (\S+) (\S+) (\S+)$", lambda m: "v %r %s %s" % (float(m[1]) + 1e7, m[2], m[3]), CUBE)
        page = Page(self.page(self.write("far.obj", far), BLOCK))
        data = base64.b64decode(page.data["0/mesh/0"])
        self.assertEqual(struct.unpack_from("<6I", data), (8, 12, 12, 6, 0, 0))
        self.assertEqual(struct.unpack_from("<3d", data, 24), (1e7 + 0.5, 0.5, 0.5))
        self.assertEqual({abs(x) for x in struct.unpack_from("<24f", data, 48)}, {0.5})

    def test_bad_calls(self):
        run = self.record(steps=2)
        self.fails("view", says="too few arguments")
        self.fails("view", BLOCK, says="needs two mesh files, or a recording")
        self.fails("view", run, BLOCK, says="not both")
        self.fails("view", run, "--method", "regions", says="option --method is for mesh files")
        self.fails("view", BLOCK, SPIKE, "--every", "2", says="--every needs a recording")
        self.fails("view", "missing.h5", says="missing.h5")
        self.fails("view", run, "--out", run, says="run.h5")
        self.fails("view", BLOCK, SPIKE, "--out", "no/such/folder.html")
        self.fails("view", BLOCK, SPIKE, "--out", "page.pdf", says="page.pdf: cannot be written: not as .pdf")
        self.fails("view", *[run] * 9, says="at most 8")
        self.fails("view", BLOCK, SPIKE, "--method", "regions", "--option", "nonsense=1", says="nonsense")


if __name__ == "__main__":
    probe = subprocess.run([ABUT, "view", BLOCK, SPIKE, "--out", "/dev/null/x"], capture_output=True, text=True, check=False)
    if "built without the viewer" in probe.stderr:
        print("skipped: " + probe.stderr.strip())
        sys.exit(77)
    main()
