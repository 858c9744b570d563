import { PAPER_SOURCES, type PaperSource } from '../api-contract/paper-sources.ts';
import type { FoundPaper } from '../ports/papers.ts';
import { isArxivDoi } from '../text/paper-identifiers.ts';
import { titleKey } from './identity.ts';

/** A result with its rank at its source. */
export interface SearchFinding extends FoundPaper {
  source: PaperSource;
  /** The rank, from 0. */
  rank: number;
}

/** Maximum years between a preprint and its publication. */
const MAX_YEARS_APART = 2;

/**
 * Groups the findings by paper. Findings that share a DOI or an arXiv ID are one paper, even if only a third
 * finding connects them. Findings with the same title and first author are one paper only if nothing
 * contradicts that. The result doesn't depend on the order of the findings.
 */
export function groupFindings(findings: SearchFinding[]): SearchFinding[][] {
  return joinByTitle(joinByIds(findings.toSorted(byTrust))).map((group) => group.toSorted(byTrust));
}

function byTrust(a: SearchFinding, b: SearchFinding): number {
  return PAPER_SOURCES.indexOf(a.source) - PAPER_SOURCES.indexOf(b.source) || a.rank - b.rank;
}

function joinByIds(findings: SearchFinding[]): SearchFinding[][] {
  const groups = new Map<string, SearchFinding[]>();
  for (const finding of findings) {
    const keys = idsOf(finding);
    const joined = new Set(keys.flatMap((key) => groups.get(key) ?? []));
    const group = [...joined, finding];
    for (const key of group.flatMap(idsOf)) groups.set(key, group);
  }
  return [...new Set(groups.values())];
}

/** Returns a finding's IDs, or the source's own ID if there is no other. */
function idsOf({ doi, arxivId, source, id }: SearchFinding): string[] {
  const keys = [doi === null ? [] : [`doi:${doi}`], arxivId === null ? [] : [`arxiv:${arxivId}`]].flat();
  return keys.length === 0 ? [`${source}:${id}`] : keys;
}

function joinByTitle(groups: SearchFinding[][]): SearchFinding[][] {
  const byTitle = new Map<string, SearchFinding[][]>();
  const alone: SearchFinding[][] = [];
  for (const group of groups) {
    const key = group
      .map(({ title, authors }) => titleKey(title, authors))
      .find((name) => name !== undefined);
    if (key === undefined) alone.push(group);
    else byTitle.set(key, [...(byTitle.get(key) ?? []), group]);
  }
  const joined = [...byTitle.values()].flatMap((same) => (mayBeOne(same.flat()) ? [same.flat()] : same));
  return [...alone, ...joined];
}

/**
 * Returns whether findings may be the same paper. Two DOIs, two arXiv IDs, or many years between them mean
 * parts of a series, or a talk and its paper, which can't be distinguished.
 */
function mayBeOne(findings: SearchFinding[]): boolean {
  const dois = new Set(findings.flatMap(({ doi }) => (doi === null || isArxivDoi(doi) ? [] : [doi])));
  const arxivIds = new Set(findings.flatMap(({ arxivId }) => arxivId ?? []));
  const years = findings.flatMap(({ publishedDate }) =>
    publishedDate === null ? [] : [Number(publishedDate.slice(0, 4))],
  );
  return (
    dois.size <= 1 &&
    arxivIds.size <= 1 &&
    Math.max(...years, 0) - Math.min(...years, 9999) <= MAX_YEARS_APART
  );
}
