"""Makes the documents of this folder, each by its kind's own library, with what readers get wrong.

Run it beside itself after a change, and commit what it made:

    python3 -m venv .venv
    .venv/bin/pip install python-docx==1.2.0 python-pptx==1.0.2 openpyxl==3.1.5 odfpy==1.4.1 \
        EbookLib==0.20 nbformat==5.11.1 msoffcrypto-tool==6.1.0 pyzipper==0.4.0
    .venv/bin/python make.py

CI has no Python: the tests read what lies here.
"""

import datetime
import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import docx
import msoffcrypto
import nbformat.v4 as nb
import openpyxl
import pptx
import pyzipper
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from ebooklib import epub
from odf import dc, draw, office, opendocument, presentation, style, table, text
from openpyxl.styles import NamedStyle
from pptx.util import Inches

HERE = Path(__file__).parent
W = nsdecls("w")


def make_docx():
    document = docx.Document()
    document.core_properties.title = "Field notes on apes"
    document.add_heading("Field notes", 0)
    document.add_heading("Methods", 1)
    document.add_paragraph("We counted from the tower.")
    # A style of another language: only its outline says that it is a heading.
    own = document.styles.add_style("Berschrift", WD_STYLE_TYPE.PARAGRAPH)
    own.element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {W} w:val="1"/>'))
    derived = document.styles.add_style("Abgeleitet", WD_STYLE_TYPE.PARAGRAPH)
    derived.base_style = own
    document.add_paragraph("Ergebnisse der Zählung", style="Abgeleitet")
    paragraph = document.add_paragraph("Apes climb ")
    deleted = f'<w:del {W} w:id="1" w:author="x"><w:r><w:delText>never </w:delText></w:r></w:del>'
    inserted = f'<w:ins {W} w:id="2" w:author="x"><w:r><w:t xml:space="preserve">high </w:t></w:r></w:ins>'
    for run in (deleted, inserted):
        paragraph._p.append(parse_xml(run))
    paragraph.add_run("in the ").bold = True
    paragraph.add_run("evening.")
    document.add_comment(paragraph.runs, text="Which evening?", author="R. Owl")
    document.add_paragraph("bananas", style="List Bullet")
    document.add_paragraph("figs", style="List Bullet")
    broken_line = document.add_paragraph("first line")
    broken_line.add_run().add_break()
    broken_line.add_run("second line\tafter a tab")
    grid = document.add_table(rows=2, cols=3)
    for cell, value in zip([*grid.rows[0].cells, *grid.rows[1].cells], ["ape", "height", "", "Koko", "12 m", "tall"]):
        cell.text = value
    nested = grid.cell(1, 2).add_table(rows=1, cols=2)
    nested.cell(0, 0).text, nested.cell(0, 1).text = "inner", "table"
    box = (
        f'<w:r {nsdecls("w", "wp", "a")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml">'
        '<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>'
        "<w:txbxContent><w:p><w:r><w:t>Said in a box.</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp></a:graphicData>"
        "</a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r>"
        "<w:t>Said in a box.</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    document.add_paragraph("Around the box.")._p.append(parse_xml(box))
    document.save(HERE / "apes.docx")
    add_footnote(HERE / "apes.docx")


def add_footnote(path):
    """The library has none: the parts are put in by hand, as Word writes them."""
    note = (
        f'<w:footnotes {W}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> Counted by hand.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    relation = (
        '<Relationship Id="rIdNotes" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" '
        'Target="footnotes.xml"/></Relationships>'
    )
    content = (
        '<Override PartName="/word/footnotes.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>'
    )
    with zipfile.ZipFile(path) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    reference = b'from the tower.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
    parts["word/document.xml"] = parts["word/document.xml"].replace(b"from the tower.</w:t></w:r>", reference)
    rels = "word/_rels/document.xml.rels"
    parts[rels] = parts[rels].replace(b"</Relationships>", relation.encode())
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", content.encode())
    parts["word/footnotes.xml"] = note.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            target.writestr(name, data)


def make_xlsx():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Counts"
    sheet.append(["animal", "seen", "share", "counted", "rainy", "sum"])
    sheet.append(["bear", 4, 0.1 + 0.2, datetime.date(2024, 3, 1), True, "=B2*2"])
    sheet["A40"] = "ape climbs high in the evening"
    sheet["B40"] = 12345678.5
    sheet["D40"] = datetime.datetime(2024, 2, 29, 14, 30)
    sheet["D41"] = datetime.time(6, 15)
    sheet["D42"] = datetime.timedelta(hours=36)
    sheet["XFD41"] = "far to the right"
    sheet["E41"] = "#DIV/0!"
    sheet.merge_cells("A43:C43")
    sheet["A43"] = "three in one"
    german = NamedStyle("german", number_format='[$-407]D. MMMM YYYY;@')
    sheet["D44"] = datetime.date(1999, 12, 31)
    sheet["D44"].style = german
    sheet["A44"] = 5
    sheet["A44"].number_format = '0 "days"'
    hidden = book.create_sheet("Secret | notes")
    hidden.sheet_state = "hidden"
    hidden["B2"] = "two\nlines"
    book.create_sheet("Empty")
    book.save(HERE / "apes.xlsx")
    old = openpyxl.Workbook()
    old.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    old.active["A1"] = datetime.date(2024, 3, 1)
    old.save(HERE / "mac-1904.xlsx")


def make_pptx():
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "Bears", "Bears swim far."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    box = second.shapes.add_textbox(Inches(1), Inches(3), Inches(4), Inches(1))
    box.text_frame.text = "Said before the title, in the file."
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(1), Inches(1)).text_frame.text = "Apes climb high in the evening."
    grid = second.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    for (row, column), value in {(0, 0): "ape", (0, 1): "height", (1, 0): "Koko", (1, 1): "12 m"}.items():
        grid.cell(row, column).text = value
    # The title comes last among the shapes.
    second.shapes.title.text = "Apes"
    tree = second.shapes._spTree
    title = second.shapes.title._element
    tree.remove(title)
    tree.append(title)
    second.notes_slide.notes_text_frame.text = "Say this slowly."
    third = deck.slides.add_slide(deck.slide_layouts[5])
    third.shapes.title.text = "Shown first"
    order = deck.slides._sldIdLst
    order.insert(0, order[-1])
    deck.save(HERE / "apes.pptx")


