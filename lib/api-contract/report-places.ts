import type { Schemas } from './schema.ts';

type Evidence = Pick<
  Schemas['ResearchEvidence'],
  'id' | 'workspaceId' | 'path' | 'quote' | 'startLine' | 'endLine' | 'page' | 'source'
>;

/** A file of a report. Files of several workspaces may have the same path. */
interface ReportFile {
  /** Absent if the report is about one workspace. */
  workspaceId?: string | undefined;
  path: string;
}

export function fileKey({ workspaceId, path }: ReportFile): string {
  return workspaceId === undefined ? path : `${workspaceId}/${path}`;
}

/** Returns a key for a location, because the evidence for several questions may be the same quote. */
function placeOf({ startLine, endLine, quote, ...file }: Evidence): string {
  return JSON.stringify([fileKey(file), startLine, endLine, quote]);
}

/** Numbers evidence in the order of citation, with one number per location. Unknown IDs get no number. */
export function placeNumbers<One extends Evidence>(all: One[]) {
  const known = new Map(all.map((evidence) => [evidence.id, evidence]));
  const numbers = new Map<string, number>();
  const cited: One[] = [];
  return {
    numberOf(id: string): number | undefined {
      const evidence = known.get(id);
      if (evidence === undefined) return undefined;
      const place = placeOf(evidence);
      const number = numbers.get(place) ?? cited.push(evidence);
      numbers.set(place, number);
      return number;
    },
    /** Returns the first evidence of each number. */
    cited: () => cited,
  };
}

/** A source of a report, with the numbers of its quotes, and their pages. */
export interface ReportSource<One> {
  path: string;
  source: Schemas['ResearchSource'];
  numbers: number[];
  pages: number[];
  first: One;
}

/** Groups numbered evidence by source: an external source by its ID, a file by its path. */
export function sourcesOf<One extends Evidence>(cited: One[]): ReportSource<One>[] {
  const known = new Map<string, ReportSource<One>>();
  for (const [at, evidence] of cited.entries()) {
    const { path, source, page } = evidence;
    const key = identityOf(evidence);
    const one = known.get(key) ?? { path, source, numbers: [], pages: [], first: evidence };
    known.set(key, one);
    one.numbers.push(at + 1);
    if (page !== undefined && !one.pages.includes(page)) one.pages.push(page);
  }
  return [...known.values()].map((one) => ({ ...one, pages: one.pages.toSorted((a, b) => a - b) }));
}

export function identityOf({
  source: { kind, doi, arxivId, url },
  ...file
}: Pick<Evidence, 'workspaceId' | 'path' | 'source'>): string {
  const own = fileKey(file);
  return kind === 'paper' || kind === 'web' ? (doi ?? arxivId ?? url ?? own) : own;
}

/**
 * Returns a description such as `Jane Smith; Bob Miller et al. (2024): Title. Journal`. If nothing else is
 * known, returns the path.
 */
export function describeSource(
  { title, authors = [], publishedDate, year, venue }: Schemas['ResearchSource'],
  path: string,
): string {
  const names = authors.length > 3 ? `${authors.slice(0, 2).join('; ')} et al.` : authors.join('; ');
  const when = publishedDate?.slice(0, 4) ?? year?.toString();
  const who = [names, when === undefined ? '' : `(${when})`].filter(Boolean).join(' ');
  const what = [who, title.trim() || path].filter(Boolean).join(': ');
  return venue === undefined || venue === '' ? what : what + separatorAfter(what) + venue;
}

/** Returns the separator after a source. A title may already end in a question mark. */
export function separatorAfter(text: string): '. ' | ' ' {
  return /[.?!。？！]["”’»」』]?$/.test(text) ? ' ' : '. ';
}

/** Returns the URL of a source by its DOI or arXiv ID; undefined if it has neither. */
export function publicationUrl({ doi, arxivId }: Schemas['ResearchSource']): string | undefined {
  const inPath = (id: string) => id.split('/').map(encodeURIComponent).join('/');
  if (doi !== undefined) return `https://doi.org/${inPath(doi)}`;
  return arxivId === undefined ? undefined : `https://arxiv.org/abs/${inPath(arxivId)}`;
}

/** The reason for flagging a sentence that the judge gave no verdict on. */
export const NOT_JUDGED = 'not judged';

type Claim = Pick<Schemas['ResearchEvidence'], 'id' | 'supports' | 'contradicts'>;

/** Returns pairs of contradicting evidence, each pair once. Omits claims that their own quotes contradict. */
export function conflictingPairs<One extends Claim>(all: readonly One[]): [One, One][] {
  const byId = new Map(all.flatMap((each) => (each.supports === 'no' ? [] : [[each.id, each]])));
  const pairs = new Map<string, [One, One]>();
  for (const one of byId.values())
    for (const id of one.contradicts ?? []) {
      const other = byId.get(id);
      const pair = [one.id, id].sort().join(' ');
      if (other !== undefined && other !== one && !pairs.has(pair)) pairs.set(pair, [one, other]);
    }
  return [...pairs.values()];
}

type Counts = Schemas['ResearchCounts'];

/** Counts the sentences of a report that make a statement, and those that need no quote. */
export function sentenceCounts({ sentences, supported, marked, dropped, judged = true }: Counts) {
  const stated = supported + marked;
  return { supported, stated, marked, dropped, judged, plain: Math.max(0, sentences - stated - dropped) };
}
