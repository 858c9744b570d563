import type { CitationCheck } from '../api-contract/citation.ts';
import {
  type Decider,
  type Finding,
  type FindingRule,
  lacksFact,
  missingIn,
} from '../api-contract/findings.ts';
import { foldText } from '../api-contract/fold-text.ts';
import type { Support } from '../api-contract/support.ts';
import type { Judgment } from './judge.ts';
import { differenceBetween } from './rules/difference.ts';
import { disownedIn } from './rules/disowned.ts';
import { type FactKind, type MissingFact, readFacts } from './rules/facts.ts';
import { foundInstead, missingAround } from './rules/found-around.ts';
import { isTakenBack, type WordsAround } from './rules/takes-back.ts';

/** The evidence for assessing a sentence. */
export interface QuotedEvidence {
  quotes: string[];
  /** The words around each quote in its source, in the order of the quotes. */
  around?: (WordsAround | undefined)[];
  /**
   * The text around the quotes, in stretches of at most 5,000 characters. It may contain facts that the
   * quotes lack.
   */
  stretches?: string[];
  /** The text next to the quotes: rows of their tables with the header row, or the lines around the quotes. */
  near?: string[];
}

/** How far a sentence is supported, and why. */
export interface SupportAssessment {
  support: Support;
  by: Decider;
  findings: Finding[];
  /** One check per kind of fact in the sentence. */
  checks: CitationCheck[];
  /**
   * Findings because of which a judge's `full` becomes `partial`, although code finds nothing wrong with the
   * sentence itself.
   */
  limits: Finding[];
  /** Facts that the quotes lack, but the text around them contains. */
  foundAround: string[];
}

const RULES = {
  number: 'number_missing',
  unit: 'unit_missing',
  date: 'date_missing',
  name: 'name_missing',
} as const satisfies Partial<Record<FactKind, FindingRule>>;
const KINDS = ['number', 'unit', 'date', 'name'] as const;
const MAX_DETAIL = 200;

/**
 * Assesses by code how far quotes support a sentence. Every decision on support starts here. A sentence with
 * a fact that its quotes lack is `partial`; one that they contradict (`not safe`) is `contradicted`; one
 * without quotes has support `none`. A sentence is also `partial` if other words may say the same (`lost` for
 * `did not win`), or if the quotes only ask whether it is so, or call it false. Any other sentence is
 * `unjudged`, and a judge may decide on it (`applyJudgment`).
 */
export function assess(
  said: string,
  { quotes: quoted, around = [], stretches = [], near = [] }: QuotedEvidence,
): SupportAssessment {
  const sentence = foldText(said, { as: 'letters' }).text;
  const quotes = quoted.map((quote) => spelledAs(sentence, quote));
  const reader = readFacts(sentence);
  const inQuotes = reader.findMissing(
    quotes,
    near.map((text) => spelledAs(sentence, text)),
  );
  const lacking = inQuotes.filter((fact) => !isTurned(fact));
  const missing = missingAround({ sentence, reader, quotes, lacking, stretches });
  const isNamed = (fact: MissingFact) => missing.some(({ text }) => text === fact.text);
  const turned = inQuotes.filter((fact) => isTurned(fact) && !isNamed(fact));
  const { support, findings } = decide({ sentence, quotes, around, near }, [...missing, ...turned]);
  const checks = KINDS.filter((kind) => reader.kinds.has(kind)).map((kind) => checkOf(kind, findings));
  const foundAround = lacking.filter((fact) => !missing.includes(fact)).map(({ text }) => text);
  const common = { by: 'code' as const, checks, foundAround, limits: limitsIn(around) };
  if (quotes.length === 0)
    return { ...common, support: 'none', findings: [{ rule: 'no_quote', own: '' }, ...findings] };
  return { ...common, support, findings };
}

function isTurned({ kind }: MissingFact): boolean {
  return kind === 'contradiction' || kind === 'doubt';
}

/** Returns findings if the words around the quotes may negate all of them, regardless of any judge. */
function limitsIn(around: (WordsAround | undefined)[]): Finding[] {
  const isDenied = around.length > 0 && around.every((each) => each !== undefined && isTakenBack(each));
  return isDenied ? [{ rule: 'taken_back', own: '' }] : [];
}

/** Lists the missing facts of a kind in words. Omits those that are part of another missing fact. */
function checkOf(kind: keyof typeof RULES, findings: Finding[]): CitationCheck {
  const lacking = missingIn(findings.filter(({ rule }) => rule === RULES[kind]));
  if (lacking.length === 0) return { kind, ok: true };
  return { kind, ok: false, detail: lacking.join(', ').slice(0, MAX_DETAIL).toWellFormed() };
}

interface Told {
  sentence: string;
  quotes: string[];
  around: (WordsAround | undefined)[];
  near: string[];
}

