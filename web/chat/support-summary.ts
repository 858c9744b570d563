import { type SentenceSupport, weakestOf } from '../../lib/api-contract/citation.ts';
import { findCitedSentences } from '../../lib/api-contract/cited-sentences.ts';
import { lacksFact, markOf, type SupportMark } from '../../lib/api-contract/findings.ts';
import { numberSentences } from './cited-sentence.ts';
import type { Citation } from './message-view.ts';

/** How many sentences of an answer have each mark. */
export interface SupportCounts {
  sentences: number;
  marks: Record<SupportMark, number>;
  uncited: number;
  /** Those that are not in their source: they lack numbers alone, other facts that are named, or a part without a name. */
  lacking: Record<'number' | 'fact' | 'part', number>;
  /** Whether a model decided on any of them. */
  isJudged: boolean;
}

/** Counts the sentences that cite a source, each by the weakest of its citations; `metadata` is that of the message. */
export function countSupport(
  text: string,
  citations: readonly Citation[],
  metadata?: unknown,
): SupportCounts | undefined {
  const { text: numbered, byNumber } = numberSentences(text, citations);
  const sentences = findCitedSentences(numbered).flatMap(({ numbers }) => {
    const [first, ...others] = numbers.flatMap((number) => knownOf(byNumber.get(number)) ?? []);
    return first === undefined ? [] : [weakestOf([first, ...others])];
  });
  if (sentences.length === 0) return undefined;
  const lacking = { number: 0, fact: 0, part: 0 };
  const marks = { contradicted: 0, not_in_source: 0, facts_found: 0, supported: 0 };
  for (const sentence of sentences) {
    const mark = markOf(sentence.support);
    marks[mark]++;
    if (mark === 'not_in_source') lacking[lackedBy(sentence)]++;
  }
  const counted = { sentences: sentences.length, marks, uncited: 0, ...readCounts(metadata) };
  const isSame = counted.marks.not_in_source === marks.not_in_source;
  return {
    ...counted,
    lacking: isSame ? lacking : { number: 0, fact: 0, part: counted.marks.not_in_source },
    isJudged: sentences.some(({ by = 'code' }) => by !== 'code'),
  };
}

/** What is counted of a citation: nothing of one that an earlier release left without support. */
function knownOf(citation: Citation | undefined): SentenceSupport | undefined {
  const { support, by, findings } = citation ?? {};
  return support && { support, ...(by && { by }), ...(findings && { findings }) };
}

function lackedBy({ findings = [] }: SentenceSupport): keyof SupportCounts['lacking'] {
  const missing = findings.filter(lacksFact);
  if (missing.length === 0) return 'part';
  return missing.every(({ rule }) => rule === 'number_missing') ? 'number' : 'fact';
}

/** `messageMetadata.support`: the counts of the service. */
function readCounts(metadata: unknown): Pick<SupportCounts, 'sentences' | 'marks' | 'uncited'> | undefined {
  const counted = (metadata as { support?: Record<string, unknown> } | null | undefined)?.support ?? {};
  const { sentences, contradicted, missing, factsFound, supported, uncited } = counted;
  const numbers = [sentences, contradicted, missing, factsFound, supported, uncited];
  if (!numbers.every((each): each is number => Number.isSafeInteger(each))) return undefined;
  const [all = 0, otherwise = 0, lacking = 0, found = 0, full = 0, without = 0] = numbers;
  return {
    sentences: all,
    marks: { contradicted: otherwise, not_in_source: lacking, facts_found: found, supported: full },
    uncited: without,
  };
}
