import type { DraftText } from './draft/draft.ts';
import { isLikeHeading } from './like-heading.ts';

/** An entry of a draft's list of sources. */
export interface SourceEntry {
  /** Its number in the list, if it has one. */
  number: string | undefined;
  /** Without the number. */
  text: string;
  /** Its place in the text of the draft. */
  start: number;
  end: number;
}

/** The headings after which a draft lists its sources. */
const HEADING =
  /^(?:#{1,6}\s*)?(?:\d+(?:\.\d+)*\.?\s+|[一二三四五六七八九十]+、\s*)?(?:references|bibliography|works cited|literature(?: cited)?|sources|参考文献|引用文献|参考资料)\s*[:：]?$/iu;
const MAX_ENTRY = 1000;
const MAX_ENTRIES = 2000;

const ITEM = /^\s*(?:(?:\[(\d{1,3})\]|[（(](\d{1,3})[)）]|(\d{1,3})[.)、．])\s*|[-*+•]\s+)(?=\S)/u;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\d)/;
const IDENTIFIER =
  /https?:\/\/|(?<!\p{L})(?:doi|arXiv|ISBN|ISSN)(?!\p{L})|(?<!\d)10\.\d{4,9}\/|\[[A-Z]{1,2}(?:\/OL)?\]/iu;
const NAME = String.raw`(?:(?:de|del|van|von|der|den|la|le|du|di|da|dos)\s+){0,3}\p{Lu}[\p{L}'’-]{1,40}`;
/** `Smith, J.`, `Smith J,`, `J. Smith`, `Smith, John.`, `Smith and Jones`, `Smith (2020).`, `张三,`. */
const AUTHORS = new RegExp(
  String.raw`^(?:${NAME}(?:,\s*(?:\p{Lu}\.[\s-]?){1,3}|,?\s+\p{Lu}{1,3}(?=[.,;\s])|,\s*\p{Lu}\p{Ll}+(?:\s\p{Lu}\.)?[.;]|,?\s+(?:and|&|et al)|\s*[(（]\d{4}[a-z]?[)）][.,:])|(?:\p{Lu}\.\s?){1,3}${NAME}|\p{Script=Han}{2,4}(?:[，,、.．]|等))`,
  'u',
);
const TITLE = /["“«「《][^"“”«»「」《》]{8,300}["”»」》]/u;
const FILE = /[\p{L}\p{N}]\.(?:pdf|docx?|md|txt|html?|tex|csv|xlsx|pptx|epub|odt)(?![\p{L}\p{N}])/iu;
/** Of a list of sources, at least half is sure to be sources. */
const LIST = 0.5;

/**
 * Returns the entries of the lists of sources, wherever they are in a draft. Only what looks like an entry is one: text that follows the
 * word `Sources` is checked as any other. In a list whose entries mostly do, a number or a year is enough.
 */
export function listedSources(draft: Pick<DraftText, 'text' | 'sentences'>): SourceEntry[] {
  return unitsInLists(draft).flatMap(entriesIn).slice(0, MAX_ENTRIES);
}

/** Returns the numbers in a draft's lists of sources, in doubt too many: whether they number an entry isn't looked at. */
export function numbersInLists(draft: Pick<DraftText, 'text' | 'sentences'>): Set<number> {
  const lists = unitsInLists(draft).filter((units) =>
    entriesIn(units).some(({ number }) => number !== undefined),
  );
  return new Set(
    lists
      .flat()
      .flatMap(({ number }) => number ?? [])
      .map(Number),
  );
}

/** Returns what follows each heading of a list of sources, until the next heading. */
function unitsInLists({ text, sentences }: Pick<DraftText, 'text' | 'sentences'>): SourceEntry[][] {
  return sentences.flatMap((sentence, at) => {
    if (!HEADING.test(sentence.text.trim())) return [];
    const next = sentences.slice(at + 1).find(({ isHeading }) => isHeading);
    return [unitsOf(text, sentence.end, next?.start ?? text.length)];
  });
}

function entriesIn(units: SourceEntry[]): SourceEntry[] {
  const last = units.findIndex((unit) => isLikeHeading(unit.text) && !isSource(unit));
  const list = last === -1 ? units : units.slice(0, last);
  const sure = list.filter(isSource);
  if (sure.length < LIST * list.length) return sure;
  return list.filter((unit) => isSource(unit) || unit.number !== undefined || YEAR.test(unit.text));
}

function isSource({ number, text }: SourceEntry): boolean {
  if (IDENTIFIER.test(text)) return true;
  if (AUTHORS.test(text)) return number !== undefined || YEAR.test(text);
  return number !== undefined && (TITLE.test(text) || FILE.test(text));
}

const LINE = /[^\n]+/g;

/** Paragraphs, and lines that begin like an item or with authors. A line that doesn't continues the one before. */
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
    if (isOpen && last !== undefined && unit.number === undefined && !AUTHORS.test(unit.text)) {
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
