import type { TextItem } from './page-lines.ts';

/** The part of a page, from the top, that may contain its title. */
const TOP = 0.6;
/** Letters of one line differ by less than this share of their height. */
const SAME_HEIGHT = 0.06;
/** The minimum ratio of a title's letters to those of most of the text. */
const MIN_SCALE = 1.1;
/** The maximum distance between two lines of a title, in heights of its letters. */
const MAX_LEADING = 2.2;
const MIN_LETTERS = 8;
const MAX_LETTERS = 300;
/** An email address is an author's, and a number starts a section. */
const NO_TITLE = /@|^\d{1,2}(?:\.\d{0,2})* \p{Lu}/u;

interface Line {
  text: string;
  height: number;
  y: number;
}

/**
 * Returns the largest horizontal lines at the top of a page, if their size distinguishes them; otherwise, an
 * empty text.
 */
export function shownTitle(items: TextItem[], [, bottom = 0, , top = 0]: number[]): string {
  const lines = horizontalLines(items);
  const body = bodyHeightOf(lines);
  const limit = top - (top - bottom) * TOP;
  const large = lines.filter(({ height, y }) => y > limit && height > body * MIN_SCALE);
  const heights = [...new Set(large.map(({ height }) => height))].sort((one, other) => other - one);
  for (const height of heights) {
    const text = joined(large.filter((line) => isSameHeight(line.height, height)));
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    if (letters >= MIN_LETTERS && letters <= MAX_LETTERS) return NO_TITLE.test(text) ? '' : text;
  }
  return '';
}

/** Joins the pieces of each line. Omits text in another direction, such as a stamp in the margin. */
function horizontalLines(items: TextItem[]): Line[] {
  const lines: Line[] = [];
  let end = 0;
  for (const { str, transform, width, height } of items) {
    const [, slant = 0, , , x = 0, y = 0] = transform;
    const last = lines.at(-1);
    if (last !== undefined && /^\s+$/.test(str)) last.text += ' ';
    if (!isHorizontal(str, height, slant)) continue;
    if (isOn(last, y, height)) addTo(last, x - end > height / 8 ? ` ${str}` : str, height);
    else lines.push({ text: str, height, y });
    end = x + width;
  }
  return lines;
}

function isOn(line: Line | undefined, y: number, height: number): line is Line {
  return line !== undefined && Math.abs(line.y - y) < height / 3;
}

/** Small capitals are smaller letters of the same line. */
function addTo(line: Line, text: string, height: number): void {
  line.text += text;
  line.height = Math.max(line.height, height);
}

function isHorizontal(text: string, height: number, slant: number): boolean {
  return text.trim() !== '' && height > 0 && Math.abs(slant) <= height / 10;
}

function bodyHeightOf(lines: Line[]): number {
  const letters = new Map<number, number>();
  for (const { text, height } of lines) {
    const size = Math.round(height * 2) / 2;
    letters.set(size, (letters.get(size) ?? 0) + text.length);
  }
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

function isSameHeight(one: number, other: number): boolean {
  return Math.abs(one - other) <= other * SAME_HEIGHT;
}

/** Joins consecutive lines from the first one. A word divided at a line's end keeps its hyphen. */
function joined([first, ...others]: Line[]): string {
  if (first === undefined) return '';
  let text = first.text;
  let last = first;
  for (const line of others) {
    if (last.y - line.y > line.height * MAX_LEADING || line.y > last.y) break;
    text += text.endsWith('-') ? line.text : ` ${line.text}`;
    last = line;
  }
  return text.replace(/\s+/g, ' ').trim();
}
