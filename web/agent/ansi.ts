/** A stretch of what a terminal would show, with the names of its looks. Whatever else an escape says is left out. */
export interface Stretch {
  text: string;
  looks: Look[];
}
export type Look = 'bold' | 'dim' | 'italic' | 'underline' | Colour;
type Colour = 'grey' | 'red' | 'green' | 'yellow' | 'blue';

/** Ours are few: each of theirs is the nearest. */
const COLOURS: Record<number, Colour> = {
  ...{ 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'blue', 36: 'blue', 90: 'grey' },
  ...{ 91: 'red', 92: 'green', 93: 'yellow', 94: 'blue', 95: 'blue', 96: 'blue' },
};
const STYLES: Record<number, Look> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };
const ENDS: Record<number, Look[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'] };
const COLOUR_NAMES: Look[] = ['grey', 'red', 'green', 'yellow', 'blue'];

/** Sequences of colour; then all others: of the cursor, of titles and links (ended or not), and what is left of them. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\x1b\[([\d;]*)m|\x1b\[[\d;:?<=>]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b.?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]/g;

export function readTerminal(text: string): Stretch[] {
  const shown = afterReturns(text);
  const stretches: Stretch[] = [];
  let looks: Look[] = [];
  let start = 0;
  const add = (end: number) => {
    if (end > start) stretches.push({ text: shown.slice(start, end), looks });
  };
  for (const { 0: whole, 1: codes, index } of shown.matchAll(ESCAPES)) {
    add(index);
    start = index + whole.length;
    if (codes !== undefined) looks = changeLooks(looks, codes);
  }
  add(shown.length);
  return stretches;
}

/** A line that was written over shows what stood there last: a bar of progress is one line. */
function afterReturns(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
    .join('\n');
}

function changeLooks(before: Look[], codes: string): Look[] {
  const numbers = codes.split(';').map(Number);
  let looks = before;
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    // A colour of 256, or of all: what it is made of follows, and is none of ours.
    if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
    else looks = changeLook(looks, code);
  }
  return looks;
}

function changeLook(looks: Look[], code: number): Look[] {
  if (code === 0) return [];
  const style = STYLES[code];
  if (style) return [...looks.filter((look) => look !== style), style];
  const colour = COLOURS[code];
  if (colour) return [...without(looks, COLOUR_NAMES), colour];
  if (code === 39) return without(looks, COLOUR_NAMES);
  return ENDS[code] ? without(looks, ENDS[code]) : looks;
}

function without(looks: Look[], ended: Look[]): Look[] {
  return looks.filter((look) => !ended.includes(look));
}
