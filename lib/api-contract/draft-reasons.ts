import type { Support } from './citation.ts';

/** Sentences by which code gives the reason of a verdict. Clients word them in the language of their reader. */
export const DRAFT_REASONS = {
  same: 'Found by code: the same words in the same order.',
  notJudged: 'A similar passage was found. It was not judged whether it supports the sentence.',
  nothing: 'Nothing similar was found in the indexed files.',
  weak: 'Only passages with some of its words were found.',
  /** A path follows. */
  version: 'This file shares sentences with the draft, and may be a version of it:',
  /** References by number follow. */
  unlisted: "The draft's list of sources does not have",
  takenBack: 'Words around the quote may say that it is not so.',
  otherSubject: 'What it refers to was not found near the quote.',
  dependent: 'The quote is the same sentence, but its subject may be another one in that file.',
} as const;

/** The reason of a sentence without a claim that is in a list of sources; other such sentences have none. */
export const IN_SOURCE_LIST = 'In the list of sources.';

/** The reason of a sentence that a file has with other words in one place. */
export function sayDifference(said: string, own: string): string {
  return `The file has ${said} where the sentence has ${own}`;
}

/** Sentences that stand for a judge who gave no reason. */
export const JUDGE_REASONS = {
  full: 'The quotes say it.',
  partial: 'The quotes say only some of it.',
  contradicted: 'The quotes say otherwise.',
  none: 'The nearest quotes do not say it.',
} as const;

/** How reasons of code begin. */
const BY_CODE = [
  ...Object.values(DRAFT_REASONS),
  ...['Not in the quotes: ', 'The quotes say otherwise: ', 'The quotes may say otherwise: '],
  ...['The file has ', 'Its subject is in the sentence before', 'The source that it names ('],
];
const ELSEWHERE = / has (?:it|something similar), but the source that it names \(/;

/** The judge by a reason of an earlier release, whose verdicts don't name it. */
export function judgeOfReason(reason: string): 'code' | 'model' {
  const isKnown = ELSEWHERE.test(reason) || BY_CODE.some((beginning) => reason.startsWith(beginning));
  return reason === '' || isKnown ? 'code' : 'model';
}

interface Verdict {
  verdict: 'supported' | 'partial' | 'contradicted' | 'not_found' | 'no_claim';
  reason: string;
  judgedBy?: 'code' | 'model' | undefined;
}

const SUPPORTS = {
  supported: 'full',
  partial: 'partial',
  contradicted: 'contradicted',
  not_found: 'none',
} as const;

/** A sentence about why a judge stopped early, which the API says without its subject. */
export function sayEnded(ended: string): string {
  return `The judge ${ended.replace(/\.$/, '')}.`;
}

/** The support of a draft's sentence, as that of a citation; undefined for a sentence without a claim. */
export function supportOfVerdict({ verdict, reason, judgedBy }: Verdict): Support | undefined {
  if (verdict === 'no_claim') return undefined;
  const isOpen = verdict === 'partial' && judgedBy !== 'model' && reason.startsWith(DRAFT_REASONS.notJudged);
  return isOpen ? 'unjudged' : SUPPORTS[verdict];
}

/** Sentences that tell of a possible error whatever the verdict is. */
const ERRORS = [DRAFT_REASONS.unlisted, 'The source that it names (', 'Another place says otherwise: '];

/**
 * Whether a sentence may have an error: its quotes say otherwise, lack all or some of it, or its source is missing or another one.
 * A similar quote that was only not judged is none.
 */
export function isPossibleError(verdict: Verdict): boolean {
  const support = supportOfVerdict(verdict);
  if (support === undefined) return false;
  if (support !== 'full' && support !== 'unjudged') return true;
  return ERRORS.some((beginning) => verdict.reason.includes(beginning));
}
