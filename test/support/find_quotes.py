"""Looks for every quote of an exported evidence table in the files of its workspace.

Usage: find_quotes.py TABLE.xlsx FOLDER. Reads the export and the files only, with the standard library. Prints the
number of cells and of quotes as JSON, with what wasn't found.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as xml
import zipfile

NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of(book, sheet):
    root = xml.fromstring(book.read(f"xl/worksheets/sheet{sheet}.xml"))
    for row in root.iter(f"{NAMESPACE}row"):
        yield ["".join(cell.itertext()) for cell in row.iter(f"{NAMESPACE}c")]


def main(table, folder):
    with zipfile.ZipFile(table) as book:
        (headings, *rows), (_, *quotes) = rows_of(book, 1), rows_of(book, 2)
    stated = {(path, column): value for _, path, *cells in rows for column, value in zip(headings[2:], cells)}
    lost = []
    for _, path, column, value, quote, place in quotes:
        text = (pathlib.Path(folder) / path).read_bytes().decode()
        first, _, last = place.rpartition(":")[2].partition("-")
        lines = "\n".join(text.split("\n")[int(first) - 1 : int(last or first)])
        if quote not in lines or value not in quote or stated[path, column] != value:
            lost.append([path, column, quote])
    print(json.dumps({"cells": len(stated), "quotes": len(quotes), "lost": lost}))


main(*sys.argv[1:])
