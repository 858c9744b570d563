import { type Finding, markOf, missingIn, type SupportMark } from '../../lib/api-contract/findings.ts';
import type { Citation } from './message-view.ts';

/** The support data of a citation, or of a draft's sentence. */
export type Supported = Pick<Citation, 'support' | 'isMissing' | 'reason' | 'checks' | 'by' | 'findings'>;

/** Returns the key of a state's one-line description. */
export function aboutOf(
  supported: Supported,
): SupportMark | 'missing' | 'sameWords' | 'quoteFound' | 'factsMissing' {
  const { support = 'unjudged', isMissing, by, findings } = supported;
  const mark = markOf(support);
  if (isMissing) return 'missing';
  if (mark === 'supported' && by === 'code') return 'sameWords';
  if (mark === 'not_in_source' && missingIn(findings).length > 0) return 'factsMissing';
  return isQuoteAlone(supported) ? 'quoteFound' : mark;
}

/** Returns whether the sentence has no number, date, or name that code could search for. */
export function isQuoteAlone({ support, checks }: Supported): boolean {
  return support === 'unjudged' && checks?.length === 0;
}

/** Maximum characters of the names next to a state; longer lists end in an ellipsis. */
const MAX_NAMES = 40;

/** Returns the facts that the source lacks, for display next to the state. */
export function namesOf(findings: readonly Finding[] | undefined, comma: string): string {
  const [...characters] = missingIn(findings).join(comma);
  return characters.length <= MAX_NAMES
    ? characters.join('')
    : `${characters
        .slice(0, MAX_NAMES - 1)
        .join('')
        .trimEnd()}…`;
}
