"""Creates the four PDFs of the example workspace (files/papers).

After a change, run it in this folder, commit the PDFs, then run `npm run example`:

    python3 -m venv .venv
    .venv/bin/pip install reportlab==5.1.0
    .venv/bin/python make_papers.py

CI has no Python, so `npm run example` and the tests read the committed files.
"""

from pathlib import Path

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing, String
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

HERE = Path(__file__).parent
PAPERS = HERE / "files" / "papers"
INVENTED = "Written for the example of Workspace Research. The town, the people, and the figures are invented."

TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=18, leading=22, alignment=TA_CENTER, spaceAfter=6)
AUTHORS = ParagraphStyle("authors", fontName="Times-Italic", fontSize=11, leading=14, alignment=TA_CENTER, spaceAfter=14)
HEADING = ParagraphStyle("heading", fontName="Times-Bold", fontSize=12.5, leading=16, spaceBefore=10, spaceAfter=4)
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=15, alignment=TA_JUSTIFY, spaceAfter=6)
ABSTRACT = ParagraphStyle("abstract", parent=BODY, leftIndent=12 * mm, rightIndent=12 * mm, fontSize=10.5, leading=14)
CAPTION = ParagraphStyle("caption", fontName="Times-Italic", fontSize=9.5, leading=12, spaceAfter=8)


def footer(canvas, document):
    canvas.saveState()
    canvas.setFont("Times-Roman", 8.5)
    canvas.setFillColor(colors.HexColor("#555555"))
    canvas.drawString(25 * mm, 14 * mm, INVENTED)
    canvas.drawRightString(A4[0] - 25 * mm, 14 * mm, str(document.page))
    canvas.restoreState()


def table(rows, caption):
    drawn = Table(rows, hAlign="LEFT", colWidths=[44 * mm] + [28 * mm] * (len(rows[0]) - 1))
    drawn.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, 0), "Times-Bold", 10),
                ("FONT", (0, 1), (-1, -1), "Times-Roman", 10),
                ("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.black),
                ("LINEBELOW", (0, 0), (-1, 0), 0.4, colors.black),
                ("LINEBELOW", (0, -1), (-1, -1), 0.8, colors.black),
                ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ]
        )
    )
    return [drawn, Spacer(1, 2 * mm), Paragraph(caption, CAPTION)]


def bars(names, values, caption):
    drawing = Drawing(400, 140)
    chart = VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = 40, 25, 330, 100
    chart.data = [values]
    chart.categoryAxis.categoryNames = names
    chart.categoryAxis.labels.fontName = chart.valueAxis.labels.fontName = "Times-Roman"
    chart.categoryAxis.labels.fontSize = chart.valueAxis.labels.fontSize = 8.5
    chart.valueAxis.valueMin = 0
    chart.bars[0].fillColor = colors.HexColor("#0b5d57")
    chart.bars[0].strokeColor = None
    drawing.add(chart)
    drawing.add(String(0, 128, "°C", fontName="Times-Roman", fontSize=8.5))
    return [drawing, Paragraph(caption, CAPTION)]


def paper(name, title, authors, year, abstract, pages):
    story = [
        Paragraph(title, TITLE),
        Paragraph(f"{authors} · Fernbrook Climate Notes, {year}", AUTHORS),
        Paragraph(f"<b>Abstract.</b> {abstract}", ABSTRACT),
    ]
    for at, blocks in enumerate(pages):
        if at > 0:
            story.append(PageBreak())
        for block in blocks:
            if isinstance(block, tuple):
                heading, *paragraphs = block
                story.append(Paragraph(heading, HEADING))
                story += [Paragraph(text, BODY) for text in paragraphs]
            else:
                story += block
    document = SimpleDocTemplate(
        str(PAPERS / name),
        pagesize=A4,
        leftMargin=25 * mm,
        rightMargin=25 * mm,
        topMargin=24 * mm,
        bottomMargin=24 * mm,
        title=title,
        author=authors.replace(" and ", ", "),
        subject=INVENTED,
        invariant=1,
        pageCompression=1,
    )
    document.build(story, onFirstPage=footer, onLaterPages=footer)


paper(
    "2021-street-trees.pdf",
    "Street trees and afternoon air temperature in Fernbrook",
    "A. Moreau and T. Lindqvist",
    2021,
    "We measured air temperature at 1.5 m height in five streets of a small town on five clear days in July 2021. "
    "Air under a closed canopy was 2.4 °C cooler than air over open asphalt at 15:00. The difference depends on how "
    "much of the street the crowns cover, and it disappears after sunset.",
    [
        [
            (
                "1 Introduction",
                "Fernbrook has 9,400 residents and no weather station of its own. Its main street was widened in 1974, "
                "and the lime trees on both sides were felled. Since then, residents have asked for shade in every "
                "public survey. The council wants to know what new trees would change, and where they should stand.",
                "Earlier work compares cities with their surroundings. A small town is different: no point in Fernbrook "
                "is further than 900 m from open fields. We therefore compare streets with each other, and not the town "
                "with the country.",
            ),
            (
                "2 Methods",
                "Each street had one shielded sensor on the northern pavement, 1.5 m above the ground. Sensors were "
                "compared side by side for two days before and after; they differed by at most 0.2 °C. Canopy cover was "
                "read from an aerial photograph taken in June 2021, within 25 m of each sensor.",
                "We use readings of 15:00 and 23:00 local time. Days with rain, or with wind above 4 m/s, were left out.",
            ),
        ],
        [
            (
                "3 Results",
                "Table 1 gives the means of the five days. The two streets with a closed canopy were the coolest at "
                "15:00, and the two without trees were the warmest.",
            ),
            table(
                [
                    ["Street", "Canopy (%)", "15:00 (°C)", "23:00 (°C)"],
                    ["Alder Street", "85", "31.6", "23.4"],
                    ["Church Lane", "80", "31.9", "23.5"],
                    ["Station Road", "35", "33.8", "23.4"],
                    ["Mill Road", "0", "34.0", "23.4"],
                    ["Market Square", "0", "34.3", "23.5"],
                ],
                "Table 1. Mean air temperature in five streets, 12 to 16 July 2021.",
            ),
            bars(
                ["Alder", "Church", "Station", "Mill", "Market"],
                [31.6, 31.9, 33.8, 34.0, 34.3],
                "Figure 1. Mean air temperature at 15:00.",
            ),
            (
                "3.1 How much cover is enough",
                "Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C. Station Road has "
                "35 percent, from 22 young maples: its crowns do not touch, and the sun reaches most of the asphalt. "
                "We can't say where between 40 and 80 percent the effect begins, because no street is in that range.",
            ),
        ],
        [
            (
                "4 Discussion",
                "The trees cool by shade and by evaporation. Both end in the evening: at 23:00 the tree-lined streets "
                "were no cooler than the open ones. Whoever plans for warm nights needs other measures.",
                "A new lime tree takes about 15 years to reach a crown of 6 m. The council should therefore plant in "
                "streets where crowns can close, and not spread single trees over the town.",
            ),
            (
                "5 Limits",
                "Five days and five streets are few. Street width, the colour of the fronts, and traffic also differ, "
                "and we did not measure them. The readings of 15:00 are in the file data/air-temperature.csv.",
            ),
        ],
    ],
)

