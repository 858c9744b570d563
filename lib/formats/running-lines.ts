/** A line of a page as drawn, without its line break. */
export interface PageLine {
  text: string;
  /** Absent on rotated pages, and for lines that aren't visible. */
  place?: LinePlace;
}

interface LinePlace {
  /** Distances of its baseline from the edges, as shares of the page's height. */
  fromTop: number;
  fromBottom: number;
  /** The height of its letters. */
  height: number;
}

/** The minimum number of pages. On fewer pages, a repetition means nothing. */
const MIN_REPEATS = 3;
const MARGIN = 1 / 8;
/**
 * The maximum number of lines to compare per page and edge, of characters per line, and of numbers per line.
 * They limit the cost of a malicious file.
 */
const MAX_LINES = 4;
const MAX_LENGTH = 120;
const MAX_NUMBERS = 3;
/**
 * The maximum distance between positions that count as equal, as a share of the page's height: 2 to 3 points.
 */
const SAME_PLACE = 1 / 300;
/** The minimum ratio of a title's letters to those of the text. */
const TITLE_SCALE = 1.15;
/** The words around a page number. */
const PAGE_WORDS = /\b(?:page|seite|p|pp|pg|of|von|de|sur)\b|[第页頁共]/giu;

/**
 * Returns the pages' texts without running headers, running footers, and page numbers: lines in the margins
 * that most pages, or most left or right ones, have at the same position. Spaces replace them, so that all
 * other text keeps its position. The first of these lines that has words stays, so that a search finds it
 * once. Text stays if it's the only text of its page.
 */
export function withoutRunningLines(pages: PageLine[][]): string[] {
  if (pages.length < MIN_REPEATS) return pages.map(joinLines);
  const candidates = findCandidates(pages);
  const repeats = countRepeats(candidates, pages.length);
  return pages.map((lines, index) => {
    const running = new Set(
      candidates[index]
        ?.filter(({ keys }) => keys.some((key) => isRunning(repeats, key, index)))
        .map(({ line }) => line),
    );
    const isRest = lines.some((line) => line.text.trim() !== '' && !running.has(line));
    return joinLines(isRest ? lines.map((line) => (running.has(line) ? blank(line) : line)) : lines);
  });
}

export function joinLines(lines: PageLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function blank({ text }: PageLine): PageLine {
  return { text: ' '.repeat(text.length) };
}

interface Candidate {
  line: PageLine;
  keys: Key[];
}

/** A property that a line shares with lines of other pages. */
interface Key {
  own: string;
  /**
   * The page number at the start or end of a line, without the words next to it, because these change with
   * the chapter.
   */
  numbered?: string;
}

function findCandidates(pages: PageLine[][]): Candidate[][] {
  const titleHeight = TITLE_SCALE * bodyHeight(pages);
  return pages.map((lines, index) => {
    const low = lines.filter(
      ({ text, place }) => place !== undefined && place.height < titleHeight && isShort(text),
    );
    const top = low.filter(({ place }) => (place?.fromTop ?? 1) < MARGIN).slice(0, MAX_LINES);
    const bottom = low.filter(({ place }) => (place?.fromBottom ?? 1) < MARGIN).slice(-MAX_LINES);
    return [
      ...top.map((line) => ({ line, keys: keysOf(line.text, index, `t${placeOf(line.place?.fromTop)}`) })),
      ...bottom.map((line) => ({
        line,
        keys: keysOf(line.text, index, `b${placeOf(line.place?.fromBottom)}`),
      })),
    ];
  });
}

function isShort(text: string): boolean {
  return text.length <= MAX_LENGTH && text.trim() !== '';
}

function placeOf(distance = 0): number {
  return Math.round(distance / SAME_PLACE);
}

/** Returns the letter height of most of the text. */
function bodyHeight(pages: PageLine[][]): number {
  const letters = new Map<number, number>();
  for (const { text, place } of pages.flat()) {
    if (place !== undefined) letters.set(place.height, (letters.get(place.height) ?? 0) + text.length);
  }
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

/**
 * Returns the line itself and, for each number in it, the line with that number relative to the page, because page
 * numbers increase with the pages.
 */
function keysOf(text: string, page: number, place: string): Key[] {
  const line = text.trim().replace(/\s+/g, ' ');
  const numbers = [...line.matchAll(/\d{1,6}/g)].slice(-MAX_NUMBERS);
  const counted = numbers.map(({ 0: digits, index }) => {
    const number = `\0${Number(digits) - page}\0`;
    const after = line.slice(index + digits.length);
    return {
      own: `${place} ${line.slice(0, index)}${number}${after}`,
      ...((index === 0 || after === '') && { numbered: `${place} ${number}` }),
    };
  });
  return [{ own: `${place} ${line}` }, ...counted];
}

interface Repeats {
  first: number;
  count: number;
  hasWords: boolean;
  isOnMost: boolean;
  /** Whether the line is on most even pages, and on most odd ones. */
  isOnMostOf: [boolean, boolean];
}

interface Count {
  first: number;
  even: number;
  odd: number;
}

function countRepeats(candidates: Candidate[][], pages: number): Map<string, Repeats> {
  const counts = new Map<string, Count>();
  for (const [index, each] of candidates.entries()) {
    const keys = each.flatMap((candidate) =>
      candidate.keys.flatMap(({ own, numbered = own }) => [own, numbered]),
    );
    for (const key of new Set(keys)) {
      const count = counts.get(key) ?? { first: index, even: 0, odd: 0 };
      count[index % 2 === 0 ? 'even' : 'odd']++;
      counts.set(key, count);
    }
  }
  return new Map([...counts].map(([key, count]) => [key, repeatsOf(key, count, pages)]));
}

function repeatsOf(key: string, { first, even, odd }: Count, pages: number): Repeats {
  const isMost = (count: number, all: number) => count >= MIN_REPEATS && count > all / 2;
  return {
    first,
    count: even + odd,
    hasWords: hasWords(key),
    isOnMost: isMost(even + odd, pages),
    isOnMostOf: [isMost(even, Math.ceil(pages / 2)), isMost(odd, Math.floor(pages / 2))],
  };
}

function hasWords(key: string): boolean {
  const line = key.slice(key.indexOf(' ') + 1);
  return /\p{L}/u.test(line.replace(PAGE_WORDS, ''));
}

function isRunning(repeats: Map<string, Repeats>, { own, numbered }: Key, page: number): boolean {
  const line = repeats.get(own);
  if (line === undefined || (line.hasWords && line.first === page)) return false;
  if (isOnMost(line, page)) return true;
  return numbered !== undefined && line.count > 1 && isOnMost(repeats.get(numbered), page);
}

function isOnMost(repeats: Repeats | undefined, page: number): boolean {
  return repeats?.isOnMost || (repeats?.isOnMostOf[page % 2] ?? false);
}
