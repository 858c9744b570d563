/** The position of a sentence in a text: characters from 0, end exclusive. */
export interface SentencePlace {
  start: number;
  end: number;
}

/**
 * Replaces citations and other text to ignore. Unicode's rules skip this character at the end of a sentence,
 * and replacing text with it keeps the length.
 */
const UNREAD = '\u2060';
const CITATION = '\u2061';
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the sentences of one paragraph, in any language, without surrounding white space. Unicode's rules
 * find where a sentence may end (UAX 29). It doesn't end after an abbreviation, an initial, a day of a month
 * (`1. Januar`), or the number of a list item, or within brackets. A citation after the period belongs to the
 * sentence before it. A line break counts as a space. `\0` replaces text to ignore.
 */
export function splitSentences(text: string): SentencePlace[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const plain = withoutCitations(text.replace(/[\n\r\u0085\u2028\u2029]/g, ' ').replaceAll('\0', UNREAD));
  const sentences: SentencePlace[] = [];
  let start = 0;
  for (const end of endsIn(plain, segmenter)) {
    const next = plain.slice(end, end + MAX_LOOK_AHEAD);
    if (next !== '' && !isEnd(plain.slice(Math.max(start, end - MAX_LOOK_BACK), end), next)) continue;
    const place = trimmed(plain, start, end);
    if (place.end > place.start) sentences.push(place);
    start = end;
  }
  return sentences;
}

/**
 * Matches `It took four years. 588 adults came.`. Unicode's rules find no end before a number that is
 * followed by a lowercase letter.
 */
const BEFORE_NUMBER =
  /(?<=\p{L}{4}[.!?]["”’)]?[\u2060\u2061]{0,40}\s)(?<!\b(?:expt|vers|abschn|teil|band|kapitel|section|chapter|figure|table|page|number|volume)\.\s)(?=\d[\d.,]{0,20}\s\p{Ll})/giu;

/** Yields the positions where a sentence may end. */
function* endsIn(plain: string, segments: Intl.Segmenter): Iterable<number> {
  for (const { segment, index } of segments.segment(plain)) {
    for (const { index: within } of segment.matchAll(BEFORE_NUMBER)) yield index + within;
    yield index + segment.length;
  }
}

const MAX_LOOK_BACK = 400;
const MAX_LOOK_AHEAD = 200;

const NUMBERED = /[[【]\d{1,3}(?:\s?[,，、;；–-]\s?\d{1,3}){0,30}[\]】]|[⁰¹²³⁴-⁹]+/g;
/** Matches `(Smith et al., 2020)`, but not `(It was so in 2020.)`. */
const BY_YEAR =
  /[(（](?=[^()（）]{0,200}(?<!\d)(?:19|20)\d\d[a-z]?[^()（）]{0,60}[)）])[^()（）]{1,260}(?<![.!?。！？])[)）]/g;

function withoutCitations(text: string): string {
  const ignore = (citation: string, at: number) => (at === 0 ? citation : CITATION.repeat(citation.length));
  return text.replace(NUMBERED, ignore).replace(BY_YEAR, ignore);
}

/** Words after which a sentence never ends. */
const BEFORE_MORE =
  /(?<![\p{L}\p{N}])(?:e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|cf|vs|v|viz|approx|ca|resp|esp|incl|excl|est|Figs?|Eqn?s?|Tabs?|Sect?s?|Ch|Chap|Nos?|Nr|Vols?|pp?|Refs?|Suppl|App|Alg|Thm|Def|Prop|Cor|Lem|Art|Dr|Drs|Prof|Mr|Mrs|Ms|Mx|St|Ste|Gen|Col|Lt|Capt|Cmdr|Sgt|Rev|Hon|Sen|Rep|Gov|Pres|Supt|Msgr|Mt|Ft|Dept|Univ|Assoc|eds?|trans|bzw|vgl|Abb|Hrsg|subsp|var|spp?)\.\s*$/u;
/** Words after which a sentence may end, and does before a capital letter. */
const BEFORE_CAPITAL =
  /(?<![\p{L}\p{N}])(?:et al|etc|a\.\s?m|p\.\s?m|Inc|Ltd|Co|Corp|Jr|Sr|usw|U\.S\.A|U\.S|U\.K|E\.U|U\.N|D\.C|B\.C|A\.D|Ph\.D)\.?\s*$/u;
const MONTH = /(?<!\p{L})(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/u;
const DAY = /(?<!\p{N})\d{1,2}\.\s*$/u;
let germanMonth: RegExp | undefined;

/** Among the languages with a period after the day, only German starts the month with a capital letter. */
function isGermanMonth(after: string): boolean {
  germanMonth ??= new RegExp(`^(?:${germanMonths().join('|')})(?!\\p{L})`, 'u');
  return germanMonth.test(after);
}

function germanMonths(): string[] {
  const months = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, at) => months.format(Date.UTC(2024, at, 1)));
}

/**
 * Matches `J. Smith`, but not `vitamin C. It`, where the letter belongs to a noun, and not a unit: `2 °C.
 * It`, `10 A. It`.
 */
const INITIAL = /(?<![\p{L}\p{N}\p{S}]|\p{N}\s)(?<before>\p{Ll}+\s+)?(?:\p{Lu}\.[\s-]?)*\p{Lu}\.\s*$/u;
const LETTERED =
  /^(?:vitamins?|types?|class|groups?|figures?|panels?|appendix|hepatitis|grade|plans?|phase|category|sections?|parts?|tables?|points?|options?|models?|steps?|exhibit|case|influenza|team|level|version|schedule|annex|is|was|are|were)\s+$/;
const ITEM_NUMBER = /^\s*[(（]?(?:\d{1,3}(?:\.\d{1,3})*|\p{L}|[ivxIVX]{1,5})[.)）、．]\s*$/u;
const STARTS_LOWER = /^["'“‘«([\s\u2060\u2061]*\p{Ll}/u;
const STARTS_UPPER = /^["'“‘«\s\u2060\u2061]*\p{Lu}/u;
const WORDLESS = /^[^\p{L}\p{N}]*$/u;

/** Returns whether a sentence ends between the two texts. */
function isEnd(before: string, after: string): boolean {
  if (WORDLESS.test(before) || WORDLESS.test(after) || ITEM_NUMBER.test(before)) return false;
  if (STARTS_LOWER.test(after) || isOpen(before, after)) return false;
  if (BEFORE_MORE.test(before) || (DAY.test(before) && isGermanMonth(after))) return false;
  if (BEFORE_CAPITAL.test(before)) return STARTS_UPPER.test(after);
  if (MONTH.test(before)) return !/^\s*\d/.test(after);
  const initial = INITIAL.exec(before);
  return initial === null || !STARTS_UPPER.test(after) || LETTERED.test(initial.groups?.before ?? '');
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '（': '）' };

/**
 * Returns whether a bracket that opens in the text before closes in the text after, with no other opening in
 * between.
 */
function isOpen(before: string, after: string): boolean {
  const open: string[] = [];
  for (const sign of before.match(/[()[\]（）]/g) ?? []) {
    const closes = CLOSING[sign];
    if (closes !== undefined) open.push(closes);
    else if (open.at(-1) === sign) open.pop();
  }
  return open.length > 0 && /[()[\]（）]/.exec(after)?.[0] === open.at(-1);
}

function trimmed(text: string, from: number, to: number): SentencePlace {
  let [start, end] = [from, to];
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (end > start && SPACE.test(text.charAt(end - 1))) end--;
  return { start, end };
}

const SPACE = /[\s\u2060]/;
