import type { Evidence, Report, Sentence } from '../schema.ts';

/**
 * Returns the evidence that the report shows: evidence cited by its sentences, and contradicting sources. Each ID
 * occurs once, although a follow-up report has the same evidence for several questions.
 */
export function citedEvidence({ sections, evidence }: Pick<Report, 'sections' | 'evidence'>): Evidence[] {
  const named = new Set(allSentences({ sections }).flatMap((sentence) => sentence.evidence));
  const opposed = new Set(evidence.flatMap(({ contradicts = [] }) => contradicts));
  return [...new Map(evidence.map((each) => [each.id, each])).values()].filter(
    ({ id, contradicts = [] }) => named.has(id) || opposed.has(id) || contradicts.length > 0,
  );
}

function allSentences({ sections }: Pick<Report, 'sections'>): Sentence[] {
  return sections.flatMap(({ paragraphs }) => paragraphs.flat());
}
