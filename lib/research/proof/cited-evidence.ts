import { clean, layOut } from '../result/lay-out.ts';
import type { Evidence, Report, Sentence } from '../schema.ts';

/**
 * Returns the evidence that the report shows: what its sentences cite, and sources that contradict each other. Each ID is there
 * once: a follow-up report has the same evidence for several questions.
 */
export function citedEvidence({ sections, evidence }: Pick<Report, 'sections' | 'evidence'>): Evidence[] {
  const named = new Set(allSentences({ sections }).flatMap((sentence) => sentence.evidence));
  const opposed = new Set(evidence.flatMap(({ contradicts = [] }) => contradicts));
  return [...new Map(evidence.map((each) => [each.id, each])).values()].filter(
    ({ id, contradicts = [] }) => named.has(id) || opposed.has(id) || contradicts.length > 0,
  );
}

export function allSentences({ sections }: Pick<Report, 'sections'>): Sentence[] {
  return sections.flatMap(({ paragraphs }) => paragraphs.flat());
}

/** Returns the numbers of the sentences that cite each evidence, from 1. */
export function citingSentences(report: Pick<Report, 'sections'>): Map<string, number[]> {
  const citing = new Map<string, number[]>();
  for (const [at, sentence] of allSentences(report).entries())
    for (const id of new Set(sentence.evidence)) citing.set(id, [...(citing.get(id) ?? []), at + 1]);
  return citing;
}

/** Returns the number of the footnote of each evidence, as exports of the report count them. */
export function footnoteNumbers(report: Report): (evidence: Evidence) => number | null {
  const numbers = new Map(
    layOut(report).footnotes.map(({ evidence, number }) => [placeOf(evidence), number]),
  );
  return (evidence) => numbers.get(placeOf(clean(evidence))) ?? null;
}

function placeOf({ path, startLine, endLine, quote }: Evidence): string {
  return JSON.stringify([path, startLine, endLine, quote]);
}
