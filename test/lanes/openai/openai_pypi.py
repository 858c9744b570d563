"""OpenAI's Python SDK: models, both APIs, whole and streamed, and errors."""

import os

import openai

model, sentence = os.environ["MODEL"], os.environ["SENTENCE"]
text = f"{sentence} [1]"
question = "When was the Firth bridge opened?"
messages = [{"role": "user", "content": question}]
client = openai.OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"], max_retries=0)

assert [each.id for each in client.models.list()] == [model]

completion = client.chat.completions.create(model=model, messages=messages)
message = completion.choices[0].message
assert message.content == text
assert message.annotations[0].x_citation["quote"] == sentence
assert completion.usage.total_tokens > 0

options = {"include_usage": True}
chunks = list(client.chat.completions.create(model=model, messages=messages, stream=True, stream_options=options))
assert "".join(each.choices[0].delta.content or "" for each in chunks if each.choices) == text
assert chunks[-1].usage.total_tokens > 0
assert chunks[-3].choices[0].delta.annotations[0]["x_citation"]["path"] == "bridges.md"

response = client.responses.create(model=model, input=question, store=True)
assert response.output_text == text
assert response.output[0].content[0].annotations[0].filename == "bridges.md"
following = client.responses.create(model=model, input=question, previous_response_id=response.id)
assert following.previous_response_id == response.id

with client.responses.stream(model=model, input=question) as stream:
    types = {event.type for event in stream}
    assert "response.output_text.annotation.added" in types
    assert stream.get_final_response().output_text == text


def refused(error, code, **request):
    try:
        client.responses.create(**request)
    except error as refusal:
        assert refusal.code == code, refusal.code
        return
    raise AssertionError("not refused")


refused(openai.BadRequestError, "unsupported_parameter", model=model, input=question, temperature=0)
refused(openai.NotFoundError, "model_not_found", model="gpt-5", input=question)
client.api_key = "wrs_wrong"
refused(openai.AuthenticationError, "invalid_api_key", model=model, input=question)
print(f"openai {openai.__version__}: models, completions, responses, streams, errors")
