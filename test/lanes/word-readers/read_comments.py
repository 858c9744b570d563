"""Reads commented Word documents with python-docx and lxml, next to the originals. Arguments: a JSON file.

Prints one line per document that isn't as it should be, and how many were read.
"""

import json
import sys
from zipfile import ZipFile

import docx
from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def texts(document):
    """All paragraphs, in tables and controls too, each with its runs and their formatting."""
    for paragraph in document.element.body.iter(W + "p"):
        yield [
            (run.tag, etree.tostring(properties) if (properties := run.find(W + "rPr")) is not None else b"", "".join(run.itertext(W + "t")))
            for run in paragraph.iter(W + "r")
            if run.find(W + "commentReference") is None
        ]


def without(root, ids):
    """Canonical XML without the elements of these comments."""
    for element in list(root.iter(W + "commentRangeStart", W + "commentRangeEnd", W + "commentReference")):
        if element.get(W + "id") not in ids:
            continue
        gone = element.getparent() if element.tag == W + "commentReference" else element
        parent, tail = gone.getparent(), gone.tail or ""
        before = gone.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
        parent.remove(gone)
    return etree.tostring(root, method="c14n2")


def faults(case):
    before, after = docx.Document(case["before"]), docx.Document(case["after"])
    found = {str(comment.comment_id): (comment.author, comment.text) for comment in after.comments}
    own = {str(comment.comment_id): (comment.author, comment.text) for comment in before.comments}
    added = {key: value for key, value in found.items() if key not in own}
    if any(found.get(key) != value for key, value in own.items()):
        yield "the author's comments changed"
    if sorted(text.split("\n")[-1] for _, text in added.values()) != sorted(case["comments"]):
        yield f"has the comments {added}"
    if list(texts(before)) != list(texts(after)):
        yield "runs changed"
    with ZipFile(case["before"]) as old, ZipFile(case["after"]) as new:
        if new.testzip() is not None:
            yield "a checksum is wrong"
        names = set(old.namelist())
        for name in names:
            if name == case["main"] or "comments" in name or "notes1" in name:
                continue
            same = old.read(name) == new.read(name)
            declares = name == "[Content_Types].xml" or name.endswith(".rels")
            if not same and not declares:
                yield f"{name} changed"
        parse = lambda archive: etree.fromstring(archive.read(case["main"]))
        if without(parse(new), set(added)) != without(parse(old), set()):
            yield "the document changed"


with open(sys.argv[1]) as file:
    cases = json.load(file)
for each in cases:
    for fault in faults(each):
        print(f"{each['after']}: {fault}")
        sys.exitCode = 1
print(f"{len(cases)} documents, {sum(len(each['comments']) for each in cases)} comments")
sys.exit(getattr(sys, "exitCode", 0))
