"""Builds and asks LanceDB and bm25s from Python, for size.ts. Prints one line of JSON."""
import json
import os
import sys
import threading
import time

import bm25s
import lancedb

FOLDER, RESULTS = sys.argv[1], int(sys.argv[2])
CLIENTS, SECONDS = 10, 5
rows = [json.loads(line) for line in open(f"{FOLDER}/texts.jsonl")]
questions = json.load(open(f"{FOLDER}/questions.json"))


def size(folder):
    return sum(os.stat(os.path.join(at, name)).st_blocks * 512 for at, _, names in os.walk(folder) for name in names)


def load(ask):
    until, counts = time.perf_counter() + SECONDS, [0] * CLIENTS

    def loop(client):
        while time.perf_counter() < until:
            ask(questions[(client * 17 + counts[client]) % len(questions)])
            counts[client] += 1

    threads = [threading.Thread(target=loop, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def measure(build, folder):
    started = time.perf_counter()
    ask = build(folder)
    built = time.perf_counter() - started
    for question in questions[:20]:
        ask(question)
    times = []
    for question in questions:
        began = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    at = lambda share: times[int(len(times) * share)]
    return {"buildMs": built * 1000, "diskBytes": size(folder), "p50": at(0.5), "p95": at(0.95), "perSecond": load(ask)}


def lance(folder):
    table = lancedb.connect(folder).create_table("texts", rows, mode="overwrite")
    table.create_fts_index("text", use_tantivy=False)
    return lambda question: table.search(question, query_type="fts").limit(RESULTS).to_list()


def bm25(folder):
    index = bm25s.BM25()
    index.index(bm25s.tokenize([row["text"] for row in rows], show_progress=False), show_progress=False)
    index.save(folder)
    return lambda question: index.retrieve(bm25s.tokenize(question, show_progress=False), k=RESULTS, show_progress=False)


figures = {"LanceDB from Python": measure(lance, f"{FOLDER}/lance"), "bm25s": measure(bm25, f"{FOLDER}/bm25s")}
print(json.dumps(figures))
