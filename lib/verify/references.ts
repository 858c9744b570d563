/** A year, optionally followed by a letter. */
export const YEAR = String.raw`(?:1[5-9]|20)\d\d[a-z]?`;
/** Matches months and other words that precede a year but aren't names. */
const NO_NAMES =
  'January|February|March|April|May|June|July|August|September|October|November|December|In|Since|Until|By|From|Of|Between|During|After|Before|The|Spring|Summer|Autumn|Fall|Winter|Figure|Table|Section|Chapter|Version|But|And|Only|Not|About';
/** A family name. */
export const NAME = String.raw`(?!(?:${NO_NAMES})(?!\p{L}))\p{Lu}[\p{L}'’-]{1,40}`;
/** The name of a file that may be a source. */
export const NAMED_FILE = String.raw`(?:[\p{L}\p{N}_-]+\/)*[\p{L}\p{N}][\p{L}\p{N}._-]*\.(?:pdf|docx?|md|txt|html?|tex|csv|xlsx|pptx|epub|odt)(?![\p{L}\p{N}])`;
/** Matches numbers in brackets. They are references unless they are an interval such as `[3, 5]`. */
export const NUMBERS = /\[(?<numbers>\d{1,3}(?:\s*[,;，–-]\s*\d{1,3})*)\]/gu;

const whole = (form: string, flags = 'u') => new RegExp(`^(?:${form})$`, flags);
/** Names and initials, name particles, and words that join names. */
const NAMED = whole(
  String.raw`${NAME}|\p{Script=Han}{2,4}|(?:\p{Lu}\.?){1,3}|van|von|der|den|de|du|la|le|di|and|und|colleagues|et|al\.?|和|与`,
);
/** Matches the other parts of a reference: a year and page numbers. */
const BESIDE = whole(
  String.raw`see|also|cf\.|e\.g\.|参见|见|(?:p|pp|pages?|pgs?|chs?|chap(?:ter)?s?|sec(?:tion)?s?|figs?|figures?|tables?|lines?)\.?|${YEAR}|第?\d{1,5}(?:[-–]\d{1,5})?[页章节行]?`,
  'iu',
);
const AUTHORED = new RegExp(String.raw`(?:${NAME}|\p{Script=Han}{2,4}等?)[^\d]{0,200}${YEAR}(?!\d)`, 'u');
/** Matches a file, or the key of an entry in a list of sources. */
const SOURCE = whole(String.raw`${NAMED_FILE}|-?@[\p{L}\p{N}_][\p{L}\p{N}_:.#&+/-]{0,100}`);

/**
 * Returns whether brackets contain only references to sources: `Smith 2020; Jones et al., 2019, p. 12`, or `3, 5–7` in
 * square brackets.
 */
export function isReference(inner: string, isSquare: boolean): boolean {
  if (isSquare && /^\^?\d{1,3}(?:\s*[,;，–-]\s*\d{1,3})*$/u.test(inner)) return true;
  const words = inner.split(/[\s,;:&，；：、]+|(?<=\p{Script=Han})等/u).filter((word) => word !== '');
  const isSource = words.some((word) => SOURCE.test(word)) || (!isSquare && AUTHORED.test(inner));
  return isSource && words.every((word) => [SOURCE, NAMED, BESIDE].some((form) => form.test(word)));
}

/**
 * Matches an author with a year: `Smith et al. (2020)`. The text is untrusted, so names are short, and no
 * name can start within another.
 */
const AUTHOR_YEAR = new RegExp(
  String.raw`(?<![\p{L}'’-])(?<author>${NAME})(?:\s{1,3}et al\.?|\s{1,3}and colleagues|\s{1,3}(?:and|&)\s{1,3}\p{Lu}[\p{L}'’-]{1,40})?,?\s{0,3}[(（]?(?<year>${YEAR})(?![\d-])`,
  'gu',
);
const HAN_AUTHOR_YEAR = new RegExp(
  String.raw`[(（](?<author>\p{Script=Han}{2,4})等?[，,、\s]\s*(?<year>${YEAR})[)）]`,
  'gu',
);

/** Returns the authors with a year that a sentence names. */
export function authorsIn(sentence: string): { author: string; year: string }[] {
  return [...sentence.matchAll(AUTHOR_YEAR), ...sentence.matchAll(HAN_AUTHOR_YEAR)].map(({ groups }) => ({
    author: groups?.author ?? '',
    year: (groups?.year ?? '').slice(0, 4),
  }));
}

/** The maximum length of a range of references. */
const MAX_RANGE = 100;

/** Expands `3, 5–7` to 3, 5, 6, 7. Numbers with a zero aren't references, because lists start at 1. */
export function referenceNumbers(numbers: string): number[] {
  const found = numbers.split(/[,;，]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    const length = Math.max(1, Math.min(last - first + 1, MAX_RANGE));
    return Array.from({ length }, (_, at) => first + at);
  });
  return found.includes(0) ? [] : found;
}

const KEYS = /(?<![\p{L}\p{N}.])@\{?([\p{L}\p{N}_][\p{L}\p{N}_:.#$%&+?<>~/-]{0,200})/gu;

/** Keys as Pandoc writes them: `[@smith2020; @jones2021, p. 3]`. */
export function keysIn(sentence: string): string[] {
  return [...sentence.matchAll(KEYS)].map(([, key = '']) => key.replace(/[.,:;?!]+$/, ''));
}
