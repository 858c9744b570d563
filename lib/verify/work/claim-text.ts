import { cellsOf } from '../draft/markdown-tables.ts';
import { isReference, NAME, YEAR } from '../references.ts';

/** `Smith et al. (2020) found that`, at the start. */
const IN_TEXT = new RegExp(
  String.raw`^(?:(?:as|according to)\s+)?${NAME}(?:\s+(?:et al\.?|and colleagues|(?:and|&|und)\s+${NAME}))?\s*[(（]${YEAR}[)）],?\s*(?:(?:\p{Ll}+\s+){1,3}that,?\s+)?`,
  'iu',
);
/** Text that may be a reference: `(Smith 2020)`, `[3]`, `[@smith2020]`. */
const BRACKETS = /(?<!\s)\s*[[(（]([^()[\]（）]{1,400})[\])）]/gu;
/** For example, `\cite[p. 3]{smith2020}`. */
const CITE =
  /(?<!\s)\s*~?\\(?:cite|autocite|parencite|textcite|footcite)\w*\*?(?:\[[^\]]{0,20}\]){0,2}\{[^{}\s]{1,300}\}/gu;
/** Emphasis marks, and the link around a text. */
const MARKUP: [RegExp, string][] = [
  [/!?\[([^\]\n]{1,500})\]\([^()\s]{1,1000}(?:\s+"[^"\n]*")?\)/gu, '$1'],
  [/(\*\*|__|`)(?=\S)([^\n]+?)(?<=\S)\1/gu, '$2'],
  [/^(?:[-*+•]|\d{1,3}[.)])\s+/u, ''],
];
/**
 * Struck-out text isn't part of a claim: `is ~~not~~ safe`. If the whole sentence is struck out, its words
 * stay.
 */
const STRUCK = /~~(?=\S)([^\n]+?)(?<=\S)~~/gu;
/** The blockquote marker, which readers of a draft don't see. */
const QUOTED = /^>\s+/u;
/** The maximum length of a draft's sentence in characters. */
export const MAX_CLAIM = 2000;

/** Matches the start of a sentence whose subject is in the previous sentence. */
const REFERS_BACK =
  /^(?:it|they|we|our|i|my|this|these|those|he|she|its|their|such|the (?:latter|former|same)|there|here|then|(?:(?:one|two|three|some|many|most|all|none|both|each|neither|either|several|\d{1,4}) )?of (?:these|those|them)|(?:in|at|on|by|for|with|from|after|before|during) (?:this|these|that|those|it|them))\b|^(?:其|它|他|她|我|这|该|此|本)/iu;
/**
 * Matches words that mean something else in each document: `In 2020 the bank`, `both drugs`, `in our trial`,
 * but not `the capital of France`.
 */
const DEPENDS =
  /^(?:\p{L}+ (?:\p{L}+ )?\d{4},? )?(?:the (?!\p{Ll}+ of (?:the )?\p{Lu})|both )|(?<!\p{L})(?:we|our|us)(?!\p{L})/u;

/** Returns the claim of a sentence, without its references and markup, because no source repeats these. */
export function claimText(sentence: string): string {
  const left = sentence.replace(STRUCK, ' ');
  const shown = /[\p{L}\p{N}]/u.test(left) ? left : sentence.replace(STRUCK, '$1');
  const plain = withoutMarkup(shown.replace(QUOTED, ''));
  const bare = plain
    .replace(CITE, '')
    .replace(BRACKETS, (all, inner: string) => (isReference(inner, all.includes('[')) ? '' : all));
  const stripped = bare.replace(IN_TEXT, '');
  return (stripped.length > 10 ? stripped : bare).replace(/\s+/g, ' ').trim().toWellFormed();
}

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

/** Returns whether the subject of a claim is only in the previous sentence. */
export function refersBack(claim: string): boolean {
  return REFERS_BACK.test(claim);
}

/** Returns whether the same words may be about something else in another document. */
export function dependsOnContext(claim: string): boolean {
  return refersBack(claim) || DEPENDS.test(claim.charAt(0).toLowerCase() + claim.slice(1));
}
