/** A uniformly styled part of an output. */
export interface Span {
  text: string;
  look: Look;
}

export interface Look {
  color?: 'danger' | 'good' | 'warn' | 'accent' | 'muted';
  isBold?: true;
  isFaint?: true;
  isUnderlined?: true;
}

/** Maximum characters. The end of an output matters most, so only the end is shown. */
const MOST_CHARACTERS = 200_000;
const MOST_SPANS = 5_000;

/** The terminal's colors, mapped to the page's. The exact shade doesn't matter, only that red is red. */
const COLORS: Look['color'][] = [
  undefined,
  'danger',
  'good',
  'warn',
  'accent',
  'accent',
  'accent',
  undefined,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const SEQUENCE = /\x1b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal does not draw
const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Returns an output as a terminal would show it: colors become formatting, all other commands (titles, moves,
 * links, modes) are omitted, and an overwritten line (a progress bar) appears in its last state.
 */
export function readOutput(output: string): { spans: Span[]; isCut: boolean } {
  const cut = output.slice(-MOST_CHARACTERS);
  const spans = toSpans(overwritten(cut));
  return { spans: spans.slice(-MOST_SPANS), isCut: cut.length < output.length || spans.length > MOST_SPANS };
}

/** Returns a line as displayed: the text after its last carriage return, ignoring trailing ones. */
function overwritten(text: string): string {
  return text.split('\n').map(lastWritten).join('\n');
}

function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function toSpans(text: string): Span[] {
  const spans: Span[] = [];
  let look: Look = {};
  let from = 0;
  const add = (piece: string) => {
    const seen = piece.replaceAll(UNSEEN, '');
    if (seen !== '') spans.push({ text: seen, look });
  };
  for (const found of text.matchAll(SEQUENCE)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') look = lookAfter(look, found[1] ?? '');
  }
  add(text.slice(from));
  return spans;
}

/**
 * Applies `1;31` and similar codes; 38 and 48 include the numbers after them (colors of larger palettes, which aren't
 * distinguished).
 */
function lookAfter(before: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number);
  let look = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
    else look = withCode(look, code);
  }
  return look;
}

/** The formatting that a code adds. */
const ADDED: Record<number, Look> = {
  1: { isBold: true },
  2: { isFaint: true },
  4: { isUnderlined: true },
  90: { color: 'muted' },
};
/** The formatting that a code removes. */
const TAKEN: Record<number, (keyof Look)[]> = {
  22: ['isBold', 'isFaint'],
  24: ['isUnderlined'],
  39: ['color'],
};

function withCode(look: Look, code: number): Look {
  if (code === 0) return {};
  const isColor = (code >= 30 && code <= 37) || (code >= 91 && code <= 97);
  const color = isColor ? COLORS[code % 10] : undefined;
  const taken = isColor ? (['color'] as const) : (TAKEN[code] ?? []);
  const kept = Object.fromEntries(
    Object.entries(look).filter(([name]) => !taken.some((each) => each === name)),
  );
  return { ...kept, ...ADDED[code], ...(color && { color }) };
}
