export interface ScannedValues {
  /** True if the values are the elements of one array. */
  isArray: boolean;
  values: number;
  /** True if the text ends at a position where JSON may end. */
  whole: boolean;
}

type Kind = 'text' | 'space' | 'open' | 'close' | 'comma' | 'quote';

const KINDS: Kind[] = Array.from({ length: 256 }, (_, byte) => kindOf(String.fromCharCode(byte)));
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;

function kindOf(character: string): Kind {
  if (' \t\r\n'.includes(character)) return 'space';
  if ('[{'.includes(character)) return 'open';
  if (']}'.includes(character)) return 'close';
  if (character === ',') return 'comma';
  return character === '"' ? 'quote' : 'text';
}

interface Scan {
  onValue: (start: number, end: number) => void;
  depth: number;
  inString: boolean;
  escaped: boolean;
  isArray: boolean;
  /** True if there was anything but white space. */
  begun: boolean;
  /** True if the array has ended. */
  closed: boolean;
  values: number;
  /** Where the unfinished value started; -1 if there is none. */
  start: number;
}

/**
 * Finds the values of a JSON text in its bytes as they are read: the elements of its array, or values in a
 * row. Looks only at brackets and quotes; the caller's parser decides whether a value is valid JSON.
 */
export function scanValues(onValue: (start: number, end: number) => void = () => {}) {
  const flags = { inString: false, escaped: false, isArray: false, begun: false, closed: false };
  const scan: Scan = { onValue, depth: 0, values: 0, start: -1, ...flags };
  let at = 0;
  return {
    push(chunk: Buffer): void {
      let index = 0;
      while (index < chunk.length) {
        if (scan.inString) index = passString(scan, chunk, index);
        else passPlain(scan, chunk[index] as number, at + index++);
      }
      at += chunk.length;
    },
    end(): ScannedValues {
      const { isArray, closed } = scan;
      const whole = scan.depth === 0 && !scan.inString && (closed || !isArray);
      if (whole) endValue(scan, at);
      return { isArray, values: scan.values, whole };
    },
  };
}

function endValue(scan: Scan, end: number): void {
  if (scan.start < 0) return;
  scan.values++;
  scan.onValue(scan.start, end);
  scan.start = -1;
}

/** Returns the index after the skipped part. */
function passString(scan: Scan, chunk: Buffer, from: number): number {
  if (scan.escaped) {
    scan.escaped = false;
    return from + 1;
  }
  for (let index = from; index < chunk.length; index++) {
    const byte = chunk[index];
    if (byte !== QUOTE && byte !== BACKSLASH) continue;
    if (byte === BACKSLASH) scan.escaped = true;
    else scan.inString = false;
    return index + 1;
  }
  return chunk.length;
}

/** Returns whether a byte belongs to a byte order mark, because no JSON starts with its bytes. */
function isMark(scan: Scan, byte: number, position: number): boolean {
  return position < 3 && byte >= 0xbb && !scan.begun;
}

function passPlain(scan: Scan, byte: number, position: number): void {
  if (isMark(scan, byte, position)) return;
  const base = scan.isArray ? 1 : 0;
  switch (KINDS[byte]) {
    case 'space':
      if (scan.depth === 0) endValue(scan, position); // a number or a bare word
      return;
    case 'open':
      open(scan, byte, position);
      break;
    case 'close':
      close(scan, position, base);
      break;
    case 'comma':
      if (scan.depth === base) endValue(scan, position);
      break;
    case 'quote':
      scan.inString = true;
      beginValue(scan, position);
      break;
    default:
      beginValue(scan, position);
  }
  scan.begun = true;
}

function beginValue(scan: Scan, position: number): void {
  if (scan.start < 0) scan.start = position;
}

function open(scan: Scan, byte: number, position: number): void {
  scan.depth++;
  if (!scan.begun && byte === OPEN_ARRAY) scan.isArray = true;
  else beginValue(scan, position);
}

function close(scan: Scan, position: number, base: number): void {
  scan.depth--;
  if (scan.isArray && scan.depth === 0) {
    endValue(scan, position);
    scan.closed = true;
  } else if (scan.depth === base) endValue(scan, position + 1);
}
