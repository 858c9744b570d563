import type { CitationCheck, Support } from '../api-contract/citation.ts';
import { foldText } from '../api-contract/fold-text.ts';
import { differenceBetween } from './difference.ts';
import { disownedIn } from './disowned.ts';
import { type MissingFact, readFacts } from './facts.ts';
import { missingAround } from './found-around.ts';
import type { WordsAround } from './takes-back.ts';

export interface CheckedClaim {
  /** One per kind of fact that the sentence holds. */
  checks: CitationCheck[];
  /** What code alone can tell; `unjudged` where it found nothing wrong. */
  support: Support;
  /** Why the support is less than that. */
  reason?: string;
}

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
  if (quotes.length === 0) return { checks, support: 'none', reason: 'No quote was found.' };
  const contradicted = shownTurned(sentence, quotes, textOf('contradiction'));
  const disowned =
    disownedIn(sentence, quotes) ??
    (around.length > 0 ? disownedIn(sentence, inPlace(quotes, around)) : undefined);
  if (contradicted !== '' && disowned === undefined) {
    return { checks, support: 'contradicted', reason: `The quotes say otherwise: ${contradicted}` };
  }
  const named = checks.flatMap(({ detail }) => detail ?? []).join(', ');
  const own = contradicted || shownTurned(sentence, quotes, textOf('doubt'));
  const doubted = own === '' && disowned?.isSameWay ? disowned.text : own;
  if (named === '' && doubted === '') return { checks, support: 'unjudged' };
  if (named === '') return { checks, support: 'partial', reason: `The quotes may say otherwise: ${doubted}` };
  return { checks, support: 'partial', reason: `Not in the quotes: ${named}` };
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
