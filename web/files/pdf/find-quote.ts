/** A stretch of one text of a page: characters from `start`, `end` exclusive. */
export interface QuoteSpan {
  item: number;
  start: number;
  end: number;
}

/** Fewer letters than this stand anywhere. */
const MIN_LETTERS = 3;

interface Letters {
  text: string;
  /** Where each letter was written: in which item, and from where to where. */
  places: QuoteSpan[];
}

/** What is left out of a comparison: blanks, hyphens, and accents, also those that are drawn as characters of their own. */
const NO_LETTERS = /[\s\p{Pd}\u00AD\p{M}\p{Sk}\u02C6\u02C7\p{C}]/gu;

/**
 * Where a quote stands among the texts of a page. They are compared by their letters alone: no white space, no hyphens, no marks
 * on letters, ligatures taken apart, and a letter that follows itself once, for a bold look may be drawn by drawing each twice. For
 * the service and the browser cut lines, words and ligatures of a PDF in ways of their own.
 */
export function findQuote(items: readonly string[], quote: string): QuoteSpan[] {
  const wanted = lettersOf([quote]).text;
  if (wanted.length < MIN_LETTERS) return [];
  const page = lettersOf(items);
  const at = page.text.indexOf(wanted);
  return at < 0 ? [] : joinSpans(page.places.slice(at, at + wanted.length));
}

function lettersOf(items: readonly string[]): Letters {
  const text: string[] = [];
  const places: QuoteSpan[] = [];
  for (const [item, written] of items.entries()) {
    let start = 0;
    for (const character of written) {
      const end = start + character.length;
      const letters = character.normalize('NFKD').replace(NO_LETTERS, '').replace('\u0131', 'i');
      for (const letter of letters) {
        if (letter === text.at(-1)) continue;
        text.push(letter);
        for (let unit = 0; unit < letter.length; unit++) places.push({ item, start, end });
      }
      start = end;
    }
  }
  return { text: text.join(''), places };
}

function joinSpans(letters: QuoteSpan[]): QuoteSpan[] {
  const joined: QuoteSpan[] = [];
  for (const { item, start, end } of letters) {
    const last = joined.at(-1);
    if (last?.item === item) last.end = end;
    else joined.push({ item, start, end });
  }
  return joined;
}