def make_odt():
    document = opendocument.OpenDocumentText()
    document.meta.addElement(dc.Title(text="Field notes on apes"))
    body = document.text
    body.addElement(text.H(outlinelevel=1, text="Apes"))
    paragraph = text.P(text="Apes climb")
    paragraph.addElement(text.S(c=1))
    span = text.Span(text="high in the ")
    paragraph.addElement(span)
    paragraph.addText("evening.")
    note = text.Note(noteclass="footnote")
    note.addElement(text.NoteCitation(text="1"))
    inner = text.NoteBody()
    inner.addElement(text.P(text="Counted by hand."))
    note.addElement(inner)
    paragraph.addElement(note)
    comment = office.Annotation()
    comment.addElement(dc.Creator(text="R. Owl"))
    comment.addElement(text.P(text="Which evening?"))
    paragraph.addElement(comment)
    body.addElement(paragraph)
    items = text.List()
    for word in ("bananas", "figs"):
        item = text.ListItem()
        item.addElement(text.P(text=word))
        items.addElement(item)
    body.addElement(items)
    lines = text.P(text="first line")
    lines.addElement(text.LineBreak())
    lines.addText("second line")
    lines.addElement(text.Tab())
    lines.addText("after a tab")
    body.addElement(lines)
    body.addElement(make_odf_table([["ape", "height"], ["Koko", "12 m"]]))
    document.save(HERE / "apes.odt")


def make_odf_table(rows, name="Heights"):
    grid = table.Table(name=name)
    for values in rows:
        row = table.TableRow()
        for value in values:
            cell = table.TableCell(valuetype="string")
            cell.addElement(text.P(text=value))
            row.addElement(cell)
        grid.addElement(row)
    return grid


def make_odp():
    deck = opendocument.OpenDocumentPresentation()
    layout = style.PageLayout(name="layout")
    deck.automaticstyles.addElement(layout)
    master = style.MasterPage(name="master", pagelayoutname=layout)
    deck.masterstyles.addElement(master)
    for title, said, notes in [("Bears", "Bears swim far.", ""), ("Apes", "Apes climb high in the evening.", "Say this slowly.")]:
        page = draw.Page(name=title, masterpagename=master)
        for words, kind in [(said, "outline"), (title, "title")]:
            frame = draw.Frame(width="10cm", height="5cm")
            frame.setAttrNS(presentation.PRESENTATIONNS, "class", kind)
            box = draw.TextBox()
            box.addElement(text.P(text=words))
            frame.addElement(box)
            page.addElement(frame)
        if notes:
            spoken = presentation.Notes()
            frame = draw.Frame(width="10cm", height="5cm")
            box = draw.TextBox()
            box.addElement(text.P(text=notes))
            frame.addElement(box)
            spoken.addElement(frame)
            page.addElement(spoken)
        deck.presentation.addElement(page)
    deck.save(HERE / "apes.odp")


