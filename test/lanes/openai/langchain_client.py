"""LangChain's client of OpenAI: both APIs, whole and streamed, and errors."""

import os
from importlib.metadata import version

import openai
from langchain_openai import ChatOpenAI

sentence = os.environ["SENTENCE"]
text = f"{sentence} [1]"
messages = [("system", "Be brief."), ("human", "When was the Firth bridge opened?")]
settings = {
    "model": os.environ["MODEL"],
    "base_url": os.environ["BASE_URL"],
    "api_key": os.environ["API_KEY"],
    "max_retries": 0,
}

for uses_responses in (False, True):
    chat = ChatOpenAI(**settings, use_responses_api=uses_responses)
    answer = chat.invoke(messages)
    assert answer.text == text, answer
    assert answer.usage_metadata["total_tokens"] > 0
    whole = None
    for chunk in chat.stream(messages):
        whole = chunk if whole is None else whole + chunk
    assert whole.text == text, whole
    again = chat.invoke([*messages, answer, ("human", "And now?")])
    assert again.text == text, again
    try:
        ChatOpenAI(**settings, use_responses_api=uses_responses, temperature=0.5).invoke(messages)
        raise AssertionError("not refused")
    except openai.BadRequestError as refusal:
        assert refusal.param == "temperature"
print(f"langchain-openai {version('langchain-openai')}: completions, responses, streams, turns, errors")
