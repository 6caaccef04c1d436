# SPDX-License-Identifier: MIT
"""test_report.py: abut report: the page has what the other verbs measure, and nothing of a file name is markup"""
import csv
import html
import io
import json
import re
import urllib.parse
from html.parser import HTMLParser

from command import FUNDAMENTAL, SCENES, CommandTest, main

VOID = {"meta", "input"}
SCALES = (1.0000001, 1.0000002, 2)  # two have six equal digits


class Nesting(HTMLParser):
    """Checks that every element is closed, and collects addresses and identifiers."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.scripts = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Report(CommandTest):
    @classmethod
    def setUpClass(cls):
        """One page for all tests that only look at it."""
        self = cls("make")
        self.setUp()
        run = {"schema": 1, "scene": "<b>", "method": "m\"&", "steps": [{"time": 0.1, "contacts": 3}]}
        study = {"schema": 1, "study": "perturbation", "parameters": ["scale", "method", "seed"], "summary": [
            {"parameters": {"scale": s, "method": "regions"}, "values": {"good": {"mean": 90 + s}}} for s in SCALES],
            "runs": [{"parameters": {"scale": s, "method": "regions", "seed": seed}, "series": {"quality": [seed / 8, s / 2]}}
                     for s in SCALES for seed in (1, 2)]}
        bench = {"schema": 1, "commit": "abc", "cpu": "x", "rows": [
            {"group": "g", "scene": "s", "subject": name, "min_ns": ns} for name, ns in (("ours", 10), ("theirs", 25))]}
        rival = {"schema": 1, "results": [{"case": "spikes", "method": "engine", "state": "touching", "status": "ok",
                                           "quality": 12.25, "coverage": 50, "excess": 2, "contacts": 4}]}
        files = [self.write(name + ".json", json.dumps(value)) for name, value in
                 (("run", run), ("study", study), ("bench", bench), ("rival", rival))]
        cls.said = self.text("report", *files, "--out", "page")
        cls.page = (self.folder / "page/index.html").read_text()
        self.tearDown()

    def make(self):
        pass

    def test_is_one_page_without_network(self):
        self.assertEqual(self.said, "page/index.html\n")
        self.assertLess(len(self.page), 5e6)
        parser = Nesting()
        parser.feed(self.page)
        self.assertEqual(parser.open, [])
        self.assertEqual(parser.scripts, 0)
        self.assertEqual(len(parser.ids), len(set(parser.ids)))
        for link in parser.links:
            self.assertTrue(link.startswith("data:text/csv,") or link[1:] in parser.ids, link)

    def test_has_the_numbers_of_assess(self):
        """Every cell of the table leads to a figure whose caption has the numbers of abut assess."""
        for row in self.json("assess", "--method", "opposing,regions")["results"]:
            figure = self.page.split('id="%s--%s">' % (row["case"], row["method"]))[1].split("</figure>")[0]
            caption = re.search(r"<figcaption>(.*?)</figcaption>", figure, re.S).group(1)
            shares = tuple(("%.1f" % row[name]).removesuffix(".0") for name in ("quality", "coverage"))
            self.assertEqual(caption, "quality %s %%, coverage %s %%, excess %.3g" % (*shares, row["excess"]), row)
            self.assertIn("<svg", figure)
        for name in FUNDAMENTAL + SCENES:
            self.assertIn(">%s</" % name, self.page)

    def test_says_which_method_is_all_right(self):
        rows = dict(re.findall(r'<tr(?: class="engine")?><th class="row">([^<]*)</th><td class="sum"><b>(\d+)</b> of 10', self.page))
        self.assertEqual(rows["regions"], "10")
        self.assertEqual(rows["engine"], "0")
        self.assertEqual(len(rows), len(self.json("methods")["methods"]) + 1 + 5)  # five engines are always there

    def test_has_the_paper_and_other_engines(self):
        self.assertEqual(len(re.findall(r'class="v quality" style="background:rgb[^"]*">12.3</span>', self.page)), 1)
        self.assertGreater(len(re.findall(r'class="v paper-quality" style', self.page)), 70)
        self.assertRegex(self.page, r'<tr class="engine"><th class="row">MuJoCo 2.2, hulls</th>')

    def test_says_what_is_wrong(self):
        """On paper: at a tip on a tip, where one body moves along x, the only right normal is that motion. A normal of a
        side of the pyramid is wrong, however many there are: the words count them as the drawing does."""
        for method, case in (("opposing", "spikes"), ("growth", "spikes"), ("regions", "wedges")):
            figure = self.page.split('id="%s--%s">' % (case, method))[1].split("</figure>")[0]
            why = re.search(r'<p class="why">(.*?)</p>', figure).group(1)
            drawn = dict((word, int(n)) for n, word in re.findall(r">(\d+) (right|wrong|missed)</text>", figure))
            row, = self.json("assess", "--method", method, "--case", case)["results"]
            self.assertEqual(drawn.get("wrong", 0), round(row["contacts"] * (1 - row["quality"] / 100)))
            if "wrong" in drawn:
                self.assertRegex(why, r"^%d of %d normals wrong, up to \d+&deg; off" % (drawn["wrong"], row["contacts"]))
            else:
                self.assertEqual(why, "all contacts right, none missed")
        # The worst case of a method is shown again, by reference to the picture that stands below.
        used = re.findall(r'<use href="#(picture-[^"]*)"', self.page)
        self.assertGreater(len(used), 8)
        for name in used:
            self.assertIn('<svg id="%s"' % name, self.page)

    def test_data_of_plots(self):
        """The numbers behind the plots read back."""
        links = dict(re.findall(r'download="([^"]*)" href="data:text/csv,([^"]*)"', self.page))
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["study-perturbation-good.csv"]))))
        self.assertEqual([(float(r["x"]), float(r["y"])) for r in rows], [(s, 90 + s) for s in SCALES])
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["study-perturbation-regions.csv"]))))
        curves = {name: [float(r["y"]) for r in rows if r["series"] == name] for name in {r["series"] for r in rows}}
        self.assertEqual(curves, {
            "scale 1.0000001": [0.125, 0.25, 0.50000005, 0.50000005], "scale 1.0000002": [0.125, 0.25, 0.5000001, 0.5000001],
            "scale 2": [0.125, 0.25, 1, 1]})
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["arch-quality.csv"]))))
        values = [float(r["y"]) for r in rows if r["series"] == "opposing"]
        self.assertEqual(values, sorted(values))
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["contacts-over-time.csv"]))))
        self.assertEqual([(r["series"], float(r["x"]), float(r["y"])) for r in rows], [('<b>, m"&', 0.1, 3)])
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["bench.csv"]))))
        self.assertEqual([(r["subject"], float(r["ratio"])) for r in rows], [("ours", 1), ("theirs", 2.5)])
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["table.csv"]))))
        self.assertEqual([float(r["quality"]) for r in rows if (r["method"], r["case"]) == ("engine", "spikes")], [12.25])

    def test_contacts_over_time(self):
        """Each method's curve of Pillar has the counts of abut simulate."""
        links = dict(re.findall(r'download="([^"]*)" href="data:text/csv,([^"]*)"', self.page))
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(links["pillar-contacts.csv"]))))
        self.assertEqual({r["series"] for r in rows}, {m["name"] for m in self.json("methods")["methods"]})
        run = self.json("simulate", "pillar", "--method", "opposing", "--steps", "20")
        self.assertEqual([float(r["y"]) for r in rows if r["series"] == "opposing"], [s["contacts"] for s in run["steps"]])

    def test_texts_are_no_markup(self):
        self.assertIn(html.escape("<b>, m\"&", quote=True), self.page)
        self.assertNotIn("<b>, m", self.page)

    def test_ratios_of_benchmarks(self):
        self.assertRegex(self.page, r"theirs</td><td class=\"end\">25</td><td class=\"end\">2.5</td>")

    def test_bad_files(self):
        wrong = self.write("wrong.json", '{"schema": 1,\n "rows": [}')
        other = self.write("other.json", '{"schema": 1, "x": []}')
        self.fails("report", "no.json", says="no.json: cannot be read: no such file")
        self.fails("report", wrong, says="wrong.json:2")
        self.fails("report", other, says="is not a result")


if __name__ == "__main__":
    main()
