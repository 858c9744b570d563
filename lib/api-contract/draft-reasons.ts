import type { Support } from './citation.ts';

/** Sentences by which code gives the reason of a verdict. Clients word them in the language of their reader. */
export const DRAFT_REASONS = {
  same: 'Found by code: the same words in the same order.',
  notJudged: 'A similar passage was found. It was not judged whether it supports the sentence.',
  nothing: 'Nothing similar was found in the indexed files.',
  /** A path follows. */
  version: 'A version or a check of this draft, which is no evidence, has something similar:',
  otherSubject: 'Its subject is in the sentence before, and was not found near the quote.',
} as const;

interface Verdict {
  verdict: 'supported' | 'partial' | 'contradicted' | 'not_found' | 'no_claim';
  reason: string;
}

const SUPPORTS = {
  supported: 'full',
  partial: 'partial',
  contradicted: 'contradicted',
  not_found: 'none',
} as const;

/** The support of a draft's sentence, as that of a citation; undefined for a sentence without a claim. */
export function supportOfVerdict({ verdict, reason }: Verdict): Support | undefined {
  if (verdict === 'no_claim') return undefined;
  const isOpen = verdict === 'partial' && reason.startsWith(DRAFT_REASONS.notJudged);
  return isOpen ? 'unjudged' : SUPPORTS[verdict];
}
