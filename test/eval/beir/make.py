"""Writes collections in BEIR's form for `npm run eval -- --beir`, from the files of their authors.

python3 make.py scifact FOLDER_OF_CSV SPLIT INTO      FOLDER_OF_CSV has corpus_train.csv and claims_SPLIT.csv
python3 make.py wice FOLDER_OF_JSONL SPLIT INTO       FOLDER_OF_JSONL has SPLIT.jsonl (entailment_retrieval/claim)
python3 make.py squad INTO ASKED.json OTHER.json …     questions of the first file, paragraphs of all: MLQA, XQuAD, TyDiQA
"""

import ast
import csv
import json
import os
import re
import sys

csv.field_size_limit(10**9)
# Sentences of a passage of WiCE: an article is cut into such passages, and each is a document.
PASSAGE_SENTENCES = 6


def write(into, corpus, queries, qrels):
    os.makedirs(f"{into}/qrels", exist_ok=True)
    for name, rows in (("corpus", corpus), ("queries", queries)):
        with open(f"{into}/{name}.jsonl", "w") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with open(f"{into}/qrels/test.tsv", "w") as file:
        file.write("query-id\tcorpus-id\tscore\n")
        file.writelines(f"{query}\t{document}\t1\n" for query, document in qrels)
    print(into, len(corpus), "documents,", len(queries), "queries,", len(qrels), "judgments")


def scifact(folder, split, into):
    with open(f"{folder}/corpus_train.csv") as file:
        corpus = [
            {"_id": row["doc_id"], "title": row["title"], "text": " ".join(sentences(row["abstract"]))}
            for row in csv.DictReader(file)
        ]
    queries, qrels = {}, {}
    with open(f"{folder}/claims_{split}.csv") as file:
        for row in csv.DictReader(file):
            queries[row["id"]] = {"_id": row["id"], "text": row["claim"]}
            for document in re.findall(r"\d+", row["cited_doc_ids"]):
                qrels[row["id"], document] = True
    write(into, corpus, list(queries.values()), list(qrels))


def sentences(array):
    """The strings of a printed numpy array, which has no commas between them."""
    parts = re.findall(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", array)
    return [ast.literal_eval(part).strip() for part in parts]


def wice(folder, split, into):
    corpus, places, queries, qrels = [], {}, [], {}
    for number, line in enumerate(open(f"{folder}/{split}.jsonl")):
        row = json.loads(line)
        place = place_of(row["evidence"], corpus, places)
        gold = {place[sentence] for some in row["supporting_sentences"] for sentence in some if sentence in place}
        if gold:
            queries.append({"_id": f"{split}-{number}", "text": row["claim"]})
            qrels.update({(f"{split}-{number}", document): True for document in gold})
    write(into, corpus, queries, list(qrels))


def place_of(evidence, corpus, places):
    """The document that each sentence of an article went into; an article that several claims cite goes in once."""
    key = "\n".join(evidence)
    if key not in places:
        title = evidence[0].removeprefix("(meta data) TITLE: ") if evidence[0].startswith("(meta data)") else ""
        numbers = [number for number, text in enumerate(evidence) if not text.startswith("(meta data)")]
        places[key] = {}
        for start in range(0, len(numbers), PASSAGE_SENTENCES):
            some = numbers[start : start + PASSAGE_SENTENCES]
            name = f"{len(places)}-{start}"
            corpus.append({"_id": name, "title": title, "text": " ".join(evidence[number] for number in some)})
            places[key].update({number: name for number in some})
    return places[key]


def squad(into, asked, *others):
    documents, queries, qrels = {}, [], []
    for path in dict.fromkeys((asked, *others)):
        for article in json.load(open(path))["data"]:
            for paragraph in article["paragraphs"]:
                document = {"_id": f"p{len(documents)}", "title": "", "text": paragraph["context"]}
                document = documents.setdefault(paragraph["context"], document)
                for question in paragraph["qas"] if path == asked else []:
                    queries.append({"_id": question["id"], "text": question["question"]})
                    qrels.append((question["id"], document["_id"]))
    write(into, list(documents.values()), queries, qrels)


{"scifact": scifact, "wice": wice, "squad": squad}[sys.argv[1]](*sys.argv[2:])
