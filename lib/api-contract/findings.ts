import type { LabeledPart } from './part-label.ts';
import type { Support } from './support.ts';

/** Rules about a fact of the sentence that its quotes, and the text around them, lack. */
const MISSING_RULES = [
  'number_missing',
  'unit_missing',
  'date_missing',
  'name_missing',
  'quotation_missing',
] as const;

/**
 * Rules about a source that says something else: certainly if the support is `contradicted`, otherwise
 * possibly.
 */
const OTHERWISE_RULES = [
  'negation',
  'direction',
  'quantifier',
  'amounts_exchanged',
  'rank',
  'clause',
  'other_row',
  'disowned',
  'taken_back',
] as const;

/** Rules about a draft's sentence: the files that were searched, and its references. */
const PLACE_RULES = [
  'same_sentence',
  'not_judged',
  'not_compared',
  'no_quote',
  'few_words',
  'shares_sentences',
  'subject_elsewhere',
  'source_listed',
  'source_unlisted',
  'source_absent',
  'source_otherwise',
  'source_lacks',
  'other_place_otherwise',
] as const;

/** The rule that fired, as a stable code. */
export const RULES = [...MISSING_RULES, ...OTHERWISE_RULES, ...PLACE_RULES] as const;
export type FindingRule = (typeof RULES)[number];

/** A location in a file. */
export interface FoundPlace extends LabeledPart {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** One rule's finding about a sentence and its evidence. Clients describe it in the reader's language. */
export interface Finding {
  rule: FindingRule;
  /**
   * Words of the sentence or, for `source_…`, the reference. Empty if the rule is about the whole sentence.
   */
  own: string;
  /** The source's words instead. */
  found?: string;
  /** The place of these words in the source. */
  where?: FoundPlace;
}

/** The component that decided on the support. */
export const DECIDERS = ['code', 'nli', 'model'] as const;
export type Decider = (typeof DECIDERS)[number];

export function lacksFact({ rule }: Pick<Finding, 'rule'>): boolean {
  return (MISSING_RULES as readonly string[]).includes(rule);
}

export function isOtherwise({ rule }: Pick<Finding, 'rule'>): boolean {
  return (OTHERWISE_RULES as readonly string[]).includes(rule);
}

/** The rules that report a possible error regardless of the support. */
const ERROR_RULES: readonly FindingRule[] = [
  'source_unlisted',
  'source_absent',
  'source_otherwise',
  'source_lacks',
  'other_place_otherwise',
];

/**
 * Returns whether a draft's sentence may have an error: its quotes say something else or lack part of it, or
 * its source is missing or another one. Facts that were found but not judged aren't errors. A sentence
 * without a claim has no support, and no error either.
 */
export function isPossibleError({ support, findings }: { support?: Support; findings: Finding[] }): boolean {
  if (support === undefined) return false;
  if (support !== 'full' && support !== 'unjudged') return true;
  return findings.some(({ rule }) => ERROR_RULES.includes(rule));
}

/** The four states that users see, most alarming first. */
export const MARKS = ['contradicted', 'not_in_source', 'facts_found', 'supported'] as const;
export type SupportMark = (typeof MARKS)[number];

const MARK_OF: Record<Support, SupportMark> = {
  contradicted: 'contradicted',
  none: 'not_in_source',
  partial: 'not_in_source',
  unjudged: 'facts_found',
  full: 'supported',
};

/** Returns the state of a sentence as users see it. */
export function markOf(support: Support): SupportMark {
  return MARK_OF[support];
}

/**
 * Returns the facts that the source lacks, as the sentence words them, each once. `12` isn't listed in
 * addition to `12 hours`.
 */
export function missingIn(findings: readonly Finding[] = []): string[] {
  const all = [...new Set(findings.filter(lacksFact).map(({ own }) => own))];
  return all.filter((text) => !all.some((other) => other !== text && other.includes(text)));
}
