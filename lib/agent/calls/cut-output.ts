import { cutMiddle } from '../../text/cut-text.ts';

/** The minimum length of a truncated string in characters. Beyond that, lists lose their ends. */
const SHORTEST = 200;

/**
 * Returns a tool's output as JSON within a number of characters: long strings lose their middles, then long lists their
 * ends. The field `cut` says what was truncated, and how to get it.
 */
export function cutOutput(output: unknown, maxCharacters: number, rest: string | undefined): unknown {
  const whole = JSON.stringify(output).length;
  if (whole <= maxCharacters) return output;
  const note = `The output had ${whole} characters and was truncated.${rest === undefined ? '' : ` ${rest}`}`;
  const room = maxCharacters - JSON.stringify({ cut: note, output: '' }).length;
  const withNote = (part: unknown) =>
    isPlainObject(part) ? { ...part, cut: note } : { output: part, cut: note };
  const strings = largestFitting(room, [SHORTEST, maxCharacters], (most) => shorten(output, most));
  if (strings !== undefined) return withNote(strings);
  const lists = largestFitting(room, [1, maxCharacters], (most) => shorten(output, SHORTEST, most));
  // Without long strings or lists, the JSON text itself is truncated.
  return withNote(lists ?? cutMiddle(JSON.stringify(output), Math.floor(room / 2) - 50));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds, by bisection, the largest measure within the limits whose result fits, and returns that result. */
function largestFitting(room: number, [least, most]: [number, number], make: (measure: number) => unknown) {
  let fitting: unknown;
  let [low, high] = [least, most];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const made = make(middle);
    if (JSON.stringify(made).length <= room) {
      fitting = made;
      low = middle + 1;
    } else high = middle - 1;
  }
  return fitting;
}

function shorten(value: unknown, maxString: number, maxList = Number.POSITIVE_INFINITY): unknown {
  if (typeof value === 'string') return cutMiddle(value, maxString);
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxList).map((item) => shorten(item, maxString, maxList));
    return kept.length < value.length
      ? [...kept, `[… ${value.length - kept.length} more truncated …]`]
      : kept;
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shorten(item, maxString, maxList)]),
  );
}
