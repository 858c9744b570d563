import { startsWithNames } from '../bibliography/entry.ts';
import { holdsFacts } from '../support/rules/facts.ts';
import type { DraftText } from './draft/draft.ts';
import { NAMED_FILE } from './references.ts';

/** An entry of a draft's list of sources. */
export interface SourceEntry {
  /** Its number in the list, if it has one. */
  number: string | undefined;
  /** The text without the number. */
  text: string;
  /** Its start in the text of the draft. */
  start: number;
  end: number;
}

/** Headings of a list of sources. */
const HEADING =
  /^(?:#{1,6}\s*)?(?:\d+(?:\.\d+)*\.?\s+|[一二三四五六七八九十]+、\s*)?(?:references|bibliography|works cited|literature(?: cited)?|sources|参考文献|引用文献|参考资料)\s*[:：]?$/iu;
const MAX_ENTRY = 1000;
/** The maximum number of characters in an entry. A longer text makes statements. */
const MAX_SOURCE = 500;
const MAX_ENTRIES = 2000;

const ITEM = /^\s*(?:(?:\[(\d{1,3})\]|[（(](\d{1,3})[)）]|(\d{1,3})[.)、．])\s*|[-*+•]\s+)(?=\S)/u;
const YEAR = String.raw`(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\d)`;
const HAS_YEAR = new RegExp(YEAR, 'u');
const IDENTIFIER =
  /https?:\/\/|(?<!\p{L})(?:doi|arXiv|ISBN|ISSN)(?!\p{L})|(?<!\d)10\.\d{4,9}\/|\[[A-Z]{1,2}(?:\/OL)?\]/iu;
const NAME = String.raw`(?:(?:de|del|van|von|der|den|la|le|du|di|da|dos)\s+){0,3}\p{Lu}[\p{L}'’-]{1,40}`;
const INITIALS = String.raw`(?:\p{Lu}\.[\s-]?){1,3}`;
/** Matches `Smith, J.`, `Smith J`, `Smith, John`, or `J. Smith`. */
const PERSON = String.raw`(?:${NAME}(?:,\s*${INITIALS}|\s+\p{Lu}{1,3}(?!\p{L})|,\s*\p{Lu}\p{Ll}+(?:\s\p{Lu}\.)?)|${INITIALS}${NAME})`;
/**
 * Matches further authors, who may have the first name before the family name: `Smith, John, and Anna Jones`.
 */
const OTHERS = String.raw`(?:(?:[,;]|,?\s+(?:and|&))\s*(?:${PERSON}|${NAME}(?:\s${NAME})?)){0,30}(?:,?\s+(?:et al\.?|(?:and|&) others))?`;
const BARE = String.raw`${NAME}(?:\s${NAME}){0,4}`;
/**
 * Matches the end of the authors: a year in parentheses, a mark, or the title. In prose, a verb follows the
 * authors: `Smith and Jones (2020) found`.
 */
