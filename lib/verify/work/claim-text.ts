import { cellsOf } from '../draft/markdown-tables.ts';

/** A year, or a year with a letter. */
const YEAR = String.raw`(?:1[5-9]|20)\d\d[a-z]?`;
/** Months and the like precede a year, too. */
const NO_NAMES =
  'January|February|March|April|May|June|July|August|September|October|November|December|In|Since|Until|By|From|Of|Between|During|After|Before|The|Spring|Summer|Autumn|Fall|Winter|Figure|Table|Section|Chapter|Version|But|And|Only|Not|About';
const NAME = String.raw`(?!(?:${NO_NAMES})(?!\p{L}))\p{Lu}[\p{L}'’-]{1,40}`;
const AUTHORS = String.raw`(?:${NAME}(?:\s+(?:et al\.?|and colleagues|(?:and|&|und)\s+${NAME}))?)`;
/** `van der Berg, J., Smith & Jones et al.`: nothing else is before the year of a reference. */
const ALL_AUTHORS = String.raw`(?:(?:van|von|der|den|de|du|la|le|di)\s){0,3}${NAME}(?:(?:,\s?|\s)(?:\p{Lu}\.?(?:\s?\p{Lu}\.){0,2}(?!\p{L})|et al\.?|and colleagues|(?:(?:and|&|und)\s)?${NAME})){0,8}`;
const PAGES = String.raw`(?:[,，:]\s?(?:pp?|pages?|pgs?|chs?|chap(?:ter)?s?|sec(?:tion)?s?|figs?|figures?|tables?|lines?|第)?\.?\s?\d{1,5}(?:\s?[-–]\s?\d{1,5})?\s?[页章节行]?)?`;
const REFERENCE = String.raw`${ALL_AUTHORS},?\s?${YEAR}(?:,\s?${YEAR}){0,5}${PAGES}`;
const HAN_REFERENCE = String.raw`\p{Script=Han}{2,4}(?:[、，,和与]\p{Script=Han}{2,4}){0,3}等?[，,、\s]\s?${YEAR}${PAGES}`;

const NO_AUTHOR = new RegExp(`^(?:${NO_NAMES})$`);

/** `(Smith 2020; Jones et al., 2019, p. 12)`. Brackets with anything else are part of the claim. */
const ANY_REFERENCE = `(?:${REFERENCE}|${HAN_REFERENCE})`;
const IN_BRACKETS = new RegExp(
  String.raw`(?<!\s)\s*[(（](?:(?:see(?: also)?|cf\.|e\.g\.,?|参见|见)\s*)?${ANY_REFERENCE}(?:[;；]\s?${ANY_REFERENCE}){0,10}[)）]`,
  'gu',
);

