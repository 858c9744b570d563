"""Which boxes owls choose: by height and by where the opening looks."""

import csv
from collections import Counter


def read_boxes(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def share_occupied(boxes, key):
    """Of each value of `key`, how many of its boxes were occupied."""
    seen, occupied = Counter(), Counter()
    for box in boxes:
        seen[box[key]] += 1
        occupied[box[key]] += box["occupied"] == "yes"
    return {value: occupied[value] / count for value, count in seen.items()}


if __name__ == "__main__":
    boxes = read_boxes("field/nest-boxes.csv")
    for facing, share in sorted(share_occupied(boxes, "facing").items()):
        print(f"{facing:12} {share:5.0%}")  # east comes first
