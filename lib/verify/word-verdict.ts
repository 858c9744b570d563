import { wordBesideMark, wordFindings } from '../api-contract/finding-words.ts';
import { markOf, missingIn } from '../api-contract/findings.ts';
import type { Support } from '../api-contract/support.ts';
import { JUDGE_WORDS, SUPPORT_WORDS } from '../api-contract/support-words.ts';
import type { ClaimVerdict, VerdictName } from './schema.ts';

const VERDICTS: Record<Support, VerdictName> = {
  full: 'supported',
  partial: 'partial',
  unjudged: 'partial',
  none: 'not_found',
  contradicted: 'contradicted',
};

type Decided = Omit<ClaimVerdict, 'verdict' | 'reason' | 'judgedBy'>;

/** Returns a verdict as the API shows it. `why` is the judge's reason if a model decided. */
export function describeVerdict(decided: Decided, why = ''): ClaimVerdict {
  const { support, by, findings } = decided;
  const words = () => wordFindings(findings, support ?? 'unjudged').join(' ');
  return {
    ...decided,
    verdict: support === undefined ? 'no_claim' : VERDICTS[support],
    reason: by === 'model' ? why : words(),
    ...(by !== undefined && { judgedBy: by === 'code' ? by : 'model' }),
  };
}

/**
 * Returns a verdict as exports and bots show it, in the language of the draft: the state, with the facts that
 * the source lacks, and the reason. A model's reason isn't translated.
 */
export function wordVerdict(
  { support, by = 'code', findings, reason }: ClaimVerdict,
  language: 'en' | 'zh',
): { state: string; why: string } {
  if (support === undefined) return { state: NO_CLAIM[language], why: '' };
  const { comma, colon, stop, space } = MARKS[language];
  const missing = markOf(support) === 'not_in_source' ? missingIn(findings) : [];
  const names = missing.length > 0 ? colon + missing.join(comma) : '';
  const others = wordBesideMark(findings, support, language);
  const said = by === 'model' ? reason : '';
  return {
    state: SUPPORT_WORDS[language][support] + names + stop,
    why: [...others, JUDGE_WORDS[language][by], said].filter(Boolean).join(space),
  };
}

const MARKS = {
  en: { comma: ', ', colon: ': ', stop: '.', space: ' ' },
  zh: { comma: '、', colon: '：', stop: '。', space: '' },
};
export const NO_CLAIM = { en: 'No claim', zh: '无论断' };
