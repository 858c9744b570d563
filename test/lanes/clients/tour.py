"""Goes through the tour with a generated client, which `call` calls. Reports each step that fails, and how many passed."""
import json
import re
import sys


class Tour:
    def __init__(self, folder, tour_file, document_file):
        self.steps = json.load(open(tour_file))
        self.document = json.load(open(document_file))
        self.kept = {"folder": folder, "conversation": f"tour-{folder}"}

    def operation(self, step):
        verb, path = step["operation"].split(" ")
        return self.document["paths"][path][verb.lower()]

    def filled(self, value):
        """The value with what earlier steps kept in place of `$name`."""
        if isinstance(value, dict):
            return {key: self.filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        return self.kept[value[1:]] if isinstance(value, str) and value.startswith("$") else value

    def run(self, call):
        failures = 0
        for step in self.steps:
            try:
                answer = call(step)
                for name, field in step.get("keeps", {}).items():
                    self.kept[name] = str(getattr(answer, snake(field)))
            except Exception as error:  # every call is reported, not only the first that fails
                failures += 1
                said = str(getattr(error, "body", None) or error)[:300].replace("\n", " ")
                print("FAIL", step["operation"], type(error).__name__, said)
        print(f"{len(self.steps) - failures} of {len(self.steps)} calls")
        sys.exit(failures > 0)


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
