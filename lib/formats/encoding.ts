import { declaredEncoding } from './declared-encoding.ts';
import { decodeAs } from './decode-as.ts';
import { guessEncoding, type TextEncoding } from './guess-encoding.ts';

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const SAMPLE_BYTES = 16 * 1024;
/** The maximum share of broken characters at which an encoding still matches. */
const BROKEN_SHARE = 0.1;

/**
 * Detects the encoding of a text that isn't entirely UTF-8, by its byte order mark, by its declaration, or by a guess.
 */
export function detectEncoding(bytes: Uint8Array): TextEncoding {
  const sure = markedEncoding(bytes) ?? guessUtf16(bytes) ?? (isMostlyUtf8(bytes) ? 'utf-8' : undefined);
  if (sure !== undefined) return { encoding: sure, certain: true };
  const declared = declaredEncoding(bytes);
  if (declared !== undefined && fits(declared, bytes)) return { encoding: declared, certain: true };
  return guessEncoding(bytes);
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  return MARKS.find(
    ([, mark]) => bytes.length % 2 === 0 && mark.every((byte, at) => bytes[at] === byte),
  )?.[0];
}

/**
 * Returns whether nearly all bytes are characters of the encoding. Control characters from U+0080 on don't
 * occur in text.
 */
function fits(encoding: string, bytes: Uint8Array): boolean {
  const text = decodeAs(encoding, sampleOf(bytes));
  const broken = text.match(/[\x80-\x9f\ufffd]/g)?.length ?? 0;
  const other = text.match(/[^\0-\x9f\ufffd]/g)?.length ?? 0;
  return broken <= other * BROKEN_SHARE;
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  const from = Math.max(
    0,
    bytes.findIndex((byte) => byte > 127),
  );
  return bytes.subarray(from, from + SAMPLE_BYTES);
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(sampleOf(bytes), { stream: true });
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return whole === 0 ? !sampleOf(bytes).some((byte) => byte > 127) : broken <= whole * BROKEN_SHARE;
}

const MIN_UTF16_CHARACTERS = 4;
const EXPECTED_SHARE = 0.97;
/** Matches half of all 16-bit values. Bytes that aren't text would not all match. */
const EXPECTED =
  /[\t\n\r\x20-\x7e\u00a0-\u024f\u0370-\u06ff\u0e00-\u0e7f\u2010-\u203a\u20ac\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/g;

/**
 * Guesses UTF-16 without a byte order mark: of ASCII, every second byte is zero, always the first or always
 * the second.
 */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (bytes.length % 2 !== 0 || !sample.includes(0)) return undefined;
  return ['utf-16le', 'utf-16be'].find((encoding) => {
    if (sample.length < MIN_UTF16_CHARACTERS * 2) return false;
    const text = new TextDecoder(encoding).decode(sample, { stream: true });
    return (text.match(EXPECTED)?.length ?? 0) >= text.length * EXPECTED_SHARE;
  });
}
