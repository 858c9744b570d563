"""Writes runs in TREC's form for `npm run eval -- --beir … --baseline FOLDER`: bm25s, an embedding service, and their fusion.

pip install bm25s PyStemmer numpy
python3 baselines.py COLLECTION RUNS [URL]     URL is that of an embedding service, such as http://127.0.0.1:8001/v1
"""

import json
import os
import re
import sys
import urllib.request

import bm25s
import numpy
import Stemmer

DEPTH = 100
RRF_CONSTANT = 60
BATCH = 64

folder, into = sys.argv[1], sys.argv[2]
url = sys.argv[3] if len(sys.argv) > 3 else None
name = os.path.basename(os.path.normpath(folder))


def lines(path):
    return [json.loads(line) for line in open(path)]


def embed(texts):
    vectors = []
    for start in range(0, len(texts), BATCH):
        body = json.dumps({"model": os.environ.get("EMBEDDING_MODEL", "default"), "input": texts[start : start + BATCH]})
        request = urllib.request.Request(f"{url}/embeddings", body.encode(), {"content-type": "application/json"})
        data = json.load(urllib.request.urlopen(request))["data"]
        vectors += [each["embedding"] for each in sorted(data, key=lambda each: each["index"])]
    vectors = numpy.array(vectors, dtype=numpy.float32)
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def spaced(text):
    """Chinese as overlapping pairs of characters: bm25s splits at spaces, and Chinese has none."""
    return re.sub(r"[\u4e00-\u9fff]+", lambda run: " " + " ".join(pairs(run[0])) + " ", text)


def pairs(run):
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def as_markdown(document):
    """The text that the service embeds of a document that is one passage."""
    title = " ".join(document.get("title", "").split())
    return f"# {title}\n\n{document['text']}" if title else document["text"]


def save(way, run):
    os.makedirs(into, exist_ok=True)
    with open(f"{into}/{name}-{way}.trec", "w") as file:
        for query, found in run.items():
            for rank, (document, score) in enumerate(found):
                file.write(f"{query} Q0 {document} {rank + 1} {score:.6f} {way}\n")


def fuse(*runs):
    fused = {}
    for query in runs[0]:
        scores = {}
        for run in runs:
            for rank, (document, _) in enumerate(run[query]):
                scores[document] = scores.get(document, 0) + 1 / (RRF_CONSTANT + rank + 1)
        fused[query] = sorted(scores.items(), key=lambda pair: -pair[1])[:DEPTH]
    return fused


corpus = lines(f"{folder}/corpus.jsonl")
judgments = next(path for path in ("test", "dev") if os.path.exists(f"{folder}/qrels/{path}.tsv"))
judged = {line.split("\t")[0] for line in open(f"{folder}/qrels/{judgments}.tsv").readlines()[1:]}
queries = [query for query in lines(f"{folder}/queries.jsonl") if query["_id"] in judged]
documents = [document["_id"] for document in corpus]
texts = [spaced(f"{document.get('title', '')} {document['text']}".strip()) for document in corpus]
asked = [query["text"] for query in queries]

stemmer = Stemmer.Stemmer("english")
retriever = bm25s.BM25()  # its defaults: Lucene's formula, k1 1.5, b .75
retriever.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
tokens = bm25s.tokenize([spaced(text) for text in asked], stopwords="en", stemmer=stemmer, show_progress=False)
found, scores = retriever.retrieve(tokens, k=min(DEPTH, len(texts)), show_progress=False)
words = {
    query["_id"]: [(documents[place], score) for place, score in zip(found[row], scores[row]) if score > 0]
    for row, query in enumerate(queries)
}
save("bm25s", words)
if url is not None:
    similar = embed(asked) @ embed([as_markdown(document) for document in corpus]).T
    best = numpy.argsort(-similar, axis=1)[:, :DEPTH]
    nearest = {
        query["_id"]: [(documents[place], float(similar[row, place])) for place in best[row]]
        for row, query in enumerate(queries)
    }
    save("vectors", nearest)
    save("plain-fusion", fuse(words, nearest))
