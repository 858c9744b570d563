"""Asks questions through OpenAI's SDK, and checks every annotation from the files alone."""

import hashlib
import os
import pathlib
import re
from concurrent.futures import ThreadPoolExecutor

import openai

root = pathlib.Path(os.environ["FILES"])
model = os.environ["MODEL"]
number = re.compile(r"\d+(?:[.,:]\d+)*")
marker = re.compile(r"\[(\d+)\]")
client = openai.OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"], max_retries=0, timeout=120)


def questions():
    """Headings of the files, in an order that doesn't change."""
    for path in sorted(root.rglob("*.md")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.match(r"#+ \S", line):
                yield f"What is said of {line.lstrip('# ')}?"


def ask(at, question):
    """Returns the text, and its annotations as (start, end, citation). Both APIs take turns, whole and streamed."""
    if at % 4 == 0:
        response = client.responses.create(model=model, input=question)
    elif at % 4 == 1:
        with client.responses.stream(model=model, input=question) as stream:
            response = stream.get_final_response()
    if at % 4 < 2:
        [output] = response.output[0].content
        return output.text, [(each.index, None, each.x_citation) for each in output.annotations]
    messages = [{"role": "user", "content": question}]
    if at % 4 == 2:
        message = client.chat.completions.create(model=model, messages=messages).choices[0].message
        text, annotations = message.content, [each.model_dump() for each in message.annotations or []]
    else:
        text, annotations = "", []
        for chunk in client.chat.completions.create(model=model, messages=messages, stream=True):
            for choice in chunk.choices:
                text += choice.delta.content or ""
                annotations += getattr(choice.delta, "annotations", None) or []
    places = [(each["url_citation"], each["x_citation"]) for each in annotations]
    return text, [(place["start_index"], place["end_index"], citation) for place, citation in places]


def plain(text):
    return re.sub(r"\s+", " ", text).strip()


def faults(text, start, end, citation):
    """Returns what is false about an annotation."""
    path = (root / citation["path"]).resolve()
    if not path.is_relative_to(root.resolve()) or not path.is_file():
        return ["no such file"]
    content = path.read_bytes()
    lines = content.decode("utf-8").splitlines()
    place = plain("\n".join(lines[citation["startLine"] - 1 : citation["endLine"]]))
    mark = f"[{citation['index']}]"
    sentence = re.split(r"\]", text[:start])[-1]
    found = []
    if citation.get("origin") == "service":  # found by the service for a sentence without a marker
        if marker.match(text, start) or (end is not None and not text[start:end].strip()):
            found.append("no sentence at its place")
    elif not text.startswith(mark, start) or (end is not None and text[start:end] != mark):
        found.append("no marker at its place")
    if hashlib.sha256(content).hexdigest() != citation["fileHash"]:
        found.append("another version of the file")
    if citation["verified"] and (citation["quote"] == "" or plain(citation["quote"]) not in place):
        found.append("the quote isn't in its lines")
    # The service may have found a number in one of up to three pieces, all of this file.
    in_file = set(number.findall(content.decode("utf-8")))
    if citation.get("support") == "full" and not set(number.findall(sentence)) <= in_file:
        found.append("a number isn't in the file")
    if citation["verified"] and "Zorvax" in sentence:
        found.append("an invented sentence is verified")
    return found


def check(numbered):
    at, question = numbered
    text, annotations = ask(at, question)
    found = [f"{fault}: {citation}\n  {text}" for start, end, citation in annotations
             for fault in faults(text, start, end, citation)]
    starts = {start for start, _, _ in annotations}
    found += [f"a marker without annotation\n  {text}" for match in marker.finditer(text) if match.start() not in starts]
    verified = sum(citation["verified"] for _, _, citation in annotations)
    return len(annotations), verified, found


wanted = int(os.environ["ANSWERS"])
asked = [question for question, _ in zip((each for _ in range(wanted) for each in questions()), range(wanted))]
with ThreadPoolExecutor(4) as pool:
    results = list(pool.map(check, enumerate(asked)))
wrong = [fault for _, _, found in results for fault in found]
assert not wrong, "\n".join([f"{len(wrong)} faults", *wrong[:5]])
total, verified = sum(each for each, _, _ in results), sum(each for _, each, _ in results)
assert verified > wanted / 4 and verified < total, (verified, total)
print(f"{len(results)} answers, {total} annotations, {verified} verified: all true by the files alone")
