"""Goes through the tour with the client of `openapi-generator -g python`: each answer is read by its own models."""
import importlib
import inspect
import json
import re
import sys
import typing

import openapi_client

url, token, folder, tour_file, document_file = sys.argv[1:]
tour = json.load(open(tour_file))
document = json.load(open(document_file))
kept = {"folder": folder, "conversation": f"tour-{folder}"}
client = openapi_client.ApiClient(openapi_client.Configuration(host=url, access_token=token))


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def filled(value):
    if isinstance(value, dict):
        return {key: filled(each) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each) for each in value]
    return kept[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def body_of(method, operation_body):
    """The body as the class that the method takes, by its name among the parameters."""
    for name, parameter in inspect.signature(method).parameters.items():
        kinds = [parameter.annotation, *typing.get_args(parameter.annotation)]
        kinds += [each for kind in kinds for each in typing.get_args(kind)]
        for kind in kinds:
            if hasattr(kind, "from_dict") and not name.startswith("_"):
                return {name: kind.model_validate(operation_body)}
    raise LookupError("no parameter for the body")


def call(step):
    verb, path = step["operation"].split(" ")
    operation = document["paths"][path][verb.lower()]
    tag = operation["tags"][0]
    api = getattr(openapi_client, f"{tag.capitalize()}Api")(client)
    method = getattr(api, snake(operation["operationId"]))
    arguments = {snake(key): value for key, value in filled(step.get("params", {})).items()}
    if "body" in step:
        arguments |= body_of(method, filled(step["body"]))
    answer = method(**arguments)
    for name, field in step.get("keeps", {}).items():
        kept[name] = str(getattr(answer, snake(field)))


failures = 0
for step in tour:
    try:
        call(step)
    except Exception as error:  # every call is told, not the first that fails
        failures += 1
        print("FAIL", step["operation"], type(error).__name__, str(getattr(error, "body", None) or error)[:300].replace("\n", " "))
print(f"{len(tour) - failures} of {len(tour)} calls")
sys.exit(failures > 0)
