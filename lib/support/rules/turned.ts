import type { FindingRule } from '../../api-contract/findings.ts';

/** Something that a sentence says, and its quotes say otherwise. */
export interface Turned {
  rule: FindingRule;
  text: string;
  /** Words of a quote in their place, as far as the rule knows them. */
  found?: string;
  /** Whether code alone can tell. If not, they may say the same in other words. */
  isCertain: boolean;
}
