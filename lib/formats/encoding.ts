import { analyse } from 'chardet';
import type { TextEncodingName } from './encoding-names.ts';
import { guessEastAsian } from './short-east-asian.ts';

/** The detector's names for them; any other guess of its is not believed. */
const DETECTED: Record<string, TextEncodingName> = {
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'iso-8859-2',
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-7': 'iso-8859-7',
  'ISO-8859-9': 'windows-1254',
  'KOI8-R': 'koi8-r',
  ...Object.fromEntries(
    [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257].map((page) => [`windows-${page}`, `windows-${page}`]),
  ),
};

/** The detector takes time by the length: 12 ms for so much. */
const SAMPLE_BYTES = 16 * 1024;
/** Its score for scripts with many characters, after too few of them. */
const UNSURE = 10;
/** Confidence from which a script of few characters is believed: before the other encodings are tried, and after. */
const SURE = 50;
const LIKELY = 12;
const MIN_LETTERS = 8;
/** Wins among encodings that fit equally well: it is the one most written. */
const USUAL = 'windows-1252';
const AS_GOOD = 0.75;
/** A text with a few broken characters is still what all the others say. */
const BROKEN_SHARE = 0.1;

/** Detects the encoding of a text that isn't entirely UTF-8, by the first bytes that aren't ASCII. */
export function detectEncoding(bytes: Uint8Array): TextEncodingName {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const utf16 = bytes.subarray(0, SAMPLE_BYTES).includes(0) ? guessUtf16(bytes) : undefined;
  if (utf16 !== undefined) return utf16;
  const from = bytes.findIndex((byte) => byte > 127);
  if (from === -1) return 'utf-8';
  const sample = bytes.subarray(from, from + SAMPLE_BYTES);
  return isMostlyUtf8(sample) ? 'utf-8' : detectLegacy(sample);
}

interface Detected {
  encoding: TextEncodingName;
  confidence: number;
}

function detectLegacy(sample: Uint8Array): TextEncodingName {
  const detected = analyse(sample).flatMap(({ name, confidence }): Detected[] => {
    const encoding = DETECTED[name];
    return encoding !== undefined && canDecode(encoding, sample) ? [{ encoding, confidence }] : [];
  });
  const { few = [], many = [] } = Object.groupBy(detected, ({ encoding }) =>
    /^(windows|iso|koi)/.test(encoding) ? 'few' : 'many',
  );
  const [best] = many;
  if (best !== undefined && best.confidence > UNSURE) return best.encoding;
  // Windows-1252 reads whatever comes: the web's word for Latin-1.
  const isShort = sample.filter((byte) => byte > 127).length < MIN_LETTERS;
  if (isShort) return guessEastAsian(sample) ?? USUAL;
  return bestOf(few, SURE) ?? guessEastAsian(sample) ?? bestOf(few, LIKELY) ?? USUAL;
}

/** The guesses come best first. */
function bestOf(detected: Detected[], least: number): TextEncodingName | undefined {
  const [best] = detected;
  if (best === undefined || best.confidence < least) return undefined;
  const usual = detected.find(({ encoding }) => encoding === USUAL);
  return usual !== undefined && usual.confidence >= best.confidence * AS_GOOD ? USUAL : best.encoding;
}

/** The sample may end within a character. */
function canDecode(encoding: TextEncodingName, sample: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample, { stream: true });
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return whole > 0 && broken <= whole * BROKEN_SHARE;
}

const MIN_UTF16_CHARACTERS = 4;
const EXPECTED_SHARE = 0.97;
/** Half of all 16-bit values: bytes that are no text would not all fall into it. */
const EXPECTED =
  /[\t\n\r\x20-\x7e\u00a0-\u024f\u0370-\u06ff\u0e00-\u0e7f\u2010-\u203a\u20ac\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/g;

/** Guesses UTF-16 without a byte order mark: every second byte of ASCII is zero, always the same one. */
function guessUtf16(bytes: Uint8Array): TextEncodingName | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return (['utf-16le', 'utf-16be'] as const).find((encoding) => {
    if (sample.length < MIN_UTF16_CHARACTERS * 2 || !canDecode(encoding, sample)) return false;
    const text = new TextDecoder(encoding).decode(sample, { stream: true });
    return (text.match(EXPECTED)?.length ?? 0) >= text.length * EXPECTED_SHARE;
  });
}