def make_ods():
    book = opendocument.OpenDocumentSpreadsheet()
    grid = make_odf_table([["animal", "seen", "counted"]], "Counts")
    gap = table.TableRow(numberrowsrepeated="38")
    gap.addElement(table.TableCell(numbercolumnsrepeated="1024"))
    grid.addElement(gap)
    row = table.TableRow()
    said = table.TableCell(valuetype="string")
    said.addElement(text.P(text="ape climbs high in the evening"))
    number = table.TableCell(valuetype="float", value="12345678.5")
    number.addElement(text.P(text="12,345,679"))
    day = table.TableCell(valuetype="date", datevalue="2024-03-01")
    day.addElement(text.P(text="01.03.24"))
    for cell in (said, number, day):
        row.addElement(cell)
    grid.addElement(row)
    rest = table.TableRow(numberrowsrepeated="1048535")
    rest.addElement(table.TableCell(numbercolumnsrepeated="16384"))
    grid.addElement(rest)
    book.spreadsheet.addElement(grid)
    alike = table.Table(name="Alike")
    twice = table.TableRow(numberrowsrepeated="2")
    same = table.TableCell(valuetype="boolean", booleanvalue="true", numbercolumnsrepeated="2")
    same.addElement(text.P(text="WAHR"))
    twice.addElement(same)
    alike.addElement(twice)
    book.spreadsheet.addElement(alike)
    book.save(HERE / "apes.ods")


def make_epub():
    book = epub.EpubBook()
    book.set_identifier("apes")
    book.set_title("Field notes on apes")
    book.set_language("en")
    bears = epub.EpubHtml(title="Of bears", file_name="text/a chapter.xhtml")
    bears.content = "<p>Bears swim far &amp; wide.</p>"
    apes = epub.EpubHtml(title="Of apes", file_name="text/0.xhtml")
    apes.content = "<h1>Of apes</h1><p>Apes climb high in the <i>evening</i>.</p><h2>At night</h2><p>They sleep.</p>"
    book.add_item(bears)
    book.add_item(apes)
    book.toc = (bears, apes)
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    book.spine = ["nav", bears, apes]
    epub.write_epub(HERE / "apes.epub", book)


def make_notebook():
    code = nb.new_code_cell("print('climbs')\nplot()")
    code.outputs = [
        nb.new_output("stream", text="\x1b[31mclimbs\x1b[0m high\n"),
        nb.new_output("display_data", data={"image/png": "aGVsbG8=" * 40, "text/plain": "<Figure 640x480>"}),
        nb.new_output("error", ename="ValueError", evalue="no ape", traceback=["\x1b[31m..."]),
    ]
    cells = [
        nb.new_markdown_cell("# Apes\n\nBears swim far."),
        code,
        nb.new_markdown_cell("Apes climb high in the evening.\n\n![](attachment:a.png)"),
    ]
    book = nb.new_notebook(cells=cells)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    (HERE / "apes.ipynb").write_text(json.dumps(book, indent=1))


def make_mail():
    message = EmailMessage()
    message["Subject"] = "Über Affen am Abend"
    message["From"] = "Rita Öwl <rita@example.org>"
    message["To"] = "team@example.org, Koko <koko@example.org>"
    message["Date"] = "Fri, 01 Mar 2024 14:30:00 +0100"
    message.set_content("Apes climb high in the evening.\n\n-- \nRita", cte="quoted-printable")
    message.add_alternative("<p>Apes climb <b>high</b> in the evening.</p>", subtype="html")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="höhen.pdf")
    (HERE / "apes.eml").write_bytes(message.as_bytes())
    page = EmailMessage()
    page["Subject"] = "Apes"
    page["From"] = "<Saved by Blink>"
    page.set_content(
        "<html><head><title>Apes</title></head><body><h1>Apes</h1><p>Bears swim far.</p><p>Apes climb high in the evening.</p></body></html>",
        subtype="html",
    )
    page.add_related(b"\x89PNG", maintype="image", subtype="png", cid="<1>")
    (HERE / "apes.mhtml").write_bytes(page.as_bytes())


def make_encrypted():
    """Locked as Office does it, and as a zip is."""
    plain = (HERE / "apes.xlsx").read_bytes()
    locked = io.BytesIO()
    msoffcrypto.OfficeFile(io.BytesIO(plain)).encrypt("secret", locked)
    (HERE / "locked.xlsx").write_bytes(locked.getvalue())
    options = {"compression": pyzipper.ZIP_DEFLATED, "encryption": pyzipper.WZ_AES}
    with pyzipper.AESZipFile(HERE / "locked-zip.xlsx", "w", **options) as target:
        target.setpassword(b"secret")
        with zipfile.ZipFile(HERE / "apes.xlsx") as source:
            for entry in source.namelist():
                target.writestr(entry, source.read(entry))


for make in (make_docx, make_xlsx, make_pptx, make_odt, make_odp, make_ods, make_epub, make_notebook, make_mail, make_encrypted):
    make()
