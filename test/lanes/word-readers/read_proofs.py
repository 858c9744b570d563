"""Reads proofs of reports with ro-crate-py. Arguments: their ZIP files. Prints how many were read."""

import sys
from hashlib import sha256
from zipfile import ZipFile

from rocrate.rocrate import ROCrate

read = 0
for path in sys.argv[1:]:
    crate = ROCrate(path)
    with ZipFile(path) as archive:
        for entity in crate.data_entities:
            assert entity.type == "File", entity.id
            assert sha256(archive.read(entity.id)).hexdigest() == entity["sha256"], entity.id
        names = {entity.id for entity in crate.data_entities}
        others = {"ro-crate-metadata.json", "ro-crate-preview.html", "manifest-sha256.txt", "root-hash.txt"}
        assert set(archive.namelist()) == names | others, path
    run = crate.get("#run")
    assert run.type == "CreateAction" and len(run["instrument"]) == 2, path
    assert [entity.id for entity in run["result"]] == ["report.md", "report.json"], path
    read += 1
print(f"{read} proofs read")