paper(
    "2022-pale-roofs.pdf",
    "Pale roofs on two school buildings",
    "R. Okafor and L. Brandt",
    2022,
    "One of two equal school buildings got a pale roof coating in May 2022. At noon in June, the pale roof was 19 °C "
    "cooler than the dark roof, and the classroom below it was 1.8 °C cooler. Street-level air temperature did not "
    "change measurably.",
    [
        [
            (
                "1 The buildings",
                "The north and south buildings of Fernbrook School are copies of each other: one storey, flat roof, dark "
                "bitumen, 640 m² each. The roof of the north building was coated in May 2022. The south building "
                "stayed dark and serves as the comparison.",
            ),
            (
                "2 Results indoors",
                "Between 1 and 30 June, the classroom under the pale roof exceeded 28 °C on 4 school days, and the "
                "classroom under the dark roof on 11. Windows were opened as usual, and neither building has cooling.",
            ),
        ],
        [
            (
                "3 Results outdoors",
                "Two sensors on the pavement in front of the buildings showed no difference above their own error of "
                "0.2 °C. A roof of one storey is too small, and too far from the pavement, to cool the street.",
            ),
            (
                "4 Cost and durability",
                "The coating cost 14 euros per square metre. A patch that was painted on the gymnasium in 2020 shows how "
                "it ages: it had lost a fifth of its reflectance after two winters, mostly to moss and dust. Washing "
                "brought half of the loss back.",
            ),
            (
                "5 Conclusion",
                "A pale roof is a measure for the people below it. It is quick, and it needs no space. It does not "
                "replace shade in the street.",
            ),
        ],
    ],
)

paper(
    "2022-night-wind.pdf",
    "Night wind along the river path",
    "S. Haddad and A. Moreau",
    2022,
    "Cool air flows down the valley of the Fern on clear nights. We followed it with 14 sensors in August 2022. It "
    "lowers the air temperature near the water by 1.6 °C, but a closed row of buildings keeps it out of the centre.",
    [
        [
            (
                "1 Where the wind goes",
                "The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air "
                "temperature by 1.6 °C within 200 m of the water. Further away, the effect was below 0.3 °C.",
                "On cloudy nights there was no river wind, and no difference between the sensors.",
            ),
            (
                "2 What stops it",
                "The warehouses on Quay Street form a closed row of 180 m. Behind the warehouses, in Market Square, the "
                "wind was not found on any of 17 clear nights. The gap at the old weighbridge, 12 m wide, lets it "
                "through: sensors in its line were 0.9 °C cooler than their neighbours.",
            ),
        ],
        [
            (
                "3 What follows",
                "Two of the warehouses are empty. If the town replaced one of them with an open yard, the river wind "
                "could reach Market Square. We expect a nightly effect between 0.5 and 1 °C there, as at the "
                "weighbridge, but we have not modelled it.",
                "New buildings on the riverside should leave gaps of at least 12 m in the direction of the valley.",
            ),
        ],
    ],
)

paper(
    "2023-misting.pdf",
    "Misting at bus stops: a two-week trial",
    "L. Brandt and P. Vega",
    2023,
    "Two bus stops got mist nozzles for two weeks in July 2023. Passengers felt cooler, but the air was cooler only "
    "next to the nozzles, and the water use was high.",
    [
        [
            (
                "1 Trial",
                "Nozzles were mounted at the stops Market Square and Station. They ran from 12:00 to 18:00 when the air "
                "was above 30 °C, which was the case on 9 of 14 days. We asked 388 waiting passengers.",
            ),
            (
                "2 What passengers felt",
                "Passengers rated the stops with mist 1.1 points cooler on a scale of seven points. One in six moved "
                "away from the nozzles, most often because of wet glasses or clothes.",
            ),
        ],
        [
            (
                "3 What the sensors showed",
                "The effect on air temperature ended within 3 m of the nozzles. At the edge of the shelter, it was "
                "0.4 °C, and across the street nothing was measured.",
            ),
            (
                "4 Water and upkeep",
                "Each stop used 310 litres of water per day. The nozzles clogged twice, because the town's water is hard. "
                "We do not recommend permanent misting. A tree or a roof at the stop gives shade without upkeep of "
                "this kind.",
            ),
        ],
    ],
)
