import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import type { FoundPaper } from '../ports/papers.ts';
import { lettersOf } from '../text/paper-identifiers.ts';
import { haveSameAuthors, namesVenue } from './compare-names.ts';
import { isSpecific, placeOfTitle, RELATED_TITLE, SAME_TITLE, titleLikeness } from './compare-titles.ts';
import { namesShown, type ReferenceEntry } from './entry.ts';
import type { FieldDifference, ReferenceRecord } from './schema.ts';

/** A paper that a catalog returned for an entry. */
export interface CatalogPaper extends FoundPaper {
  catalog: PaperCatalog;
}

/** The papers that an entry may mean, and how complete they are. */
export interface Knowledge {
  candidates: CatalogPaper[];
  /** True if every catalog that knows DOIs answered, so that a DOI unknown to all of them doesn't exist. */
  isDoiKnown: boolean;
  /** True if the catalog with the dates of online and printed versions answered. */
  areYearsKnown: boolean;
}

export interface JudgedEntry {
  record?: ReferenceRecord;
  /** The paper that the record describes, with all of its authors. */
  paper?: CatalogPaper;
  differences: FieldDifference[];
  isRetracted: boolean;
}

/** The minimum number of letters of a title that identifies a paper without its author. */
const MIN_ALONE = 25;
const MIN_ALONE_HAN = 8;
const MAX_AUTHORS = 10;

interface Scored {
  paper: CatalogPaper;
  likeness: number;
  hasAuthors: boolean | undefined;
  isByDoi: boolean;
  hasYear: boolean;
}

/** Compares an entry with the papers that catalogs returned for it. Without a record, none of them is the entry's. */
export function judgeEntry(entry: ReferenceEntry, knowledge: Knowledge): JudgedEntry {
  const scored = knowledge.candidates.map((paper) => score(entry, paper));
  const best = scored.filter((each) => isMeant(entry, each)).toSorted(byLikeness)[0];
  if (best === undefined) return { differences: doiOfAnother(entry, scored), isRetracted: false };
  const versions = scored
    .filter((each) => each === best || isVersion(best.paper, each.paper))
    .map(({ paper }) => paper);
  const differences = [
    ...titleDifference(entry, best),
    ...authorDifference(entry, best),
    ...yearDifference(entry, versions, knowledge),
    ...doiDifference(entry, best, versions, knowledge),
    ...venueDifference(entry, versions),
  ];
  const cited =
    entry.doi === undefined ? versions : versions.filter(({ doi }) => doi === null || doi === entry.doi);
  const isRetracted = (cited.length === 0 ? versions : cited).some(({ details }) => details?.isRetracted);
  return { record: toRecord(best.paper, versions), paper: best.paper, differences, isRetracted };
}

function score(entry: ReferenceEntry, paper: CatalogPaper): Scored {
  const { years = [] } = paper.details ?? {};
  const titles = [paper.title, ...(paper.details?.titles ?? [])];
  const contained = entry.isFielded ? undefined : findContained(entry, titles);
  const names = contained === undefined ? entry.names : entry.text.slice(0, contained.start);
  const hasAuthors = haveSameAuthors(names, paper.authors, paper.title);
  const isContained = contained !== undefined && (contained.isTitle || hasAuthors === true);
  const likenesses = titles.flatMap((title) => titleLikeness(entry.title ?? '', title) ?? []);
  return {
    paper,
    likeness: isContained ? 1 : likenesses.length > 0 ? Math.max(...likenesses) : Number.NaN,
    hasAuthors: isContained ? hasAuthors : haveSameAuthors(entry.names, paper.authors, paper.title),
    isByDoi: isIdentified(entry, paper),
    hasYear: entry.year !== undefined && years.includes(entry.year),
  };
}

/**
 * Finds a record's title in the text of an entry, whose own title may not have been recognized. Away from that title, it
 * may be the name of a series.
 */
function findContained({ text, title }: ReferenceEntry, titles: string[]) {
  const [place] = titles.flatMap((each) => placeOfTitle(text, each) ?? []);
  if (place === undefined) return undefined;
  const from = title === undefined ? 0 : text.indexOf(title);
  const to = title === undefined ? text.length : from + title.length;
  return { start: place.start, isTitle: from !== -1 && place.start < to && from < place.end };
}

function isIdentified({ doi, arxivId }: ReferenceEntry, paper: CatalogPaper): boolean {
  return (doi !== undefined && paper.doi === doi) || (arxivId !== undefined && paper.arxivId === arxivId);
}

/**
 * Returns whether the entry means the paper: by its title; by a similar one and its author or identifier; or, in
 * another script, by its identifier.
 */
function isMeant({ title = '' }: ReferenceEntry, { likeness, hasAuthors, isByDoi, paper }: Scored): boolean {
  if (Number.isNaN(likeness) || title === '') return isByDoi || likeness === 1;
  if (likeness >= SAME_TITLE) return isByDoi || hasAuthors !== false || identifiesAlone(paper.title);
  return likeness >= RELATED_TITLE ? hasAuthors === true || isByDoi : isByDoi && hasAuthors === true;
}

