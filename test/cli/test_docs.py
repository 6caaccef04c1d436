# SPDX-License-Identifier: MIT
"""test_docs.py: the examples of docs/command.md, docs/contact-log.md and docs/scene-format.md run as they stand

Blocks marked `sh` are run line by line in one folder, which holds the files of examples/; `# exit N` after a command says what
it ends with. Blocks marked `json-lines` are contact logs; the block marked `json` is a scene.
"""
import json
import re
import shlex
import shutil

from command import SOURCE, CommandTest, main

BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Documents(CommandTest):
    def blocks(self, name, kind):
        found = [body for language, body in BLOCK.findall((SOURCE / "docs" / name).read_text()) if language == kind]
        self.assertGreater(len(found), 0)
        return found

    def has_viewer(self):
        """Without Node.js the command has none."""
        done = self.run_abut("view", "missing.h5", code=2)
        return "built without the viewer" not in done.errors

    def run_examples(self, name):
        for file in (SOURCE / "examples").iterdir():
            if file.suffix in (".obj", ".csv"):
                shutil.copy(file, self.folder)
        for block in self.blocks(name, "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                code = re.search(r"# exit (\d)$", line)
                words = shlex.split(line, comments=True)
                self.assertEqual(words[0], "abut", line)
                if words[1] == "view" and not self.has_viewer():
                    continue
                target = None
                if ">" in words:
                    target = words[words.index(">") + 1]
                    words = words[:words.index(">")]
                done = self.run_abut(*words[1:], code=int(code[1]) if code else 0)
                if target is not None:
                    self.write(target, done.stdout)

    def test_command(self):
        self.run_examples("command.md")

    def test_contact_log(self):
        for i, block in enumerate(self.blocks("contact-log.md", "json-lines")):
            self.write("engine.jsonl" if i == 0 else "engine%d.jsonl" % i, block)
        self.run_examples("contact-log.md")

    def test_scene(self):
        """Two bricks, one on the other, on the ground: each pair touches in a full face with four corners, in both steps."""
        scene, = self.blocks("scene-format.md", "json")
        self.write("bricks.json", scene)
        self.assertEqual([step["contacts"] for step in self.json("simulate", "bricks.json", "--steps", "2")["steps"]], [8, 8])

    def test_scene_keys_are_those_of_the_schema(self):
        """The page lists the keys of the schema, and the example has no others."""
        scene, = self.blocks("scene-format.md", "json")
        schema = json.loads((SOURCE / "docs/scene.schema.json").read_text())
        self.assertLessEqual(set(json.loads(scene)), set(schema["properties"]))
        rows = re.findall(r"(?m)^- ((?:`\w+`(?:, )?)+): ", (SOURCE / "docs/scene-format.md").read_text())
        self.assertEqual(set(re.findall("`(.*?)`", " ".join(rows))), set(schema["properties"]))

    def test_every_verb_and_option_is_in_the_reference(self):
        text = (SOURCE / "docs/command.md").read_text()
        for verb in re.findall(r"(?m)^  (\w+(?: \w+)?)  +\S", self.text("--help")):
            if verb == "help VERB":
                continue
            self.assertRegex(text, r"(?m)^## .*`abut %s`" % verb)
            for option in re.findall(r"(?m)^  --([a-z-]+)", self.text(*verb.split(), "--help")):
                self.assertTrue("`--" + option in text, "docs/command.md does not know --%s of %s" % (option, verb))


if __name__ == "__main__":
    main()
