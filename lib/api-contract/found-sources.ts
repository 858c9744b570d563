interface Found {
  index: number;
  sentences?: readonly { end: number }[] | undefined;
}

/** A text with markers that the model didn't write. */
export interface MarkedText {
  text: string;
  /** Where a place of the given text is in this one. */
  placeOf(place: number): number;
}

/** Puts a marker after each sentence whose passage the service found. */
export function markFound(text: string, citations: readonly Found[]): MarkedText {
  const places = citations
    .flatMap(({ index, sentences = [] }) => sentences.map(({ end }) => ({ at: endIn(text, end), index })))
    .filter(({ at }) => at <= text.length)
    .toSorted((one, other) => one.at - other.at);
  const added = places.map(({ at, index }) => ({ at, marker: `${blankAfter(text[at - 1])}[${index}]` }));
  let marked = '';
  let from = 0;
  for (const { at, marker } of added) {
    marked += text.slice(from, at) + marker;
    from = at;
  }
  return {
    text: marked + text.slice(from),
    placeOf: (place) =>
      added.reduce((moved, { at, marker }) => (at < place ? moved + marker.length : moved), place),
  };
}

/** Inside the last cell of a row of a table. */
function endIn(text: string, end: number): number {
  return end - (/[\s|]*$/.exec(text.slice(Math.max(0, end - 20), end))?.[0].length ?? 0);
}

function blankAfter(character = ''): string {
  return /[\u3000-\u9fff\uff00-\uffef]/.test(character) ? '' : ' ';
}
