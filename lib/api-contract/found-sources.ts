interface Found {
  index: number;
  sentences?: readonly { end: number }[] | undefined;
}

/** A text with added markers, which the model didn't write. */
export interface MarkedText {
  text: string;
  /** Maps a position of the given text to this one. */
  placeOf(place: number): number;
}

/** Adds a marker after each sentence for which the service found a passage. */
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

/** Returns a position inside the last cell if the text is a row of a table. */
function endIn(text: string, end: number): number {
  return end - (/[\s|]*$/.exec(text.slice(Math.max(0, end - 20), end))?.[0].length ?? 0);
}

function blankAfter(character = ''): string {
  return /[\u3000-\u9fff\uff00-\uffef]/.test(character) ? '' : ' ';
}
