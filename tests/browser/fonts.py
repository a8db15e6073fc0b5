"""Two fonts that the tests bring along, so that their result does not depend on the fonts of the machine.

Both are Noto Sans from the prints, stretched sideways. `Wide` is 15 % wider than Noto Sans (DejaVu Sans is 7 % wider,
its bold 14 %); `Narrow` is 8 % narrower.
"""

from base64 import b64encode
from functools import cache
from io import BytesIO
from json import dumps

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from league.prints.pdf.letters import FONTS

WIDTHS = {"Wide": 1.15, "Narrow": 0.92}
FILES = {400: "NotoSans-Regular.ttf", 700: "NotoSans-Bold.ttf"}
LETTERS = [*range(0x20, 0x180), *range(0x2000, 0x2070), 0x20AC]  # for French, Spanish and German

# The pages' policy allows no foreign font files; it doesn't apply to fonts passed as bytes.
SCRIPT = """{
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  for (const [family, weight, file] of %s) document.fonts.add(new FontFace(family, bytes(file), { weight }));
  const sheet = new CSSStyleSheet();
  window.setFont = (family) => sheet.replaceSync(`:root { --text: ${family}, sans-serif; --head: var(--text); }`);
  window.setFont("Wide");
  document.adoptedStyleSheets = [sheet];
}"""


@cache
def script() -> str:
    """Return a script that sets a page in the wide font; `setFont("Narrow")` changes it."""
    return SCRIPT % dumps(
        [
            (family, str(weight), b64encode(stretch(file, factor)).decode())
            for family, factor in WIDTHS.items()
            for weight, file in FILES.items()
        ]
    )


def stretch(file: str, factor: float) -> bytes:
    """Return a font whose letters are wider by `factor` and as high as before."""
    font = TTFont(FONTS / file)
    cutter = Subsetter(Options(hinting=False, layout_features=[], notdef_outline=True))
    cutter.populate(unicodes=LETTERS)
    cutter.subset(font)
    glyphs = font["glyf"]
    for name in font.getGlyphOrder():
        glyph = glyphs[name]
        if glyph.isComposite():
            for part in glyph.components:
                part.x = round(part.x * factor)
        elif glyph.numberOfContours:
            glyph.coordinates.scale((factor, 1))
            glyph.coordinates.toInt()
        width, left = font["hmtx"][name]
        font["hmtx"][name] = (round(width * factor), round(left * factor))
    file_made = BytesIO()
    font.save(file_made)
    return file_made.getvalue()
