import { type Citation, type SentenceSupport, weakestOf } from './citation.ts';
import { findCitedSentences } from './cited-sentences.ts';
import { lacksFact, markOf, type SupportMark } from './findings.ts';

/** The number of an answer's sentences with each mark. */
export interface SupportCounts {
  /** The number of sentences that cite a source. */
  sentences: number;
  marks: Record<SupportMark, number>;
  /**
   * The number of sentences that count as not in the source only because it lacks their numbers, other named
   * facts, or an unnamed part.
   */
  lacking: Record<'number' | 'fact' | 'part', number>;
  /** True if a model judged any of the sentences. */
  isJudged: boolean;
}

/** `messageMetadata.support`: the same counts for clients of the API. */
export interface SupportSummary {
  sentences: number;
  supported: number;
  factsFound: number;
  missing: number;
  contradicted: number;
  /** The number of sentences with numbers or dates but no citation. */
  uncited: number;
}

type Counted = Pick<Citation, 'index' | 'support' | 'by' | 'findings'> & {
  claims?: readonly (SentenceSupport & { text: string })[];
};

/** Counts the sentences that cite a source, each by its weakest citation. Citations without support don't count. */
export function countSupport(text: string, citations: readonly Counted[]): SupportCounts {
  const byIndex = new Map(citations.map((citation) => [citation.index, citation]));
  const lacking = { number: 0, fact: 0, part: 0 };
  const marks = { contradicted: 0, not_in_source: 0, facts_found: 0, supported: 0 };
  let isJudged = false;
  for (const { claim, numbers } of findCitedSentences(text)) {
    const known = numbers.flatMap((number) => supportOf(byIndex.get(number), claim) ?? []);
    if (known.length === 0) continue;
    const sentence = weakestOf(known as [SentenceSupport, ...SentenceSupport[]]);
    const mark = markOf(sentence.support);
    marks[mark]++;
    if (mark === 'not_in_source') lacking[lackedBy(sentence)]++;
    isJudged ||= (sentence.by ?? 'code') !== 'code';
  }
  const sentences = Object.values(marks).reduce((sum, count) => sum + count, 0);
  return { sentences, marks, lacking, isJudged };
}

function supportOf(citation: Counted | undefined, claim: string): SentenceSupport | undefined {
  const own = citation?.claims?.find(({ text }) => text === claim) ?? citation;
  const { support, by, findings } = own ?? {};
  return support && { support, ...(by && { by }), ...(findings && { findings }) };
}

function lackedBy({ findings = [] }: SentenceSupport): keyof SupportCounts['lacking'] {
  const missing = findings.filter(lacksFact);
  if (missing.length === 0) return 'part';
  return missing.every(({ rule }) => rule === 'number_missing') ? 'number' : 'fact';
}

export function toSummary({ sentences, marks }: SupportCounts, uncited: number): SupportSummary {
  const { supported, facts_found: factsFound, not_in_source: missing, contradicted } = marks;
  return { sentences, supported, factsFound, missing, contradicted, uncited };
}
