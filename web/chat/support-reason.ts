import type { Support } from '../../lib/api-contract/citation.ts';
import type { Citation } from './message-view.ts';

export type Supported = Pick<
  Citation,
  'support' | 'isMissing' | 'reason' | 'checks' | 'isByCode' | 'isJudged'
>;

/** The name of what a state means: of a sentence without any quote it is more, and of a draft's sentence something else. */
export function aboutOf({
  support = 'unjudged',
  isMissing,
  isByCode,
}: Supported): Support | 'missing' | `byCode.${Support}` {
  if (isMissing) return 'missing';
  return isByCode ? `byCode.${support}` : support;
}

export interface Why {
  /** Whether a model decided on the support. */
  isJudged: boolean;
  /** Whether the quotes say otherwise, or may. */
  otherwise?: 'otherwise' | 'otherwiseAbout' | 'maybeOtherwise';
  /** What they say otherwise, as far as code tells. */
  what?: string;
  /** The words of a model, or of the sources. */
  text: string;
}

/** Reasons of code, in English: `checks` have the facts that the first one names. */
const LACKING = /^Not in the (?:quotes|cited files): /;
const OTHERWISE = /^The quotes say otherwise: /;
const DOUBTED = /^The quotes may say otherwise: /;

/** Returns why the support is what it is. A model judged only where the service said that it did. */
export function whyOf(citation: Supported): Why {
  const { support, isMissing, isByCode, isJudged = false, reason = '', checks = [] } = citation;
  if (isMissing || isByCode || support === undefined || support === 'unjudged')
    return { isJudged: false, text: '' };
  const isOtherwise = support === 'contradicted' && { otherwise: 'otherwise' as const };
  if (isJudged) return { isJudged, ...isOtherwise, text: reason };
  if (DOUBTED.test(reason))
    return { isJudged, otherwise: 'maybeOtherwise', what: reason.replace(DOUBTED, ''), text: '' };
  if (OTHERWISE.test(reason))
    return { isJudged, otherwise: 'otherwiseAbout', what: reason.replace(OTHERWISE, ''), text: '' };
  const isLacking = checks.some(({ ok }) => !ok) && LACKING.test(reason);
  return { isJudged, ...isOtherwise, text: isLacking ? '' : reason };
}
