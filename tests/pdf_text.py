"""What a reader sees in a PDF of league/prints: the words of each page with where they stand, and its boxes.

Reads only what fpdf2 writes: streams packed with zlib, fonts of two bytes a letter with a ToUnicode table.
"""

import re
import zlib
from dataclasses import dataclass

POINTS_TO_MM = 25.4 / 72


@dataclass(frozen=True)
class Words:
    text: str
    x: float  # millimetres from the left and from the bottom; turned text keeps the place it had before it was turned
    y: float
    size: float
    bold: bool


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    words: tuple[Words, ...]

    @property
    def text(self) -> str:
        return "\n".join(one.text for one in self.words)


def pages(data: bytes) -> list[Page]:
    objects = {int(number): body for number, body in re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", data, re.DOTALL)}
    fonts: dict[str, tuple[dict[int, str], bool]] = {}
    for name, number in set(re.findall(rb"/(F\d+) (\d+) 0 R", data)):
        font = objects[int(number)]
        table = _stream(objects[_reference(font, b"ToUnicode")]).decode()
        letters = {int(code, 16): _letters(to) for code, to in re.findall(r"<(\w{4})> <(\w+)>", table)}
        fonts[name.decode()] = letters, b"Bold" in font
    found = []
    for number in sorted(number for number, body in objects.items() if re.search(rb"/Type /Page\b", body)):
        body = objects[number]
        box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body) or re.search(
            rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data
        )
        assert box
        content = _stream(objects[_reference(body, b"Contents")]).decode("latin-1")
        width, height = (float(side) * POINTS_TO_MM for side in box.groups())
        scale, left, up = _fitted(content)
        words = (
            Words(one.text, one.x * scale + left, one.y * scale + up, one.size * scale, one.bold)
            for one in _words(content, fonts)
        )
        found.append(Page(width, height, tuple(words)))
    return found


def _fitted(content: str) -> tuple[float, float, float]:
    """How a page for another paper is fitted to it: its scale, and how far it is moved in millimetres."""
    matrix = re.search(r"^q ([\d.]+) 0 0 \1 ([-\d.]+) ([-\d.]+) cm$", content, re.MULTILINE)
    if matrix is None:
        return 1.0, 0.0, 0.0
    scale, left, up = map(float, matrix.groups())
    return scale, left * POINTS_TO_MM, up * POINTS_TO_MM


def text(data: bytes) -> str:
    return "\n".join(page.text for page in pages(data))


def _reference(body: bytes, key: bytes) -> int:
    found = re.search(rb"/" + key + rb" (\d+) 0 R", body)
    assert found, key
    return int(found[1])


def _stream(body: bytes) -> bytes:
    start = body.index(b"stream\n") + len(b"stream\n")
    packed = body[start : body.rindex(b"\nendstream")]
    return zlib.decompress(packed) if b"/FlateDecode" in body else packed


def _letters(code: str) -> str:
    return bytes.fromhex(code).decode("utf-16-be")


def _words(content: str, fonts: dict[str, tuple[dict[int, str], bool]]) -> list[Words]:
    made = []
    letters: dict[int, str] = {}
    size, bold = 0.0, False
    string = r"\(((?:\\.|[^\\()])*)\) Tj"  # letters that join or pile up stand in several
    shown = rf"/(F\d+) ([\d.]+) Tf|BT ([-\d.]+) ([-\d.]+) Td ((?:(?:(?! ET)[^()])*{string})+)[^()]*? ET"
    for font, points, x, y, strings, _ in re.findall(shown, content, re.DOTALL):
        if font:
            letters, bold = fonts[font]
            size = float(points)
            continue
        codes = "".join(re.findall(string, strings, re.DOTALL))
        raw = re.sub(r"\\(.)", lambda found: {"r": "\r", "n": "\n"}.get(found[1], found[1]), codes, flags=re.DOTALL)
        units = raw.encode("latin-1")
        said = "".join(letters[units[at] << 8 | units[at + 1]] for at in range(0, len(units), 2))
        made.append(Words(said, float(x) * POINTS_TO_MM, float(y) * POINTS_TO_MM, size, bold))
    return made
