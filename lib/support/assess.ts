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

/** What a sentence is assessed by. */
export interface QuotedEvidence {
  quotes: string[];
  /** By the place of the quote: the words around it in its source. */
  around?: (WordsAround | undefined)[];
  /** The text around the quotes, in stretches of at most 5,000 characters: facts that the quotes lack may be there. */
  stretches?: string[];
  /** What is next to the quotes: rows of their tables with the header, or the lines around them. */
  near?: string[];
}

/** How far a sentence is supported, and why. */
export interface SupportAssessment {
  support: Support;
  by: Decider;
  findings: Finding[];
  /** One per kind of fact that the sentence holds. */
  checks: CitationCheck[];
  /** What keeps a judge's `full` at `partial`, though code finds nothing wrong with the sentence itself. */
  limits: Finding[];
  /** Facts that the quotes lack, and that are in the text around them. */
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
 * Assesses by code what a sentence says: all that decide on the support of a sentence begin here. A sentence that lacks a fact is
 * `partial`; one that its quotes contradict (`not safe`) is `contradicted`, and one without a quote has support `none`. Where other words
 * may say the same (`lost` for `did not win`), or the quotes only ask or call false what the sentence is about, it is `partial`, too. Else it
 * is `unjudged`: a judge may say more (`applyJudgment`).
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

/** The words around its quotes may deny them all, whatever a judge says. */
function limitsIn(around: (WordsAround | undefined)[]): Finding[] {
  const isDenied = around.length > 0 && around.every((each) => each !== undefined && isTakenBack(each));
  return isDenied ? [{ rule: 'taken_back', own: '' }] : [];
}

/** The facts of a kind that are missing, in words; a fact that is part of another one is not named again. */
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

/** What code says of a similar passage; a judge answers it. */
const ANSWERED: readonly FindingRule[] = ['same_sentence', 'not_judged', 'few_words', 'no_quote'];

/** What a judge isn't shown, or may miss. */
const MISSED: readonly FindingRule[] = [
  'source_absent',
  'source_lacks',
  'source_unlisted',
  'subject_elsewhere',
  'taken_back',
];

/** Whether no judge makes more than `partial` of a sentence with this finding. */
export function isLimiting(finding: Finding): boolean {
  return lacksFact(finding) || MISSED.includes(finding.rule);
}

interface Limited extends Pick<SupportAssessment, 'support' | 'findings'> {
  limits?: Finding[];
}

interface Decided extends Pick<SupportAssessment, 'support' | 'by' | 'findings'> {
  /** In the words of the model that decided. */
  why?: string;
}

/**
 * Returns what holds after a judge. It decides what code left open, and may say that the quotes fail a sentence; a fact that they lack,
 * and what may deny them, keep a sentence from more than `partial`, whatever a judge says.
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

/** The same as data. What a quote has in the place of a fact is named; of what it says otherwise, the words of both. */
function findingsOf(missing: MissingFact[], sentence: string, quotes: string[]): Finding[] {
  const certain = missing.filter(({ kind }) => kind === 'contradiction');
  const shown = missing.filter(({ kind }) => certain.length === 0 || kind !== 'doubt');
  const all = shown.map((fact): Finding => {
    if (fact.kind === 'contradiction' || fact.kind === 'doubt') return otherwise(fact, sentence, quotes);
    const found = foundInstead(fact, sentence, quotes);
    return { rule: RULES[fact.kind], own: fact.text, ...(found !== undefined && { found }) };
  });
  // Two rules may find the same.
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

/** A word that is divided at a line end keeps its hyphen if the sentence has it so. */
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

/** At the end of what precedes a quote. It isn't part of the sentence. */
const HEADING = /(?:^|\n)#{1,6} [^\n]*$/u;
