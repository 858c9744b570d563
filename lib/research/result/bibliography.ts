import { createHash } from 'node:crypto';
import { isArxivDoi } from '../../papers/identity.ts';
import type { Report, Source } from '../schema.ts';
import { clean, layOut, webAddress } from './lay-out.ts';

export interface CslName {
  family?: string;
  given?: string;
  suffix?: string;
  literal?: string;
}

interface CslDate {
  'date-parts': [number[]];
}

/** An item of CSL-JSON: https://docs.citationstyles.org/en/stable/specification.html */
export interface CslItem {
  id: string;
  type: 'article' | 'article-journal' | 'webpage' | 'dataset' | 'document';
  title: string;
  author?: CslName[];
  issued?: CslDate;
  accessed?: CslDate;
  DOI?: string;
  URL?: string;
  archive?: string;
  number?: string;
  note?: string;
}

/** What the sources of a report's footnotes are, in the order of their first use. */
export function toCslJson(report: Report): CslItem[] {
  const known = new Map<string, { path: string; source: Source }>();
  for (const { evidence } of layOut(report).footnotes) {
    const key = identityOf(evidence);
    if (!known.has(key)) known.set(key, evidence);
  }
  return withKeys([...known.values()]);
}

/** Of one kept source, under the key that it has alone. */
export function toCslItem(kept: { path: string; source: Source }): CslItem {
  return describe(clean(kept), keyOf(kept.source));
}

function identityOf({ path, source: { doi, arxivId, url } }: { path: string; source: Source }): string {
  return doi ?? arxivId ?? url ?? path;
}

/** The first to come has the short key; what would have the same is told from it by what it is. */
function withKeys(all: { path: string; source: Source }[]): CslItem[] {
  const taken = new Set<string>();
  return all.map((one) => {
    const short = keyOf(one.source);
    const hash = createHash('sha256').update(identityOf(one)).digest('hex');
    const lengths = [4, 8, 64];
    const key = [short, ...lengths.map((length) => `${short}-${hash.slice(0, length)}`)].find(
      (name) => !taken.has(name),
    );
    taken.add(key ?? short);
    return describe(one, key ?? short);
  });
}

const SMALL_WORDS = new Set(['a', 'an', 'the', 'on', 'of', 'in', 'for', 'to', 'and']);

/** `smith2024attention`. */
function keyOf({ authors = [], publishedDate, title }: Source): string {
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

function describe({ path, source }: { path: string; source: Source }, id: string): CslItem {
  const { title, authors = [], publishedDate, retrievedAt, doi, arxivId, url } = source;
  const address = webAddress(url);
  const isOutside = source.kind === 'paper' || source.kind === 'web';
  return {
    ...{ id, type: typeOf(source), title: title.trim() || path },
    ...(authors.length > 0 && { author: authors.map(parseName) }),
    ...(publishedDate !== undefined && { issued: dateParts(publishedDate) }),
    ...(retrievedAt !== undefined && { accessed: dateParts(retrievedAt) }),
    ...(doi !== undefined && { DOI: doi }),
    ...(arxivId !== undefined && { archive: 'arXiv', number: arxivId }),
    ...(address !== undefined && { URL: address }),
    ...(!isOutside && { note: path }),
  };
}

/** CSL's `article` is a preprint. */
function typeOf({ kind, doi }: Source): CslItem['type'] {
  if (kind === 'paper') return doi === undefined || isArxivDoi(doi) ? 'article' : 'article-journal';
  return kind === 'web' ? 'webpage' : kind === 'dataset' ? 'dataset' : 'document';
}

function dateParts(day: string): CslDate {
  return { 'date-parts': [day.slice(0, 10).split('-').map(Number)] };
}

const ORGANISATION =
  /\b(?:organi[sz]ation|institute|university|team|group|consortium|inc|ltd|llc|gmbh|foundation|association|committee|corporation|company|department|collaboration|society|council|agency|ministry|bank|project)\b/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv)\.?$/i;
const PARTICLE = /^(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten|zu|zur|af|av)$/i;

/** `Jane van Smith`, `van Smith, Jane`, `Smith, J., Jr.`; of an organisation, or one word, the whole name. */
export function parseName(name: string): CslName {
  const whole = name.replace(/\s+/g, ' ').trim();
  const [family = '', ...others] = whole.split(',').map((part) => part.trim());
  if (ORGANISATION.test(whole) || !/[\s,]/.test(whole)) return { literal: whole };
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