function decide(
  { sentence, quotes, around, near }: Told,
  missing: MissingFact[],
): Pick<SupportAssessment, 'support' | 'findings'> {
  const findings = findingsOf(missing, sentence, quotes);
  const disowned =
    disownedIn(sentence, quotes) ??
    (around.length > 0 ? disownedIn(sentence, inPlace(quotes, around)) : undefined) ??
    disownedIn(sentence, near);
  if (disowned === undefined && missing.some(({ kind }) => kind === 'contradiction'))
    return { support: 'contradicted', findings };
  if (disowned?.isSameWay && !missing.some(isTurned)) findings.push({ rule: 'disowned', own: disowned.text });
  return { support: findings.length > 0 ? 'partial' : 'unjudged', findings };
}

/** Findings that say only that a passage is similar. A judge's verdict replaces them. */
const ANSWERED: readonly FindingRule[] = ['same_sentence', 'not_judged', 'few_words', 'no_quote'];

/** Findings about text that a judge doesn't see, or may overlook. */
const MISSED: readonly FindingRule[] = [
  'source_absent',
  'source_lacks',
  'source_unlisted',
  'subject_elsewhere',
  'taken_back',
];

/** Returns whether a finding makes the sentence `partial` at best, regardless of any judge. */
export function isLimiting(finding: Finding): boolean {
  return lacksFact(finding) || MISSED.includes(finding.rule);
}

interface Limited extends Pick<SupportAssessment, 'support' | 'findings'> {
  limits?: Finding[];
}

interface Decided extends Pick<SupportAssessment, 'support' | 'by' | 'findings'> {
  /** The reason, in the words of the model that decided. */
  why?: string;
}

/**
 * Returns the assessment after a judge's verdict. The judge decides where code couldn't, and may say that the
 * quotes don't support the sentence. With a missing fact, or words that may negate the quotes, the sentence
 * stays `partial` whatever the judge says.
 */
export function applyJudgment(found: Limited, judgment: Judgment | undefined): Decided {
  const { support, findings, limits = [] } = found;
  const byCode: Decided = { support, by: 'code', findings };
  if (judgment === undefined || support === 'contradicted') return byCode;
  const rest = findings.filter(({ rule }) => !ANSWERED.includes(rule));
  const isLacking = support === 'partial' || limits.length > 0 || findings.some(isLimiting);
  if (judgment.support === 'full' && isLacking)
    return { ...byCode, support: 'partial', findings: [...rest, ...limits] };
  return {
    ...{ support: judgment.support, by: judgment.by ?? 'model', findings: rest },
    ...(judgment.reason !== '' && { why: judgment.reason }),
  };
}

/**
 * Returns the missing facts as findings. Each states what a quote says in place of the fact; for a
 * contradiction, it has the words of both.
 */
function findingsOf(missing: MissingFact[], sentence: string, quotes: string[]): Finding[] {
  const certain = missing.filter(({ kind }) => kind === 'contradiction');
  const shown = missing.filter(({ kind }) => certain.length === 0 || kind !== 'doubt');
  const all = shown.map((fact): Finding => {
    if (fact.kind === 'contradiction' || fact.kind === 'doubt') return otherwise(fact, sentence, quotes);
    const found = foundInstead(fact, sentence, quotes);
    return { rule: RULES[fact.kind], own: fact.text, ...(found !== undefined && { found }) };
  });
  // Two rules may return the same finding.
  const isSame = (one: Finding, other: Finding) => one.own === other.own && one.found === other.found;
  return all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at);
}

function otherwise(
  { rule = 'negation', text, found }: MissingFact,
  sentence: string,
  quotes: string[],
): Finding {
  if (found !== undefined) return { rule, own: text, found };
  const { own, said } = differenceBetween(sentence, quotes) ?? { own: [], said: [] };
  if (own.length === 0) return { rule, own: text };
  return {
    rule,
    own: own.join(', ').slice(0, MAX_DETAIL).toWellFormed(),
    found: said.join(', ').slice(0, MAX_DETAIL).toWellFormed(),
  };
}

/**
 * Returns the quote with the parts of words joined that a line end divides. A hyphen stays only if the
 * sentence has it.
 */
function spelledAs(sentence: string, quote: string): string {
  const divided = foldText(quote, { as: 'letters', joined: false }).text;
  const hyphenated = sentence.match(/\p{L}+-\p{Ll}+/gu) ?? [];
  return hyphenated.some((word) => divided.includes(word))
    ? divided
    : foldText(quote, { as: 'letters' }).text;
}

function inPlace(quotes: string[], around: (WordsAround | undefined)[]): string[] {
  return quotes.map((quote, at) => {
    const { before = '', after = '' } = around[at] ?? {};
    return `${before}${HEADING.test(before) ? '\n' : ' '}${quote} ${after}`.trim();
  });
}

/** Matches a heading at the end of the text before a quote. It isn't part of the sentence. */
const HEADING = /(?:^|\n)#{1,6} [^\n]*$/u;
