"""Makes the pictures and scans of this folder: text as a scanner or a phone would bring it.

Run it beside itself after a change, and commit what it made. The fonts are those of Debian's packages fonts-dejavu-core and
fonts-wqy-microhei, whose place is the argument (`dpkg -x` unpacks them anywhere):

    python3 -m venv .venv
    .venv/bin/pip install Pillow==13.0.0
    .venv/bin/python make_scans.py /usr/share/fonts/truetype
"""

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent
FONTS = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype")
SERIF = FONTS / "dejavu/DejaVuSerif.ttf"
CHINESE = FONTS / "wqy/wqy-microhei.ttc"


def page(lines, size, font=SERIF):
    picture = Image.new("L", size, 255)
    pen = ImageDraw.Draw(picture)
    letters = ImageFont.truetype(str(font), 30)
    for row, line in enumerate(lines):
        pen.text((40, 40 + row * 50), line, font=letters, fill=0)
    return picture


def bits(picture):
    return picture.convert("1", dither=Image.Dither.NONE)


bits(page(["Apes climb high in the evening."], (640, 130))).save(HERE / "apes.png", optimize=True)

chinese = ["观测站工作报告", "望远镜在去年冬天修理完毕。"]
bits(page(chinese, (640, 190), CHINESE)).save(HERE / "station-zh.png", optimize=True)

# As a phone writes it: lying on its side, with a note of how to turn it.
exif = Image.Exif()
exif[0x0112] = 6
turned = page(["The lighthouse keeper counted", "forty ships before noon."], (640, 190)).rotate(90, expand=True)
turned.save(HERE / "turned.jpg", quality=40, exif=exif)

# A bit a pixel, as scanners of offices write (CCITT).
first = page(["Diary of the expedition", "", "We left the harbour at dawn", "with eleven dogs."], (700, 300))
second = page(["The glacier was crossed", "on the ninth of June."], (700, 300))
bits(first).save(HERE / "diary-scan.pdf", save_all=True, append_images=[bits(second)], resolution=150)
