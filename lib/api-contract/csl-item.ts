export interface CslDate {
  'date-parts': [number[]];
}

/** A CSL-JSON item: https://docs.citationstyles.org/en/stable/specification.html */
export interface CslItem {
  id: string;
  type:
    | 'article'
    | 'article-journal'
    | 'book'
    | 'chapter'
    | 'dataset'
    | 'document'
    | 'paper-conference'
    | 'report'
    | 'thesis'
    | 'webpage';
  title: string;
  author?: CslName[];
  issued?: CslDate;
  'container-title'?: string;
  accessed?: CslDate;
  DOI?: string;
  URL?: string;
  archive?: string;
  number?: string;
  note?: string;
}

/** A name in CSL's format. */
export interface CslName {
  family?: string;
  given?: string;
  suffix?: string;
  literal?: string;
}

const ORGANIZATION =
  /\b(?:organi[sz]ation|institute|university|team|group|consortium|inc|ltd|llc|gmbh|foundation|association|committee|corporation|company|department|collaboration|society|council|agency|ministry|bank|project)\b/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv)\.?$/i;
const PARTICLE = /^(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten|zu|zur|af|av)$/i;

/**
 * Parses `Jane van Smith`, `van Smith, Jane`, or `Smith, J., Jr.`. For an organization, or a single word, returns the
 * whole name.
 */
export function parseName(name: string): CslName {
  const whole = name.replace(/\s+/g, ' ').trim();
  const [family = '', ...others] = whole.split(',').map((part) => part.trim());
  if (ORGANIZATION.test(whole) || !/[\s,]/.test(whole)) return { literal: whole };
  if (others.length > 0) return fromInverted(family, others);
  const words = whole.split(' ');
  const suffix = SUFFIX.test(words.at(-1) ?? '') && words.length > 2 ? words.pop() : undefined;
  const at = words.findIndex((word, place) => place > 0 && PARTICLE.test(word) && /^\p{Ll}/u.test(word));
  const split = at === -1 ? words.length - 1 : at;
  return {
    family: words.slice(split).join(' '),
    given: words.slice(0, split).join(' '),
    ...(suffix && { suffix }),
  };
}

function fromInverted(family: string, others: string[]): CslName {
  const suffix = others.find((part) => SUFFIX.test(part));
  const given = others
    .filter((part) => part !== suffix)
    .join(' ')
    .trim();
  if (family === '' || given === '') return { literal: [family, ...others].filter(Boolean).join(' ') };
  return { family, given, ...(suffix && { suffix }) };
}

const SMALL_WORDS = new Set(['a', 'an', 'the', 'on', 'of', 'in', 'for', 'to', 'and']);

/** Returns a key such as `smith2024attention`. */
export function citationKey({
  authors = [],
  publishedDate,
  title,
}: {
  title: string;
  authors?: string[] | undefined;
  publishedDate?: string | null | undefined;
}): string {
  const { family, literal } = parseName(authors[0] ?? '');
  const word = asciiWords(title).find((one) => !SMALL_WORDS.has(one));
  const parts = [asciiWords(family ?? literal ?? '').join(''), publishedDate?.slice(0, 4), word];
  return (
    parts
      .filter((part) => part !== undefined && part !== '')
      .join('')
      .slice(0, 60) || 'source'
  );
}

function asciiWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}

export function dateParts(day: string): CslDate {
  return { 'date-parts': [day.slice(0, 10).split('-').map(Number)] };
}
