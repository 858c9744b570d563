import type { CitationCheck } from '../../api-contract/citation.ts';
import type { Finding, FindingRule } from '../../api-contract/findings.ts';
import { foldText } from '../../api-contract/fold-text.ts';
import type { Support } from '../../api-contract/support.ts';
import { differenceBetween } from './difference.ts';
import { disownedIn } from './disowned.ts';
import { type FactKind, type MissingFact, readFacts } from './facts.ts';
import { foundInstead, missingAround } from './found-around.ts';
import type { WordsAround } from './takes-back.ts';

export interface CheckedClaim {
  /** One per kind of fact that the sentence holds. */
  checks: CitationCheck[];
  /** What code alone can tell; `unjudged` where it found nothing wrong. */
  support: Support;
  /** The same as data. */
  findings: Finding[];
  /** Why the support is less than that. */
  reason?: string;
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
 * Checks by code what a sentence says against its quotes. A sentence that lacks a fact is `partial` at best; one that its quotes
 * contradict (`not safe`) is `contradicted`, and one without a quote has support `none`. Where opposite words may say the same in
 * another way (`lost` for `did not win`), it is `partial`, too. So it is where the quotes, with the words around each of them in its
 * file if these are given, only ask or call false what the sentence is about.
 */
export function checkClaim(
  said: string,
  quoted: string[],
  around: (WordsAround | undefined)[] = [],
  stretches: string[] = [],
): CheckedClaim {
  const sentence = foldText(said, { as: 'letters' }).text;
  const quotes = quoted.map((quote) => spelledAs(sentence, quote));
  const reader = readFacts(sentence);
  const { kinds, findMissing } = reader;
  const inQuotes = findMissing(quotes);
  const isTurned = ({ kind }: MissingFact) => kind === 'contradiction' || kind === 'doubt';
  const lacking = inQuotes.filter((fact) => !isTurned(fact));
  const missing = [
    ...missingAround({ sentence, reader, quotes, lacking, stretches }),
    ...inQuotes.filter(isTurned),
  ];
  const textOf = (kind: string) => {
    const all = missing.filter((fact) => fact.kind === kind).map(({ text }) => text);
    const texts = all.filter((text) => !all.some((other) => other !== text && other.includes(text)));
    return texts.join(', ').slice(0, MAX_DETAIL).toWellFormed();
  };
  const checks = KINDS.filter((kind) => kinds.has(kind)).map((kind): CitationCheck => {
    const detail = textOf(kind);
    return detail === '' ? { kind, ok: true } : { kind, ok: false, detail };
  });
  if (quotes.length === 0) return { checks, support: 'none', findings: [], reason: 'No quote was found.' };
  const contradicted = shownTurned(sentence, quotes, textOf('contradiction'));
  const disowned =
    disownedIn(sentence, quotes) ??
    (around.length > 0 ? disownedIn(sentence, inPlace(quotes, around)) : undefined);
  const findings = findingsOf(missing, sentence, quotes);
  if (contradicted !== '' && disowned === undefined) {
    return { checks, support: 'contradicted', findings, reason: `The quotes say otherwise: ${contradicted}` };
  }
  const named = checks.flatMap(({ detail }) => detail ?? []).join(', ');
  const own = contradicted || shownTurned(sentence, quotes, textOf('doubt'));
  const doubted = own === '' && disowned?.isSameWay ? disowned.text : own;
  if (own !== doubted) findings.push({ rule: 'disowned', own: doubted });
  if (named === '' && doubted === '') return { checks, support: 'unjudged', findings };
  if (named === '')
    return { checks, support: 'partial', findings, reason: `The quotes may say otherwise: ${doubted}` };
  return { checks, support: 'partial', findings, reason: `Not in the quotes: ${named}` };
}

/** The same as data. What a quote has in the place of a fact is named; of what it says otherwise, the words of both. */
function findingsOf(missing: MissingFact[], sentence: string, quotes: string[]): Finding[] {
  const certain = missing.filter(({ kind }) => kind === 'contradiction');
  const shown = missing.filter(({ kind }) => certain.length === 0 || kind !== 'doubt');
  return shown.map((fact): Finding => {
    if (fact.kind === 'contradiction' || fact.kind === 'doubt') return otherwise(fact, sentence, quotes);
    const found = foundInstead(fact, sentence, quotes);
    return { rule: RULES[fact.kind], own: fact.text, ...(found !== undefined && { found }) };
  });
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
  return quotes.map((quote, at) => `${around[at]?.before ?? ''} ${quote} ${around[at]?.after ?? ''}`.trim());
}

/** What a sentence has … what a quote has that is otherwise the same: `sea … no sea`. Empty if nothing is turned. */
function shownTurned(sentence: string, quotes: string[], turned: string): string {
  const difference = turned === '' || turned.includes('…') ? undefined : differenceBetween(sentence, quotes);
  if (difference === undefined) return turned;
  const both = difference.own.map((own, at) => `${own} … ${difference.said[at]}`);
  return both.join(', ').slice(0, MAX_DETAIL).toWellFormed();
}