/** `Smith et al. (2020) found that`, at the start. */
const IN_TEXT = new RegExp(
  String.raw`^(?:(?:as|according to)\s+)?${AUTHORS}\s*[(（]${YEAR}[)）],?\s*(?:(?:have |has |also |recently )*(?:find|found|show|shows|showed|shown|report|reports|reported|state|states|stated|argue|argues|argued|note|notes|noted|observe|observes|observed|demonstrate|demonstrates|demonstrated|write|writes|wrote|conclude|concludes|concluded|claim|claims|claimed|suggest|suggests|suggested)(?:s|ed)?(?:\s+that)?,?\s+)?`,
  'iu',
);
/** A file's name in brackets, with `see` before it or a page after it. */
const FILE_IN_BRACKETS = new RegExp(
  String.raw`(?<!\s)\s*[(（](?:(?:see(?: also)?|cf\.|in|from|参见|见)\s*)?[^\s()（）]{1,200}\.(?:pdf|docx?|md|txt|html?|tex|csv|xlsx|pptx|epub|odt)${PAGES}[)）]`,
  'giu',
);
/** `[3]`, `[3, 5–7]`, `[^3]`, `[@smith2020]`, `\cite{smith2020}`. */
const KEY = String.raw`-?@[\p{L}\p{N}_][\p{L}\p{N}_:.#&+/-]{0,100}`;
const MARKERS = new RegExp(
  String.raw`\s*(?:\[\^?\d{1,3}(?:\s*[,;，–-]\s*\d{1,3})*\]|\[${KEY}${PAGES}(?:;\s?${KEY}${PAGES}){0,10}\]|~?\\(?:cite|citep|citet|autocite|parencite|textcite|footcite)\w*\*?(?:\[[^\]]{0,20}\]){0,2}\{[^{}\s]{1,300}\})`,
  'gu',
);
/** Marks of emphasis, and a link around its text. */
const MARKUP: [RegExp, string][] = [
  [/!?\[([^\]\n]{1,500})\]\([^()\s]{1,1000}(?:\s+"[^"\n]*")?\)/gu, '$1'],
  [/(\*\*|__|`)(?=\S)([^\n]+?)(?<=\S)\1/gu, '$2'],
  [/^(?:[-*+•]|\d{1,3}[.)])\s+/u, ''],
];
/** What a draft has struck out isn't its claim: `is ~~not~~ safe`. Only of a sentence that is struck as a whole, the words stay. */
const STRUCK = /~~(?=\S)([^\n]+?)(?<=\S)~~/gu;
/** Readers of a draft don't see the sign of a quotation. */
const QUOTED = /^>\s+/u;
/** Numbers in brackets: references, but for `[3, 5]` as an interval. */
export const NUMBERS = /\[(?<numbers>\d{1,3}(?:\s*[,;，–-]\s*\d{1,3})*)\]/gu;
/** Sentences of a draft aren't longer. */
export const MAX_CLAIM = 2000;

/** A sentence whose subject is in the one before it. */
const REFERS_BACK =
  /^(?:it|they|we|our|i|my|this|these|those|he|she|its|their|such|the (?:latter|former|same)|there|here|then|(?:(?:one|two|three|some|many|most|all|none|both|each|neither|either|several|\d{1,4}) )?of (?:these|those|them)|(?:in|at|on|by|for|with|from|after|before|during) (?:this|these|that|those|it|them))\b|^(?:其|它|他|她|我|这|该|此|本)/iu;
/** `In 2020 the bank`, `both drugs`, `in our trial`: others in each document. Not `the capital of France`. */
const DEPENDS =
  /^(?:\p{L}+ (?:\p{L}+ )?\d{4},? )?(?:the (?!\p{Ll}+ of (?:the )?\p{Lu})|both )|(?<!\p{L})(?:we|our|us)(?!\p{L})/u;

/** Returns what a sentence claims: without its references to sources and its markup, which no source repeats. */
export function claimText(sentence: string): string {
  const left = sentence.replace(STRUCK, ' ');
  const shown = /[\p{L}\p{N}]/u.test(left) ? left : sentence.replace(STRUCK, '$1');
  const plain = withoutMarkup(shown.replace(QUOTED, ''));
  const bare = [MARKERS, IN_BRACKETS, FILE_IN_BRACKETS].reduce((text, form) => text.replace(form, ''), plain);
  const stripped = bare.replace(IN_TEXT, '');
  return (stripped.length > 10 ? stripped : bare).replace(/\s+/g, ' ').trim().toWellFormed();
}

/** Returns a sentence without its markup, and with its references. */
function withoutMarkup(sentence: string): string {
  return MARKUP.reduce((text, [form, by]) => text.replace(form, by), sentence.slice(0, MAX_CLAIM));
}

/** Returns a row of a table with the names of its columns: `Site: North bay; Cranes: 520`. */
export function nameColumns(row: string, columns: string): string {
  const names = cellsOf(columns);
  const cells = cellsOf(row).map((cell, at) => ({ cell, name: names[at] ?? '' }));
  return cells
    .filter(({ cell }) => cell !== '')
    .map(({ cell, name }) => (name === '' ? cell : `${name}: ${cell}`))
    .join('; ');
}

/** Whether a word before a year is none of an author's name. */
export function isNoAuthor(word: string): boolean {
  return NO_AUTHOR.test(word);
}

/** Whether only the sentence before tells what a claim is about. */
export function refersBack(claim: string): boolean {
  return REFERS_BACK.test(claim);
}

/** Whether the same words may be about something else in another document. */
export function dependsOnContext(claim: string): boolean {
  return refersBack(claim) || DEPENDS.test(claim.charAt(0).toLowerCase() + claim.slice(1));
}
