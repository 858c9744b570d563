import { foldForSearch } from '../api-contract/fold-text.ts';
import { reciprocalRank } from '../passages/reciprocal-rank.ts';
import type { Access, Article } from '../ports/papers.ts';
import { pdfAddress } from './identity.ts';
import type { SearchFinding } from './merge.ts';

/**
 * Ranks the papers, best first. Half of the score is their rank at the sources (1 = first in all of them), half is how many of
 * the keywords they mention, because a source may match loosely.
 */
export function rankPapers(groups: SearchFinding[][], keywords: string[], sources: number): Article[] {
  const words = [...new Set(keywords.flatMap(wordsOf))];
  return groups
    .map((group) => ({ ...describe(group), score: (placing(group, sources) + coverage(group, words)) / 2 }))
    .map((article) => ({ ...article, score: Math.round(article.score * 10_000) / 10_000 }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Describes a paper by its best source, with gaps filled from the next ones. */
function describe(group: SearchFinding[]): Omit<Article, 'score'> {
  const first = (textOf: (finding: SearchFinding) => string | null) =>
    group.map(textOf).find((text) => text !== null && text !== '') ?? null;
  const arxivId = first((finding) => finding.arxivId);
  const doi = first((finding) => finding.doi);
  return {
    id: arxivId ?? doi ?? first(({ id }) => id) ?? '',
    title: first(({ title }) => title) ?? '',
    authors: group.map(({ authors }) => authors).find((authors) => authors.length > 0) ?? [],
    abstract: first(({ abstract }) => abstract) ?? '',
    url: first(({ url }) => url) ?? '',
    pdfUrl: first(({ pdfUrl }) => pdfUrl) ?? (arxivId === null ? null : pdfAddress(arxivId)),
    publishedDate: first(({ publishedDate }) => publishedDate),
    source: group[0]?.source ?? 'preprint_server',
    doi,
    ...accessOf(group),
  };
}

/** Returns a paper's access: open if it's open at any source. */
function accessOf(group: SearchFinding[]): Access {
  const said = group.flatMap(({ isOpen }) => isOpen ?? []);
  const license = group.map((finding) => finding.license).find((text) => text !== undefined && text !== '');
  return {
    ...(said.length > 0 && { isOpen: said.includes(true) }),
    ...(license !== undefined && { license }),
  };
}

function placing(group: SearchFinding[], sources: number): number {
  const best = new Map<string, number>();
  for (const { source, rank } of group) best.set(source, Math.min(rank, best.get(source) ?? rank));
  return [...best.values()].reduce((sum, rank) => sum + reciprocalRank(rank, sources), 0);
}

/** Returns the share of mentioned keywords. A word in the title counts fully, one in the abstract half. */
function coverage(group: SearchFinding[], words: string[]): number {
  const inTitle = new Set(group.flatMap(({ title }) => wordsOf(title)));
  const inAbstract = new Set(group.flatMap(({ abstract }) => wordsOf(abstract)));
  const counts = words.map((word) => (inTitle.has(word) ? 1 : inAbstract.has(word) ? 0.5 : 0));
  return counts.reduce<number>((sum, count) => sum + count, 0) / Math.max(1, words.length);
}

function wordsOf(text: string): string[] {
  return foldForSearch(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