const YEAR_ENDS = String.raw`\s*[(（[]${YEAR}[)）\]]\s*(?:[.,:;]|["“«「《]|\p{Lu}|$)`;
const ENDS = String.raw`(?:${YEAR_ENDS}|\.?:\s|\.\s|,\s*(?:["“«「《]|${YEAR})|["“«「《]|$)`;
const AUTHORS = new RegExp(
  String.raw`^(?:${PERSON}${OTHERS}${ENDS}|${BARE}(?:(?:,|,?\s+(?:and|&))\s*${BARE}){0,10}(?:,?\s+et al\.?)?,?${YEAR_ENDS})`,
  'u',
);
const HAN_PERSON = String.raw`\p{Script=Han}{2,4}`;
/** Matches `张三, 李四. 题名` or `张三等，2020`. */
const HAN_AUTHORS = new RegExp(
  String.raw`^${HAN_PERSON}(?:[，,、]\s*${HAN_PERSON}){0,10}[，,]?等?(?:\s*[.．]|\s*[,，(（]\s*${YEAR})`,
  'u',
);
const TITLE = /["“«「《][^"“”«»「」《》]{8,300}["”»」》]/u;
const HAS_FILE = new RegExp(NAMED_FILE, 'iu');
/**
 * Matches signs of a statement: a verb of saying or happening before a fact, a second Chinese sentence, or a
 * link to which the text refers.
 */
const TELLS =
  /(?<!\p{L})(?:found|finds?|reports?|reported|shows?|showed|argues?|argued|claims?|claimed|says?|said) that(?!\p{L})|(?<!\p{L})(?:see|cf\.?|under|according to)\s+(?:also\s+)?(?:https?:|doi|10\.)|(?:发现|表明|指出|认为|导致|显示)[，,]?|。(?=.*\p{Script=Han}.*。)/iu;
/** Matches the text after an entry's URL, which is only the access date. */
const AFTER_LINK =
  /(?:https?:\/\/|doi\.org\/|(?<!\d)10\.\d{4,9}\/)\S+\s+(?![([]?\s*(?:accessed|retrieved|last|visited|viewed|archived|访问|引用|\d|doi|\[))[\p{L}\s,]{12,}/iu;
/** The minimum share of a list of sources that must clearly look like entries. */
const LIST = 0.5;

/**
 * Returns the entries of the lists of sources, wherever they are in a draft. A chapter is such a list only if
 * at least half of it looks like entries. Other text is checked as usual, such as a chapter "Literature"
 * about earlier findings, or text within a list that isn't an entry. `numbers` are those in the lists. They
 * may include too many, because code doesn't check whether they number an entry.
 */
export function listedSources(draft: Pick<DraftText, 'text' | 'sentences'>) {
  const lists = unitsInLists(draft).map((units) => ({ units, entries: entriesIn(units) }));
  const numbered = lists.filter(({ entries }) => entries.some(({ number }) => number !== undefined));
  const numbers = numbered.flatMap(({ units }) => units.flatMap(({ number }) => number ?? []));
  return {
    entries: lists.flatMap(({ entries }) => entries).slice(0, MAX_ENTRIES),
    numbers: new Set(numbers.map(Number)),
  };
}

/**
 * Returns every entry of the reference lists, also those that don't look like one, because each line of a list is an
 * entry. A text without a heading may be a list as a whole.
 */
export function listedEntries(draft: Pick<DraftText, 'text' | 'sentences'>): SourceEntry[] {
  const lists = unitsInLists(draft);
  const whole = lists.length > 0 ? lists : [unitsOf(draft.text, 0, draft.text.length)];
  return whole
    .map(listIn)
    .filter((list) => list.filter(isEntry).length >= LIST * list.length)
    .flat();
}

/** In a list, a number or names before a year are enough. */
function isEntry(unit: SourceEntry): boolean {
  const isDated = HAS_YEAR.test(unit.text);
  return isSource(unit) || (isDated && (unit.number !== undefined || startsWithNames(unit.text)));
}

/** Returns the text after each heading of a list of sources, until the next heading. */
function unitsInLists({ text, sentences }: Pick<DraftText, 'text' | 'sentences'>): SourceEntry[][] {
  return headingsIn({ text, sentences }).map((end, at, ends) => {
    const next = sentences.find(({ isHeading, start }) => isHeading && start >= end);
    return unitsOf(text, end, Math.min(next?.start ?? text.length, ends[at + 1] ?? text.length));
  });
}

/**
 * Returns the ends of the headings of lists: sentences, and lines of their own, because pasted text has no empty line
 * after a heading.
 */
function headingsIn({ text, sentences }: Pick<DraftText, 'text' | 'sentences'>): number[] {
  const ends = sentences.filter((sentence) => HEADING.test(sentence.text.trim())).map(({ end }) => end);
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const end = index + line.length;
    const isHeading = line.length <= MAX_HEADING && HEADING.test(line.trim());
    if (isHeading && !ends.some((known) => index < known && known <= end)) ends.push(end);
  }
  return ends.sort((one, other) => one - other);
}

const SENTENCE_ENDS = /[.!?。！？…;；][\])"'”’」』）*_]*$/u;
/**
 * The maximum number of words in a heading. A longer text without a period is a list item, which may state
 * something.
 */
const HEADING_WORDS = 8;
const HEADING_HAN = 16;
/** The maximum length of a heading in characters. */
const MAX_HEADING = 200;

/** Returns whether a text is a short line without a full stop, and without a fact that could be checked. */
export function isLikeHeading(text: string): boolean {
  return /^#{1,6}\s/.test(text) || (!SENTENCE_ENDS.test(text) && statesLittle(text));
}

/** Returns whether a text is as short as a heading, and contains no fact that could be checked. */
export function statesLittle(text: string): boolean {
  if (text.length > MAX_HEADING || holdsFacts(text)) return false;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 ? han <= HEADING_HAN : text.trim().split(/\s+/).length <= HEADING_WORDS;
}

/** Returns the units up to the next line that looks like a heading. */
function listIn(units: SourceEntry[]): SourceEntry[] {
  const last = units.findIndex((unit) => isLikeHeading(unit.text) && !isSource(unit));
  return last === -1 ? units : units.slice(0, last);
}

function entriesIn(units: SourceEntry[]): SourceEntry[] {
  const list = listIn(units);
  const sure = list.filter(isSource);
  if (sure.length < LIST * list.length) return [];
  return list.filter((unit) => isSource(unit) || isShortEntry(unit));
}

function isSource({ number, text }: SourceEntry): boolean {
  if (text.length > MAX_SOURCE || TELLS.test(text) || AFTER_LINK.test(text)) return false;
  if (isAuthored(text)) return number !== undefined || HAS_YEAR.test(text) || IDENTIFIER.test(text);
  if (IDENTIFIER.test(text)) return !AMOUNT.test(text.replace(LINK, ''));
  return number !== undefined && (TITLE.test(text) || HAS_FILE.test(text));
}

function isAuthored(text: string): boolean {
  return AUTHORS.test(text) || HAN_AUTHORS.test(text);
}

const LINK = /(?:https?:\/\/|(?<!\d)10\.\d{4,9}\/)\S+/gu;
const FEW_WORDS = 12;
const FEW_HAN = 20;
/** Matches an amount, as in `lost 300 owls`. */
const AMOUNT = /(?<![\d.])(?!(?:1[5-9]|20)\d\d(?!\d))\d+(?:[.,]\d+)?\s*(?:%|\p{Ll}{3,}|\p{Script=Han})/u;

/** Returns whether it is an entry such as `[2] City report, 2019.` */
function isShortEntry({ number, text }: SourceEntry): boolean {
  if (number === undefined && !HAS_YEAR.test(text)) return false;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const isShort = han > 0 ? han <= FEW_HAN : text.split(/\s+/).length <= FEW_WORDS;
  return isShort && !TELLS.test(text) && !AMOUNT.test(text) && !VERB.test(text);
}

/** Matches verbs. An entry without authors has no verb, because it states nothing. */
const VERB =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|did|does|can|will|\p{Ll}+ed|died|lost|took|paid|rose|fell|grew|won|killed)(?!\p{L})/u;

const LINE = /[^\n]+/g;

/**
 * Returns paragraphs, and lines that start like an item or with authors. Any other line continues the
 * previous one.
 */
function unitsOf(text: string, from: number, to: number): SourceEntry[] {
  const units: SourceEntry[] = [];
  let isOpen = false;
  let end = from;
  for (const { 0: line, index } of text.slice(from, to).matchAll(LINE)) {
    const start = from + index;
    if (/\n\s*\n/.test(text.slice(end, start))) isOpen = false;
    end = start + line.length;
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const unit = unitOf(line, start);
    const last = units.at(-1);
    if (isOpen && last !== undefined && unit.number === undefined && !isAuthored(unit.text)) {
      last.text = `${last.text} ${unit.text}`.slice(0, MAX_ENTRY);
      last.end = end;
    } else units.push(unit);
    isOpen = true;
  }
  return units;
}

function unitOf(line: string, start: number): SourceEntry {
  const [mark = '', ...numbers] = ITEM.exec(line.slice(0, MAX_ENTRY)) ?? [];
  const number = numbers.find((each) => each !== undefined);
  const text = line.slice(mark.length, MAX_ENTRY).trim();
  return { number, text, start, end: start + line.length };
}
