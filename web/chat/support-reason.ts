import { type Finding, markOf, missingIn, type SupportMark } from '../../lib/api-contract/findings.ts';
import type { Citation } from './message-view.ts';

/** What is known of a citation, or of a draft's sentence. */
export type Supported = Pick<Citation, 'support' | 'isMissing' | 'reason' | 'checks' | 'by' | 'findings'>;

/** Returns the name of what a state means, in one line. */
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

/** Whether the sentence has no number, date, or name that code could look for. */
export function isQuoteAlone({ support, checks }: Supported): boolean {
  return support === 'unjudged' && checks?.length === 0;
}

/** The names that a state can have beside it; longer ones end in a sign that there is more. */
const MAX_NAMES = 40;

/** The facts that the source lacks, as they are named next to the state. */
export function namesOf(findings: readonly Finding[] | undefined, comma: string): string {
  const [...characters] = missingIn(findings).join(comma);
  return characters.length <= MAX_NAMES
    ? characters.join('')
    : `${characters
        .slice(0, MAX_NAMES - 1)
        .join('')
        .trimEnd()}…`;
}
