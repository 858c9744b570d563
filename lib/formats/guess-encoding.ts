import { decodeAs } from './decode-as.ts';
import { type CommonCharacters, costInEastAsian, HAN, HANGUL, HANZI, KANJI } from './east-asian-cost.ts';
import { type Cost, costInLanguages, hasOnlySigns } from './language-cost.ts';

export interface TextEncoding {
  /** The name in the Encoding Standard, or `utf-32le`, `utf-32be`, `ibm855`, `johab`. */
  encoding: string;
  /** True if the bytes leave no doubt, or the file declares it. */
  certain: boolean;
}

/**
 * Encodings and the languages for which they were made. A rarer encoding has to fit better by this many nats.
 */
const FAMILIES: { languages: string; encodings: Record<string, number> }[] = [
  { languages: 'fr de es pt it nl sv da nb fi ca is', encodings: { 'windows-1252': 0, macintosh: 4 } },
  { languages: 'pl cs sk hu sl hr ro', encodings: { 'windows-1250': 3, 'iso-8859-2': 3 } },
  {
    languages: 'ru uk bg sr mk be',
    encodings: { 'windows-1251': 2, 'koi8-u': 5, 'iso-8859-5': 5, ibm866: 6, ibm855: 7, 'x-mac-cyrillic': 5 },
  },
  { languages: 'el', encodings: { 'windows-1253': 2, 'iso-8859-7': 3 } },
  { languages: 'tr', encodings: { 'windows-1254': 3 } },
  { languages: 'he', encodings: { 'windows-1255': 2, 'iso-8859-8': 3 } },
  { languages: 'ar fa ur', encodings: { 'windows-1256': 2, 'iso-8859-6': 3 } },
  { languages: 'lt lv et', encodings: { 'windows-1257': 3 } },
  { languages: 'th', encodings: { 'windows-874': 2 } },
];
const EAST_ASIAN: { encoding: string; common: CommonCharacters; handicap: number }[] = [
  { encoding: 'gb18030', common: HANZI, handicap: 0 },
  { encoding: 'big5', common: HAN, handicap: 1 },
  { encoding: 'shift_jis', common: KANJI, handicap: 1 },
  { encoding: 'euc-jp', common: KANJI, handicap: 1 },
  { encoding: 'euc-kr', common: HANGUL, handicap: 1 },
  { encoding: 'johab', common: HANGUL, handicap: 9 },
];

/**
 * The number of bytes to check, from the first non-ASCII byte on, and the number that is enough for a
 * decision.
 */
const REACH_BYTES = 256 * 1024;
const SAMPLE_BYTES = 4096;
/** Matches ASCII that isn't near other characters, because it says nothing about them. */
const FAR_ASCII = /([\0-\x7f]{4})[\0-\x7f]+([\0-\x7f]{4})/g;

/**
 * A guess is certain if it's based on this many bytes, resembles a language, and is this much better than the
 * next guess that gives another text.
 */
const MIN_BYTES = 6;
const CERTAIN_NATS = 7;
const MAX_NATS_PER_BYTE = 5;

/**
 * The encoding for texts with only punctuation and symbols, unless another alphabet fits better by this many
 * nats. Never certain.
 */
const OF_SIGNS = 'windows-1252';
const SIGNS_NATS = 12;

interface Fit extends Cost {
  encoding: string;
  text: string;
}

/** Guesses the encoding of a text that isn't UTF-8: the one whose letter sequences are most like a language's. */
export function guessEncoding(bytes: Uint8Array): TextEncoding {
  const sample = sampleOf(bytes);
  const fits = [...alphabetFits(sample), ...eastAsianFits(sample)].sort(
    (one, other) => one.nats - other.nats,
  );
  const [first] = fits;
  const signs = fits.find(({ encoding, text }) => encoding === OF_SIGNS && hasOnlySigns(text));
  const isDoubtful = first && signs && first !== signs && !isEastAsian(first);
  const best = isDoubtful && signs.nats - first.nats < SIGNS_NATS ? signs : first;
  if (best === undefined) throw new Error('No encoding to choose from.');
  const next = fits.find(({ text }) => text !== best.text);
  const isAlone = next === undefined || next.nats - best.nats >= CERTAIN_NATS;
  const isLikely = best.bytes >= MIN_BYTES && best.nats <= best.bytes * MAX_NATS_PER_BYTE;
  return { encoding: best.encoding, certain: isAlone && isLikely && !isDoubtful };
}

function isEastAsian({ encoding }: Fit): boolean {
  return EAST_ASIAN.some((each) => each.encoding === encoding);
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 127) - 4);
  const near = Buffer.from(bytes.subarray(from, from + REACH_BYTES)).toString('latin1');
  return Buffer.from(near.replace(FAR_ASCII, '$1\n$2').slice(0, SAMPLE_BYTES), 'latin1');
}

function alphabetFits(sample: Uint8Array): Fit[] {
  return FAMILIES.flatMap(({ languages, encodings }) =>
    Object.entries(encodings).map(([encoding, handicap]) => {
      const text = decodeAs(encoding, sample);
      const { nats, bytes } = costInLanguages(languages.split(' '), text);
      return { encoding, text, nats: nats + handicap, bytes };
    }),
  );
}

function eastAsianFits(sample: Uint8Array): Fit[] {
  return EAST_ASIAN.map(({ encoding, common, handicap }) => {
    const text = decodeAs(encoding, sample);
    const { nats, bytes } = costInEastAsian(common, text);
    return { encoding, text, nats: nats + handicap, bytes };
  });
}
