/** A year, or a year with a letter. */
const YEAR = String.raw`(?:1[5-9]|20)\d\d[a-z]?`;
const NAME = String.raw`\p{Lu}[\p{L}'’-]+`;
const AUTHORS = String.raw`(?:${NAME}(?:\s+(?:et al\.?|and colleagues|(?:and|&|und)\s+${NAME}))?)`;

/** `(Smith 2020; Jones et al., 2019, p. 12)`. */
const IN_BRACKETS = new RegExp(
  String.raw`\s*[(（](?:(?:see(?: also)?|cf\.|e\.g\.,?|参见|见)\s*)?${AUTHORS}[^()（）]{0,80}?${YEAR}[^()（）]{0,200}[)）]|\s*[(（]\p{Script=Han}{2,8}[^()（）]{0,20}?[，,、\s]\s*${YEAR}[^()（）]{0,100}[)）]`,
  'gu',
);
/** `Smith et al. (2020) found that`, at the start. */
const IN_TEXT = new RegExp(
  String.raw`^(?:(?:as|according to)\s+)?${AUTHORS}\s*[(（]${YEAR}[)）],?\s*(?:(?:have |has |also |recently )*(?:find|found|show|shows|showed|shown|report|reports|reported|state|states|stated|argue|argues|argued|note|notes|noted|observe|observes|observed|demonstrate|demonstrates|demonstrated|write|writes|wrote|conclude|concludes|concluded|claim|claims|claimed|suggest|suggests|suggested)(?:s|ed)?(?:\s+that)?,?\s+)?`,
  'iu',
);
/** A file's name in brackets, with `see` before it or a page after it. */
const FILE_IN_BRACKETS =
  /\s*[(（](?:(?:see(?: also)?|cf\.|in|from|参见|见)\s*)?[^\s()（）]{1,200}\.[A-Za-z]{2,5}(?:,[^()（）]{0,80})?[)）]/gu;
/** `[3]`, `[3, 5–7]`, `[^3]`, `[@smith2020]`, `\cite{smith2020}`. */
const MARKERS =
  /\s*(?:\[\^?\d{1,3}(?:\s*[,;，–-]\s*\d{1,3})*\]|\[-?@[^\]\n]{1,200}\]|~?\\(?:cite|citep|citet|autocite|parencite|textcite|footcite)\w*\*?(?:\[[^\]]{0,100}\]){0,2}\{[^{}]{1,300}\})/gu;
/** Marks of emphasis, and a link around its text. */
const MARKUP: [RegExp, string][] = [
  [/!?\[([^\]\n]{1,500})\]\([^()\s]{1,1000}(?:\s+"[^"\n]*")?\)/gu, '$1'],
  [/(\*\*|__|~~|`)(?=\S)([^\n]+?)(?<=\S)\1/gu, '$2'],
  [/^(?:[-*+•]|\d{1,3}[.)]|>)\s+/u, ''],
];
/** Longer sentences are compared up to here. */
const MAX_CLAIM = 2000;

/** A sentence whose subject is in the one before it. */
const REFERS_BACK =
  /^(?:it|they|this|these|those|he|she|its|their|such|the (?:latter|former|same))\b|^(?:其|它|他|她|这|该|此)/iu;

/** Returns what a sentence claims: without its references to sources and its markup, which no source repeats. */
export function claimText(sentence: string): string {
  const bare = withoutReferences(sentence);
  const stripped = bare.replace(IN_TEXT, '');
  return (stripped.length > 10 ? stripped : bare).replace(/\s+/g, ' ').trim().toWellFormed();
}

/** The same of a source's sentence: whose claim it reports stays, because the source may not share it. */
export function withoutReferences(sentence: string): string {
  const plain = MARKUP.reduce((text, [form, by]) => text.replace(form, by), sentence.slice(0, MAX_CLAIM));
  return [MARKERS, IN_BRACKETS, FILE_IN_BRACKETS].reduce((text, form) => text.replace(form, ''), plain);
}

/** Whether only the sentence before tells what a claim is about. */
export function refersBack(claim: string): boolean {
  return REFERS_BACK.test(claim);
}
