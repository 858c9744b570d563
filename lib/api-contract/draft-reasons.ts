import type { Support } from './citation.ts';

/** Sentences by which code gives the reason of a verdict. Clients word them in the language of their reader. */
export const DRAFT_REASONS = {
  same: 'Found by code: the same words in the same order.',
  notJudged: 'A similar passage was found. It was not judged whether it supports the sentence.',
  nothing: 'Nothing similar was found in the indexed files.',
  weak: 'Only passages with some of its words were found.',
  /** A path follows. */
  version: 'A version or a check of this draft, which is no evidence, has something similar:',
  takenBack: 'Words around the quote may say that it is not so.',
  otherSubject: 'What it refers to was not found near the quote.',
} as const;

/** The reason of a sentence that a file has with other words in one place. */
export function differs(said: string, own: string): string {
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

/** The support of a draft's sentence, as that of a citation; undefined for a sentence without a claim. */
export function supportOfVerdict({ verdict, reason, judgedBy }: Verdict): Support | undefined {
  if (verdict === 'no_claim') return undefined;
  const isOpen = verdict === 'partial' && judgedBy !== 'model' && reason.startsWith(DRAFT_REASONS.notJudged);
  return isOpen ? 'unjudged' : SUPPORTS[verdict];
}
