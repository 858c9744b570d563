import { decodeAs } from './decode-as.ts';
import { detectEncoding } from './encoding.ts';
import type { TextEncoding } from './guess-encoding.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const MAX_CONTROL_SHARE = 0.05;
/** The sequences with which ISO-2022-JP switches to Japanese characters. All of its bytes are ASCII. */
const JAPANESE_SWITCHES = ['\x1b$@', '\x1b$B'];

/** A text and the encoding of its file. */
export interface DecodedText extends TextEncoding {
  text: string;
}

/**
 * Returns the text of a file in UTF-8, otherwise in the encoding that it declares or that its bytes suggest, with or
 * without a byte order mark. The mark stays, so that positions are those of the file. Undefined for binary files, which
 * have a NUL or many control characters.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  return decodeWithName(bytes)?.text;
}

/** Does the same, and returns the encoding's name. Unreadable characters become U+FFFD. */
export function decodeWithName(bytes: Uint8Array): DecodedText | undefined {
  const decoded = decode(bytes);
  return isReadable(decoded.text) ? decoded : undefined;
}

function decode(bytes: Uint8Array): DecodedText {
  try {
    const text = utf8.decode(bytes);
    const isAscii = text.length === bytes.length;
    if (isAscii && JAPANESE_SWITCHES.some((each) => text.includes(each))) return decodeJapanese(bytes);
    if (!text.includes('\0')) return { text, encoding: 'utf-8', certain: true };
  } catch {
    // the text isn't entirely UTF-8
  }
  const detected = detectEncoding(bytes);
  return { text: decodeAs(detected.encoding, bytes), ...detected };
}

function decodeJapanese(bytes: Uint8Array): DecodedText {
  return { text: decodeAs('iso-2022-jp', bytes), encoding: 'iso-2022-jp', certain: true };
}

/** Tabs, line feeds, form feeds, and carriage returns don't count as control characters. */
function isReadable(text: string): boolean {
  if (text.includes('\0')) return false;
  let controls = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) controls++;
  }
  return controls <= text.length * MAX_CONTROL_SHARE;
}
