# SPDX-License-Identifier: MIT
"""mutations.py: small changes to C functions, for mutants.py

Knows as much C as the formatted sources of this project need. Only code inside functions is changed: no comments,
strings, preprocessor lines, assertions, types or array sizes. A change keeps the number of lines.
"""
import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<skip>\s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<text>L?"(?:[^"\\\n]|\\.)*" | L?'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>\.\.\. | <<= | >>= | -> | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\| | [-+*/%&|^]= | .)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

KEYWORDS = {"return", "case", "else", "do", "if", "while", "for", "switch", "goto", "sizeof", "break", "continue"}
QUALIFIERS = {"static", "inline", "const", "ABUT_API"}
ASSERTIONS = {"ABUT_ASSERT", "assert", "static_assert", "_Static_assert"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
EXCHANGED = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
REAL = {"double", "float"}
WHOLE = re.compile(r"(?:unsigned |signed )?(?:int|long|char|short|bool|_Bool|size_t|ptrdiff_t|u?int\d+_t)$")
MIN_MAX = re.compile(r"(f|(?:\w+_)?)(min|max)(f?)$")


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Function:
    name: str
    type: str  # of its result, without qualifiers; empty if not understood
    begin: int  # token after the opening brace
    end: int  # token of the closing brace


@dataclass(frozen=True)
class Mutation:
    path: str
    function: str
    operator: str
    line: int
    start: int  # characters of the file, replaced by `text`
    end: int
    text: str
    before: str  # the changed lines, on one line
    after: str
    key: str = ""  # names the mutation, also after the lines have moved
    place: str = ""  # names its line in the same way

    def apply(self, source):
        return source[:self.start] + self.text + source[self.end:]


def tokens_of(source):
    return [Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(source) if m.lastgroup != "skip"]


def matches_of(tokens):
    """The index of the partner of every bracket."""
    partner, open_ones = {}, []
    for i, token in enumerate(tokens):
        if token.kind == "sign" and token.text in OPENING:
            open_ones.append(i)
        elif token.kind == "sign" and token.text in CLOSING and open_ones:
            begin = open_ones.pop()
            partner[begin], partner[i] = i, begin
    return partner


def functions_of(tokens, partner):
    i, begin = 0, 0
    while i < len(tokens):
        text = tokens[i].text
        if text == "{" and i > 0 and tokens[i - 1].text == ")":
            opening = partner[i - 1]
            words = [token.text for token in tokens[begin:opening - 1] if token.text not in QUALIFIERS]
            kind = " ".join(words) if "(" not in words else ""
            yield Function(tokens[opening - 1].text, kind, i + 1, partner[i])
        i = partner[i] + 1 if text in OPENING and i in partner else i + 1
        if text in (";", "{"):
            begin = i


class Body:
    """The changes to one function. `found` gets (operator, start, end, text) in characters of the file."""

    def __init__(self, source, tokens, partner, function):
        self.source, self.tokens, self.partner, self.function = source, tokens, partner, function
        self.found = []
        self.fixed = set()  # tokens that stay: types, declarators, assertions
        i = function.begin
        while i < function.end:
            i = self.statement(i)
        for i in range(function.begin, function.end):
            if i not in self.fixed:
                self.expression(i)

    def add(self, operator, first, last, text):
        """Replaces the tokens first to last."""
        self.found.append((operator, self.tokens[first].start, self.tokens[last].end, text))

    def text(self, first, end):
        return self.source[self.tokens[first].start:self.tokens[end - 1].end] if first < end else ""

    def is_sign(self, i, *signs):
        return self.tokens[i].kind == "sign" and self.tokens[i].text in signs

    def find(self, i, *signs):
        """The next of these signs that is in no bracket."""
        while not self.is_sign(i, *signs):
            i = self.partner[i] + 1 if self.is_sign(i, *OPENING) else i + 1
        return i

    def statement(self, i):
        """Collects the changes to a statement as a whole and returns the token after it."""
        word = self.tokens[i].text
        if word == "{":
            end, i = self.partner[i], i + 1
            while i < end:
                i = self.statement(i)
            return end + 1
        if word in ("if", "while", "for", "switch"):
            return self.headed(i, word)
        if word == "else":
            return i + 1
        if word == "do":
            return self.find(self.statement(i + 1), ";") + 1
        if word in ("case", "default") or self.is_sign(i + 1, ":"):
            return self.find(i, ":") + 1
        end = self.find(i, ";")
        if word in ("break", "continue") or (word == "return" and end == i + 1):
            self.add("drop jump", i, end, ";")
        elif word == "return":
            self.returned(i + 1, end)
        elif word != "goto":
            self.simple(i, end)
        return end + 1

    def headed(self, i, word):
        end = self.partner[i + 1]
        if word in ("if", "while"):
            self.add("negate condition", i + 2, end - 1, f"!({self.text(i + 2, end)})")
        elif word == "for" and self.is_declaration(i + 2):
            self.declaration(i + 2, self.find(i + 2, ";"))
        return end + 1

    def is_declaration(self, i):
        first, second = self.tokens[i], self.tokens[i + 1]
        if first.text in ("static", "const", "struct", "union", "enum", "unsigned"):
            return True
        return first.kind == "name" and first.text not in KEYWORDS and (second.kind == "name" or second.text == "*")

    def simple(self, i, end):
        if i == end:
            return
        if self.tokens[i].text in ASSERTIONS or self.text(i, i + 3) == "(void)":
            self.fixed.update(range(i, end))
        elif self.is_declaration(i):
            self.declaration(i, end)
        else:
            self.add("delete statement", i, end, ";")

    def declaration(self, i, end):
        """Types and declarators stay; initial values may change, but not those of constants with storage."""
        if self.tokens[i].text == "static":
            self.fixed.update(range(i, end))
            return
        while i < end:
            value = min(self.find(i, "=", ",", ";"), end)
            self.fixed.update(range(i, value))
            i = min(self.find(value, ",", ";"), end) + 1
            if self.is_result(self.tokens[value - 1].text, i):
                self.fixed.update(range(value, i))

    def is_result(self, name, i):
        """Whether a variable is first used as &name: a call sets it, and its initial value is only a precaution."""
        while i < self.function.end and self.tokens[i].text != name:
            i += 1
        return i < self.function.end and self.is_sign(i - 1, "&")

    def returned(self, i, end):
        """Another value; the expression is still evaluated."""
        kind, old = self.function.type, self.text(i, end)
        if not kind:
            return
        if "*" in kind:
            new = None if old == "NULL" else "NULL"
        elif kind == "abut_status":
            new = "ABUT_NO_MEMORY" if old == "ABUT_OK" else "ABUT_OK"
        elif kind in REAL:
            new = "1.0" if old == "0.0" else "0.0"
        elif WHOLE.match(kind):
            new = "1" if old == "0" else "0"
        else:
            new = f"({kind}){{0}}"
        if new:
            constant = end == i + 1 and (self.tokens[i].kind == "number" or old.startswith("ABUT_"))
            self.fixed.update([i] if constant else [])
            self.add("replace return value", i, end - 1, new if constant else f"((void)({old}), {new})")

    def expression(self, i):
        token, before = self.tokens[i], self.tokens[i - 1]
        if token.kind == "number":
            self.constant(i)
        elif token.kind == "name" and self.is_sign(i + 1, "("):
            match = MIN_MAX.match(token.text)
            if match:
                other = "max" if match[2] == "min" else "min"
                self.add("swap min and max", i, i, match[1] + other + match[3])
        elif token.kind == "sign":
            is_binary = before.kind in ("name", "number") and before.text not in KEYWORDS or before.text in (")", "]")
            for other in COMPARISONS.get(token.text, ()):
                self.add("change comparison", i, i, other)
            if token.text in EXCHANGED and is_binary:
                self.add("swap + and -", i, i, EXCHANGED[token.text])
            if token.text in ("&&", "||"):
                self.operands(i)
            if token.text == "?":
                first = self.left_end(i, {"?", ":"})
                self.add("negate condition", first, i - 1, f"!({self.text(first, i)})")

    def constant(self, i):
        text = self.tokens[i].text
        if text == "0" and self.is_sign(i - 1, "{") and self.is_sign(i + 1, "}"):
            return  # the usual {0}
        digits = re.match(r"(0[xX][\da-fA-F]+|\d+)([uUlL]*)$", text)
        if digits:
            value = int(digits[1], 0)
            new = [value + 1, *([0] if value == 1 else [])]
            changed = [str(v) + digits[2] for v in new]
        else:
            number, suffix = re.match(r"(.*?)([fFlL]?)$", text).groups()
            value = float.fromhex(number) if number.startswith("0x") else float(number)
            changed = [repr(value + 1.0 if value < 1000.0 else value * 2.0) + suffix]
        for new in changed:
            self.add("change constant", i, i, new)

    def left_end(self, i, stops):
        """The first token of the operand that ends before token i."""
        while True:
            before = self.tokens[i - 1].text
            if before in stops | {"(", "[", "{", "}", ",", ";"} | ASSIGNMENTS | KEYWORDS:
                return i
            i = self.partner[i - 1] if self.is_sign(i - 1, ")", "]") else i - 1

    def operands(self, i):
        """Drops the operand to the left or right of && or ||."""
        stops = {"||", "?", ":"} | ({"&&"} if self.tokens[i].text == "&&" else set())
        first, end = self.left_end(i, stops), i + 1
        while not (self.is_sign(end, *CLOSING, ",", ";", *stops)):
            end = self.partner[end] + 1 if self.is_sign(end, *OPENING) else end + 1
        self.add("drop operand", first, i, "")
        self.add("drop operand", i, end - 1, "")


def rank(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def one_line(text):
    return " ".join(text.split())


def without_comments(source):
    """Blanks for comments: they are no part of a line's name, and the rest keeps its place."""
    def blank(match):
        is_comment = match.lastgroup == "skip" and match.group().startswith("/")
        return re.sub(r"[^\n]", " ", match.group()) if is_comment else match.group()
    return TOKEN.sub(blank, source)


def mutations_of(path, source):
    """All changes to the functions of a file. Equal ones of a function are told apart by their order."""
    source = without_comments(source)
    tokens = tokens_of(source)
    partner = matches_of(tokens)
    counts, places = defaultdict(int), {}
    for function in functions_of(tokens, partner):
        found = sorted(Body(source, tokens, partner, function).found, key=lambda f: (f[1], f[2], f[0], f[3]))
        for operator, start, end, text in found:
            text += "\n" * (source.count("\n", start, end) - text.count("\n"))
            line = source.count("\n", 0, start) + 1
            first = source.rfind("\n", 0, start) + 1
            last = source.find("\n", end)
            before, after = one_line(source[first:last]), one_line(source[first:start] + text + source[end:last])
            if line not in places:
                words = (path, function.name, one_line(source[first:source.find("\n", start)]))
                counts[words] += 1
                places[line] = rank(*words, counts[words])
            words = (path, function.name, operator, before, after)
            counts[words] += 1
            yield Mutation(path, function.name, operator, line, start, end, text, before, after,
                           rank(*words, counts[words])[:10], places[line])


def choice_of_lines(mutations, seed):
    """One change for every line, in an order that depends on the seed and the text of the line alone: an edit of one
    function leaves the choice elsewhere as it is. On a line every operator has the same chance."""
    lines = defaultdict(lambda: defaultdict(list))
    for mutation in mutations:
        lines[mutation.path, mutation.place][mutation.operator].append(mutation)
    for (_, place), operators in sorted(lines.items(), key=lambda item: rank(seed, item[0][1])):
        operator = min(operators, key=lambda name: rank(seed, place, name))
        yield min(operators[operator], key=lambda mutation: rank(seed, mutation.key))


def shares(sizes, count):
    """`count` divided in proportion to the sizes; everyone gets at least one if there are enough."""
    least = 1 if count >= len(sizes) else 0
    total = sum(sizes.values())
    exact = {name: max(least, count * size / total) for name, size in sizes.items()}
    result = {name: int(value) for name, value in exact.items()}
    order = sorted(exact, key=lambda name: (result[name] - exact[name], name))
    while sum(result.values()) < count:
        result[order[0]] += 1
        order.append(order.pop(0))
    while sum(result.values()) > count:
        result[max(result, key=lambda name: (result[name] - exact[name], result[name]))] -= 1
    return result
