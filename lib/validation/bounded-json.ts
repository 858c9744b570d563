import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInput } from '../errors.ts';

/**
 * Maximum number of values. A conversation of 2,000 messages has about 40,000. Checking more than this takes
 * over a tenth of a second, during which no other request is handled.
 */
const MOST_VALUES = 100_000;
/** Maximum nesting depth. Recursive code overflows the stack only at a greater depth. */
const MOST_DEPTH = 100;
/**
 * Maximum number of different field names. The time for parsing depends on names rather than length: V8
 * creates a hidden class for each name that follows others for the first time, and 100,000 of them take half
 * a second. Objects with the same fields in the same order share a class.
 */
const MOST_NAMES = 5000;
/** Characters read per turn, which takes up to ten milliseconds. */
const CHARACTERS_A_TURN = 256 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Marks the characters that matter, so that millions of digits and spaces are skipped quickly. */
const IS_MARK = new Uint8Array(128);
for (const mark of [COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) IS_MARK[mark] = 1;

interface Most {
  values: number;
  /** Number of names that followed others for the first time. */
  names: number;
}

/** The names that followed each name. */
type Names = Map<string, Names>;

/**
 * Parses untrusted JSON. Throws InvalidInput, with `name` in its text, under the same conditions as requireBoundedJson,
 * and SyntaxError for invalid JSON.
 */
export function parseBoundedJson(text: string, name: string): unknown {
  requireBoundedJson(text, name);
  return JSON.parse(text);
}

/**
 * Rejects JSON that would block the event loop while it is parsed and checked. Allows at most 100,000 values,
 * 100 levels, and 5,000 different field names. Reads each character once. Doesn't check that the text is
 * JSON. Throws InvalidInput.
 */
export function requireBoundedJson(text: string, name: string, mostValues = MOST_VALUES): void {
  scan(text, countJson(text, name, { values: mostValues, names: MOST_NAMES }), 0, text.length);
}

/** Returns where it stopped: at `end`, or after a string that extends beyond it. */
function scan(text: string, bounds: ReturnType<typeof countJson>, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const closed = endOfString(text, at);
      bounds.takeString(at + 1, closed);
      at = closed;
    } else if (IS_MARK[character] === 1) {
      bounds.takeMark(character);
    }
  }
  return at;
}

/**
 * Returns whether requireBoundedJson accepts the text, for responses of other services, whose errors have their own
 * codes.
 */
export function isBoundedJson(text: string, mostValues = MOST_VALUES): boolean {
  try {
    requireBoundedJson(text, 'The answer', mostValues);
    return true;
  } catch (error) {
    return refusedBy(error);
  }
}

/**
 * Returns the same as isBoundedJson, for responses of many megabytes. Other requests are handled during and
 * after the scan.
 */
export async function isBoundedJsonInTurns(text: string, most: Most): Promise<boolean> {
  const bounds = countJson(text, 'The answer', most);
  try {
    for (let at = 0; at < text.length; ) {
      await nextTurn();
      at = scan(text, bounds, at, Math.min(at + CHARACTERS_A_TURN, text.length));
    }
    await nextTurn();
    return true;
  } catch (error) {
    return refusedBy(error);
  }
}

function refusedBy(error: unknown): false {
  if (error instanceof InvalidInput) return false;
  throw error;
}

const DEEPER: Record<number, number> = {
  [OPEN_LIST]: 1,
  [OPEN_OBJECT]: 1,
  [CLOSE_LIST]: -1,
  [CLOSE_OBJECT]: -1,
};

/**
 * Returns the index after the object or list that starts at `start`; -1 if it doesn't end. Ignores brackets
 * in strings, and doesn't compare the kinds of brackets, because the parser does.
 */
export function endOfJson(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    depth += DEEPER[character] ?? 0;
    if (depth <= 0) return at < text.length ? at + 1 : -1;
  }
  return -1;
}

/** Returns where the string that starts at `start` ends, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at++;
  }
  return text.length;
}

/** Counts values outside strings, and tracks the field names of the open objects, one per level. */
function countJson(text: string, name: string, most: Most) {
  const first: Names = new Map();
  const open: Names[] = [first];
  const count = { depth: 0, values: 0, names: 0 };
  let latest: [start: number, end: number] = [0, 0];

  const addName = () => {
    const before = open[count.depth] ?? first;
    const field = text.slice(...latest);
    let names = before.get(field);
    if (names === undefined) {
      names = new Map();
      before.set(field, names);
      if (++count.names > most.names) refuse(name, most.names, 'different field names');
    }
    open[count.depth] = names;
  };
  const addValue = () => {
    if (++count.values > most.values) refuse(name, most.values, 'values');
  };
  const goDown = () => {
    if (++count.depth > MOST_DEPTH) refuse(name, MOST_DEPTH, 'levels of nesting');
    open[count.depth] = first;
  };

  return {
    /** Remembers the latest string, which is a field name if a colon follows. */
    takeString(start: number, end: number): void {
      latest = [start, end];
    },
    takeMark(character: number): void {
      if (character === COLON) addName();
      else if (character === COMMA) addValue();
      else if (character === OPEN_LIST || character === OPEN_OBJECT) {
        addValue();
        goDown();
      } else count.depth = Math.max(0, count.depth - 1);
    },
  };
}

function refuse(name: string, most: number, things: string): never {
  throw new InvalidInput(
    'body_too_complex',
    `${name} has more than ${most.toLocaleString('en-US')} ${things}. Send less of it at once.`,
  );
}
