import { differenceBetween, replacementOf } from './difference.ts';
import { type FactsReader, type MissingFact, readFacts } from './facts.ts';
import { readNumbers } from './numbers.ts';

/**
 * A parsed sentence, the facts that its quotes lack, and the text around these quotes in stretches of at most
 * 5,000 characters.
 */
interface Compared {
  sentence: string;
  reader: FactsReader;
  quotes: string[];
  lacking: MissingFact[];
  stretches: string[];
}

/**
 * Returns the facts that the text around the quotes lacks too. A fact that a quote replaces with another one
 * (`999 sites`, `630 sites`) stays missing, even if it appears elsewhere.
 */
export function missingAround({ sentence, reader, quotes, lacking, stretches }: Compared): MissingFact[] {
  if (lacking.length === 0 || stretches.length === 0) return lacking;
  const isReplaced = (fact: MissingFact) => foundInstead(fact, sentence, quotes) !== undefined;
  if (lacking.every(isReplaced)) return lacking;
  const still = new Set(reader.findLackingAround([...quotes, ...stretches]).map(({ text }) => text));
  return lacking.filter((fact) => isReplaced(fact) || still.has(fact.text));
}

/**
 * Returns the words of a quote that replace a fact: the same digits with another unit or limit, or the text
 * between the same words. Only an amount can replace an amount.
 */
export function foundInstead(
  { kind, text }: MissingFact,
  sentence: string,
  quotes: string[],
): string | undefined {
  const isAmount = kind === 'number' || kind === 'unit';
  const found = (isAmount ? sameDigits(text, quotes) : undefined) ?? replacementOf(text, sentence, quotes);
  if (found === undefined || kind === 'date') return found;
  if (kind !== 'name') return readFacts(found).kinds.size > 0 ? found : undefined;
  const difference = differenceBetween(sentence, quotes);
  return difference?.own.some((own) => own.includes(text)) ? found : undefined;
}

function sameDigits(fact: string, quotes: string[]): string | undefined {
  const [digits] = /\d+(?:[.,]\d+)*/.exec(fact) ?? [];
  if (digits === undefined) return undefined;
  const same = quotes.flatMap((quote) => readNumbers(quote).filter((number) => number.digits === digits));
  return same[0]?.text;
}
