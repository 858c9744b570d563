import type { FindingRule } from '../../api-contract/findings.ts';

/** A statement of a sentence that its quotes contradict. */
export interface Turned {
  rule: FindingRule;
  text: string;
  /** The words of a quote that replace it, if the rule knows them. */
  found?: string;
  /** Whether code alone can decide. Otherwise, the quotes may say the same in other words. */
  isCertain: boolean;
}