function identifiesAlone(title: string): boolean {
  const letters = lettersOf(title);
  return letters.length >= (/\p{Script=Han}/u.test(letters) ? MIN_ALONE_HAN : MIN_ALONE);
}

function byLikeness(one: Scored, other: Scored): number {
  const rank = ({ likeness, hasAuthors, isByDoi, hasYear }: Scored) =>
    [likeness >= SAME_TITLE, hasAuthors === true, isByDoi, hasYear, likeness >= 1].reduce<number>(
      (sum, is, at) => sum + (is ? 16 >> at : 0),
      0,
    );
  return rank(other) - rank(one);
}

/** Returns whether a paper is another version of one, such as its preprint. */
function isVersion(one: CatalogPaper, other: CatalogPaper): boolean {
  if (one.doi !== null && one.doi === other.doi) return true;
  const [author = ''] = one.authors;
  const isSame = (titleLikeness(one.title, other.title) ?? 0) >= SAME_TITLE;
  return isSame && isSpecific(lettersOf(one.title)) && haveSameAuthors(author, other.authors) !== false;
}

/** The identifier of an entry leads to another paper. */
function doiOfAnother({ doi }: ReferenceEntry, scored: Scored[]): FieldDifference[] {
  const other = scored.find(({ isByDoi, paper }) => isByDoi && paper.doi === doi);
  return doi === undefined || other === undefined
    ? []
    : [{ field: 'doi', own: doi, found: other.paper.title }];
}

function titleDifference({ title, text }: ReferenceEntry, { likeness, paper }: Scored): FieldDifference[] {
  if (Number.isNaN(likeness) || likeness >= SAME_TITLE || title === undefined) return [];
  return [{ field: 'title', own: title || text, found: paper.title }];
}

function authorDifference(entry: ReferenceEntry, { hasAuthors, paper }: Scored): FieldDifference[] {
  if (hasAuthors !== false) return [];
  return [{ field: 'author', own: namesShown(entry), found: paper.authors.slice(0, MAX_AUTHORS).join(', ') }];
}

/** A paper may be cited with any year from its first version to its last, such as those of its preprint and of print. */
function yearDifference(
  { year }: ReferenceEntry,
  versions: CatalogPaper[],
  { areYearsKnown }: Knowledge,
): FieldDifference[] {
  const years = yearsOf(versions);
  const [first, last] = [years[0], years.at(-1)];
  if (year === undefined || first === undefined || last === undefined) return [];
  const spare = areYearsKnown ? 0 : 1;
  if (first - spare <= year && year <= last + spare) return [];
  return [{ field: 'year', own: String(year), found: first === last ? String(first) : `${first}–${last}` }];
}

function yearsOf(versions: CatalogPaper[]): number[] {
  return [...new Set(versions.flatMap(({ details }) => details?.years ?? []))].sort((a, b) => a - b);
}

function doiDifference(
  { doi, arxivId }: ReferenceEntry,
  best: Scored,
  versions: CatalogPaper[],
  { isDoiKnown }: Knowledge,
): FieldDifference[] {
  const isArxiv = arxivId !== undefined && doi?.startsWith('10.48550/');
  if (doi === undefined || isArxiv || best.isByDoi || !isDoiKnown) return [];
  if (versions.some((version) => version.doi === doi)) return [];
  return [
    {
      field: 'doi',
      own: doi,
      found: best.paper.doi ?? versions.find((one) => one.doi !== null)?.doi ?? null,
    },
  ];
}

/** A venue differs only if none of those that catalogs know is named anywhere in the entry. */
function venueDifference(
  { venue, arxivId, text, isFielded }: ReferenceEntry,
  versions: CatalogPaper[],
): FieldDifference[] {
  const known = versions.flatMap(({ details }) => details?.venues ?? []);
  const isPreprint = arxivId !== undefined || /arxiv/i.test(venue ?? '');
  if (venue === undefined || !/\p{L}{3}/u.test(venue) || known.length === 0 || isPreprint) return [];
  const own = isFielded ? venue : `${venue} ${text}`;
  if (known.some((name) => namesVenue(own, name) !== false)) return [];
  return [{ field: 'venue', own: venue.slice(0, 200), found: known[0] ?? null }];
}

function toRecord(paper: CatalogPaper, versions: CatalogPaper[]): ReferenceRecord {
  const first = <Value>(read: (one: CatalogPaper) => Value | null) =>
    [paper, ...versions].map(read).find((value) => value !== null) ?? null;
  return {
    ...{ title: paper.title, authors: paper.authors.slice(0, MAX_AUTHORS), years: yearsOf(versions) },
    venue: first(({ details }) => details?.venues[0] ?? null),
    ...{ doi: first(({ doi }) => doi), arxivId: first(({ arxivId }) => arxivId) },
    ...{ url: paper.url, source: paper.catalog },
  };
}
