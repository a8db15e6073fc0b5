"""Cut the prints' fonts for scripts beyond Noto Sans from Debian's packages fonts-noto-core and fonts-noto-cjk.

    python .ci/subset_fonts.py [FOLDER OF FONTS]

Writes league/prints/pdf/fonts/NotoSans<Script>.*; which letters each has follows from SCRIPTS in letters.py. Of
Chinese, Japanese and Korean: what GB 2312, Big5, Shift JIS and EUC-KR can write, some 19 700 letters, in the forms of
mainland China. Hints for screens are left out.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

sys.path.insert(0, str(Path(__file__).parents[1]))

from league.prints.pdf.letters import FONTS, SCRIPTS, WITHIN

EAST_ASIA = "NotoSansCJK"
MAINLAND_CHINA = 2  # its place in the collection
ENCODINGS = ("gb2312", "big5", "shift_jis", "euc_kr")


def main() -> None:
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts")
    for name in sorted(set(SCRIPTS.values())):
        letters = {code for of in SCRIPTS if SCRIPTS[of] == name for code in of}
        if name == EAST_ASIA:
            letters &= set(_in_use())
        _cut(next(source.rglob(f"{name}-Regular.*")), name, letters | set(map(ord, WITHIN)))


def _cut(file: Path, name: str, letters: set[int]) -> None:
    font = TTFont(file, fontNumber=MAINLAND_CHINA if file.suffix == ".ttc" else -1, recalcTimestamp=False)
    options = Options(hinting=False, notdef_outline=True, glyph_names=False)
    options.layout_features = [] if name == EAST_ASIA else ["*"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    made = FONTS / f"{name}.{'otf' if 'CFF ' in font else 'ttf'}"
    font.save(made)
    print(f"{made.name}: {len(font.getBestCmap())} letters, {made.stat().st_size // 1024} kB")


def _in_use() -> Iterator[int]:
    """The letters of two bytes in the encodings that were in use before Unicode."""
    for encoding in ENCODINGS:
        for first in range(0x81, 0x100):
            for second in range(0x40, 0x100):
                letter = bytes([first, second]).decode(encoding, "ignore")
                if len(letter) == 1:
                    yield ord(letter)


if __name__ == "__main__":
    main()
