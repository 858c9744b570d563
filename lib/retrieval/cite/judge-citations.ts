import * as z from 'zod';
import { type CitationSupport, type SentenceSupport, weakestOf } from '../../api-contract/citation.ts';
import { reasonOf } from '../../api-contract/finding-words.ts';
import { log } from '../../log.ts';
import type { Entailment } from '../../ports/entailment.ts';
import type { LanguageModel, Usage } from '../../ports/language-model.ts';
import { applyJudgment } from '../../support/assess.ts';
import { ENTAILMENT_MS, entailClaims } from '../../support/entail.ts';
import type { Claim, Judgment } from '../../support/judge.ts';
import { CLAIMS_PER_CALL, type Judged, judgeClaims } from '../../support/judge-claims.ts';
import type { SentenceCitation } from './cite.ts';
import { showPassage } from './words-around.ts';

/** The field of a request for an answer. */
export const judgeChoice = z
  .boolean()
  .optional()
  .describe(
    'Whether the model judges if the quotes support the sentences that cite them, in one more call after the text. Default: `citationJudge` of the workspace or the service.',
  );

/** The time limit in milliseconds. The answer's text is already complete, and only its end waits. */
const DEADLINE_MS = 30_000;

export interface JudgedCitations {
  /** The support of each citation with a judged sentence. */
  supports: CitationSupport[];
  usage: Usage | undefined;
}

/** The models that judge the sentences that code can't decide. */
export interface Judges {
  /** Judges first. Its verdict counts only if code found all facts. */
  entailment?: Entailment | undefined;
  model?: LanguageModel | undefined;
}

/**
 * Has models judge the sentences in which code found no contradiction. They can only lower the verdict of
 * code. Never throws. Without a judgment, citations stay unchanged.
 */
export async function judgeCitations(
  { entailment, model }: Judges,
  cited: SentenceCitation[],
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<JudgedCitations> {
  const open = new Map(cited.filter(isOpen).map((sentence) => [keyOf(sentence), sentence]));
  const judgments = new Map<string, Judgment>();
  const ask = async (asked: SentenceCitation[], judge: (claims: Claim[]) => Promise<Judged>) => {
    const judged = await judge(asked.map(toClaim));
    for (const [at, sentence] of asked.entries()) {
      const judgment = judged.judgments[at];
      if (judgment !== undefined) judgments.set(keyOf(sentence), judgment);
    }
    return judged;
  };
  const unjudged = [...open.values()].filter(({ citation }) => citation.support === 'unjudged');
  if (entailment !== undefined)
    await ask(unjudged, (claims) => entailClaims(entailment, claims, { signal, deadlineMs: ENTAILMENT_MS }));
  const left = [...open.values()].filter((sentence) => !judgments.has(keyOf(sentence)));
  const { usage, failure } = model
    ? await ask(left.slice(0, CLAIMS_PER_CALL), (claims) =>
        judgeClaims(model, claims, { signal, deadlineMs }),
      )
    : NOT_ASKED;
  if (failure !== undefined)
    log.warn('the citations of an answer were not judged', { reason: (failure as Error)?.message });
  return { supports: supportsOf(cited, judgments), usage };
}

const NOT_ASKED = { usage: undefined, failure: undefined };

/**
 * Returns whether a sentence needs a judge. A sentence that has no quotes, or is contradicted by them,
 * doesn't.
 */
function isOpen({ citation, quotes }: SentenceCitation): boolean {
  return quotes.length > 0 && (citation.support === 'unjudged' || citation.support === 'partial');
}

function toClaim({ claim, quotes, around }: SentenceCitation): Claim {
  return { sentence: claim, quotes, around: around.map(showPassage) };
}

/** Returns a key with which a sentence is judged only once, with all its quotes. */
function keyOf({ claim, quotes }: SentenceCitation): string {
  return JSON.stringify([claim, ...quotes.toSorted()]);
}

function supportsOf(cited: SentenceCitation[], judgments: Map<string, Judgment>): CitationSupport[] {
  const judgmentOf = (sentence: SentenceCitation) =>
    isOpen(sentence) ? judgments.get(keyOf(sentence)) : undefined;
  return [...Map.groupBy(cited, ({ citation }) => citation.index)].flatMap(([index, group]) => {
    if (group.every((sentence) => judgmentOf(sentence) === undefined)) return [];
    const claims = group.map((sentence) => judged(sentence, judgmentOf(sentence)));
    const weakest = weakestOf(claims as [SentenceSupport, ...SentenceSupport[]]);
    return [{ reason: '', ...weakest, id: String(index), ...(claims.length > 1 && { claims }) }];
  });
}

function judged(
  { citation: { support, findings = [] }, limits }: SentenceCitation,
  judgment: Judgment | undefined,
): SentenceSupport {
  const { why, ...decided } = applyJudgment({ support, findings, limits }, judgment);
  if (decided.by !== 'code') return { ...decided, judged: true, ...(why !== undefined && { reason: why }) };
  const reason = reasonOf(decided.support, decided.findings);
  return { ...decided, ...(reason !== '' && { reason }) };
}
