import type { Support } from '../../lib/api-contract/citation.ts';
import type { Citation } from './message-view.ts';

export type Supported = Pick<Citation, 'support' | 'isMissing' | 'reason' | 'checks' | 'isByCode'>;

/** The name of what a state means: of a sentence without any quote it is more. */
export function aboutOf({
  support = 'unjudged',
  isMissing,
  isByCode,
}: Supported): Support | 'missing' | 'same' | 'nothing' {
  if (isMissing) return 'missing';
  if (isByCode && support === 'full') return 'same';
  return isByCode && support === 'none' ? 'nothing' : support;
}

/** Reasons of code, in English: `checks` have the facts that they name. */
const LACKING = /^Not in the (?:quotes|cited files): /;
const OTHERWISE = /^The quotes say otherwise: /;

/** Returns who decided on the support, and why: the text of a model, or words of the sources. */
export function whyOf(citation: Supported): { judge: 'model' | 'code'; text: string } {
  const { support, isMissing, isByCode, reason = '', checks = [] } = citation;
  if (isMissing || isByCode || support === undefined || support === 'unjudged')
    return { judge: 'code', text: '' };
  if (support === 'contradicted' && OTHERWISE.test(reason))
    return { judge: 'code', text: reason.replace(OTHERWISE, '') };
  const isLacking = support === 'partial' && checks.some(({ ok }) => !ok) && LACKING.test(reason);
  return isLacking ? { judge: 'code', text: '' } : { judge: 'model', text: reason };
}
