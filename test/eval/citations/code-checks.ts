import { type MissingFact, readFacts } from '../../../lib/support/rules/facts.ts';
import type { WiceClaim, WiceTokens } from './collections.ts';

/** A fact that code reports as missing. */
export interface Alarm {
  fact: MissingFact;
  /** True if people marked one of its words as unsupported. */
  isRight: boolean;
  claim: string;
  evidence: string[];
}

export interface CodeChecks {
  claims: number;
  alarms: Alarm[];
  /** Claims with a correct alarm, and unsupported facts of the claims that code can check. */
  found: number;
}

/**
 * Returns the sentences of a claim's evidence from every set, because each set has a different part of it.
 */
function evidenceOf({ evidence, supporting_sentences: sets }: WiceClaim): string[] {
  return [...new Set(sets.flat())].toSorted((a, b) => a - b).map((at) => evidence[at] ?? '');
}

/**
 * Returns the text against which a claim is checked. People saw the whole article when they marked the words
 * that it lacks.
 */
export type Against = 'evidence' | 'article';

/** Checks claims in which people marked the words that the article lacks. */
export function checkTokens(claims: WiceTokens[], against: Against): CodeChecks {
  const checked = claims.map((claim) => {
    const evidence = against === 'article' ? claim.evidence : evidenceOf(claim);
    const spans = markedSpans(claim);
    return readFacts(claim.claim)
      .findMissing(evidence)
      .map((fact) => ({
        fact,
        isRight: isMarked(claim.claim, spans, fact.text),
        claim: claim.claim,
        evidence,
      }));
  });
  return {
    claims: claims.length,
    alarms: checked.flat(),
    found: checked.filter((alarms) => alarms.some(({ isRight }) => isRight)).length,
  };
}

/**
 * Returns which characters of a claim are in marked words. Tokens and the claim differ only in spaces and
 * quotation marks.
 */
function markedSpans({ claim, claim_tokens: tokens, non_supported_spans: marks }: WiceTokens): boolean[] {
  const marked: boolean[] = new Array(claim.length).fill(false);
  let at = 0;
  for (const [index, token] of tokens.entries()) {
    const start = claim.indexOf(token, at);
    if (start === -1 || start > at + 3) continue;
    at = start + token.length;
    marked.fill(marks[index] ?? false, start, at);
  }
  return marked;
}

function isMarked(claim: string, marked: boolean[], fact: string): boolean {
  const start = claim.indexOf(fact);
  if (start === -1) return false;
  return marked.slice(start, start + fact.length).some(Boolean);
}

/** Checks claims that their evidence supports: every alarm is a false positive. */
export function checkSupported(claims: WiceClaim[]): CodeChecks {
  const supported = claims.filter(({ label }) => label === 'supported');
  const checked = supported.map((claim) => {
    const evidence = evidenceOf(claim);
    const missing = readFacts(claim.claim).findMissing(evidence);
    return missing.map((fact) => ({ fact, isRight: false, claim: claim.claim, evidence }));
  });
  const found = checked.filter((alarms) => alarms.length > 0).length;
  return { claims: supported.length, alarms: checked.flat(), found };
}
