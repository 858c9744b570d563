import { type Cost, OTHER_SCRIPT } from './language-cost.ts';

/** The rows of a standard that contain its most frequent characters. */
export interface CommonCharacters {
  encoding: string;
  leads: [first: number, last: number];
  firstTrail: number;
}

export const HANZI: CommonCharacters = { encoding: 'gb18030', leads: [0xb0, 0xd7], firstTrail: 0xa1 };
export const HAN: CommonCharacters = { encoding: 'big5', leads: [0xa4, 0xc6], firstTrail: 0x40 };
export const KANJI: CommonCharacters = { encoding: 'euc-jp', leads: [0xb0, 0xcf], firstTrail: 0xa1 };
export const HANGUL: CommonCharacters = { encoding: 'euc-kr', leads: [0xb0, 0xc8], firstTrail: 0xa1 };

const KANA = /[\u3040-\u30ff]/;
const HALF_KANA = /[\uff61-\uff9f]/;
const WIDE = /[\u3000-\u303f\uff01-\uff5e]/;
const IDEOGRAPH = /\p{Script=Han}/u;

/** The cost in nats, by kind. A character costs more if its kind has more characters, or is rarer. */
const KANA_IN_JAPANESE = 4.5;
const KANA_ELSEWHERE = 11;
const HALF_KANA_AFTER_OTHER = 10;
const HALF_KANA_AGAIN = 5;
const PUNCTUATION = 5;
const RARE_IDEOGRAPH = 12;
const OTHER = 16;
/** The minimum share of kana. A text with less is as likely to be in another language. */
const MIN_KANA_SHARE = 0.1;
const WITHOUT_KANA = 2;
const COMMON_KIND = 0.3;
const ASCII_AFTER = 4;

const sets = new Map<CommonCharacters, Set<string>>();

function setOf(common: CommonCharacters): Set<string> {
  const known = sets.get(common) ?? readRows(common);
  sets.set(common, known);
  return known;
}

function readRows({ encoding, leads: [first, last], firstTrail }: CommonCharacters): Set<string> {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead++)
    for (let trail = firstTrail; trail < 0xff; trail++) bytes.push(lead, trail);
  const rows = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  return new Set(rows.replace(/[\0-\x7f\ufffd]/g, ''));
}

/** Returns how unlikely the non-ASCII characters are, with the ASCII next to them. */
export function costInEastAsian(common: CommonCharacters, text: string): Cost {
  const cost = { nats: 0, bytes: 0 };
  const set = setOf(common);
  let before = ' ';
  for (const character of text) {
    if (character > '\x7f') {
      cost.nats += natsOf(common, set, before, character) + (/[a-z]/i.test(before) ? OTHER_SCRIPT / 2 : 0);
      cost.bytes += HALF_KANA.test(character) ? 1 : 2;
    } else if (before > '\x7f') {
      cost.nats += ASCII_AFTER;
      cost.bytes++;
    }
    before = character;
  }
  if (common === KANJI) cost.nats += WITHOUT_KANA * lackOfKana(text);
  return cost;
}

function natsOf(common: CommonCharacters, set: Set<string>, before: string, character: string): number {
  if (set.has(character)) return Math.log(set.size) + COMMON_KIND;
  if (KANA.test(character)) return common === KANJI ? KANA_IN_JAPANESE : KANA_ELSEWHERE;
  if (HALF_KANA.test(character)) return HALF_KANA.test(before) ? HALF_KANA_AGAIN : HALF_KANA_AFTER_OTHER;
  if (WIDE.test(character)) return PUNCTUATION;
  return IDEOGRAPH.test(character) ? RARE_IDEOGRAPH : OTHER;
}

/** Returns how many kana a text lacks, counted by its wide characters; 0 if it has enough. */
function lackOfKana(text: string): number {
  const wide = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const kana = text.match(/[\u3040-\u30ff\uff61-\uff9f]/g)?.length ?? 0;
  return kana < wide * MIN_KANA_SHARE ? wide : 0;
}
