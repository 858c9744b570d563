import type { TextRun } from '../../formats/format.ts';
import { widenToSentence } from '../../retrieval/cite/sentences-within.ts';
import type { QuotableFile, SourcePorts } from '../../retrieval/cite/sources.ts';
import { type SearchPorts, searchPassages } from '../../retrieval/search.ts';
import { assess } from '../../support/assess.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Quote, QuotedFile } from '../records/schema.ts';
import { readWithin, type SearchBudget } from './budget.ts';
import { findWholeQuotes, placeOf } from './find-quote.ts';
import type { Relocation } from './relocate.ts';

export type SuggestPorts = SearchPorts & SourcePorts;

/** The maximum number of files read per quote. */
const FILES = 5;
/** The minimum length of a quote. A shorter one, such as `Total: 5`, also occurs in unrelated files. */
const LEAST = { characters: 20, words: 4, han: 8 };

/**
 * Returns the best places in the workspace with the same quote, outside the cited file, by one keyword search
 * and a literal comparison with the files that it finds. A citation has one file, so the file must contain
 * all of its quotes; the first place is that of the quote itself. Undefined also if the budget is used up.
 */
export async function suggestPlaces(
  ports: SuggestPorts,
  workspace: Workspace,
  { path, quotes }: Pick<QuotedFile, 'path' | 'quotes'>,
  quote: Quote,
  budget: SearchBudget,
): Promise<[Relocation, ...Relocation[]] | undefined> {
  if (quote.broken?.reason === 'retracted' || !isTelling(quote.quote)) return undefined;
  const all = [quote, ...quotes.filter((each) => each !== quote && each.index === quote.index)];
  const { passages } = await searchPassages(
    { ...ports, embedder: undefined, reranker: undefined },
    workspace.id,
    quote.quote,
  );
  const others = new Set(passages.map((passage) => passage.path).filter((other) => other !== path));
  for (const other of [...others].slice(0, FILES)) {
    const file = await readWithin(budget, ports, workspace, other);
    if (file.state !== 'read') continue;
    const { source } = file;
    const texts = all.map((each) => each.quote);
    const runs = await findWholeQuotes(source, texts, budget.find());
    const [first, ...more] = all.flatMap((each, at) => relocationTo(other, source, each, runs?.[at]) ?? []);
    if (first !== undefined && more.length === all.length - 1) return [first, ...more];
  }
  return undefined;
}

function isTelling(quote: string): boolean {
  const words = quote.match(/[\p{L}\p{N}]+/gu) ?? [];
  const han = quote.match(/\p{Script=Han}/gu) ?? [];
  return quote.length >= LEAST.characters || words.length >= LEAST.words || han.length >= LEAST.han;
}

/** Returns undefined if the sentence around the quote contradicts it. */
function relocationTo(
  path: string,
  source: QuotableFile,
  quote: Quote,
  run: TextRun | undefined,
): Relocation | undefined {
  if (run === undefined) return undefined;
  const { start, end } = widenToSentence(source, run);
  const { support } = assess(quote.quote, { quotes: [source.text.slice(start, end)] });
  return support === 'contradicted' ? undefined : { quote, path, place: placeOf(source, run) };
}
