import { findCitedSentences } from '../../api-contract/cited-sentences.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { LanguageModel, Usage } from '../../ports/language-model.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { citationParts } from './citation-parts.ts';
import { type Cited, citeSentences, mergeCitations } from './cite.ts';
import { judgeCitations } from './judge-citations.ts';
import type { SourcePorts } from './sources.ts';

export interface CitedAnswer {
  workspace: Workspace;
  /** As readers see it: citation 1 is the first of `used`. */
  text: string;
  used: Passage[];
  /** Judges the sentences once the citations are sent; absent: no model does. */
  judge?: LanguageModel | undefined;
  signal: AbortSignal;
}

/** The last parts of an answer: its citations, then what the judge said of them. Returns the tokens of the judge. */
export async function* citeAnswer(
  ports: SourcePorts,
  { workspace, text, used, judge, signal }: CitedAnswer,
): AsyncGenerator<StreamPart, Usage | undefined> {
  const cited = await citeSentences(ports, workspace, citedBy(text, used));
  yield* citationParts(mergeCitations(cited));
  if (judge === undefined) return undefined;
  const { supports, usage } = await judgeCitations(judge, cited, signal);
  for (const data of supports) yield { type: 'data-citation-support', id: data.id, data };
  return usage;
}

/** Each sentence with each passage that it cites. A passage that no sentence has a word for is cited all the same. */
function citedBy(text: string, used: Passage[]): Cited[] {
  const passageOf = (number: number) => used[number - 1];
  const cited = findCitedSentences(text).flatMap(({ claim, numbers, earlier }) =>
    [...new Set(numbers)].flatMap((index): Cited[] => {
      const passage = passageOf(index);
      const others = [...new Set([...numbers, ...earlier])].filter((number) => number !== index);
      if (passage === undefined) return [];
      return [{ index, passage, claim, beside: others.flatMap((number) => passageOf(number) ?? []) }];
    }),
  );
  const known = new Set(cited.map(({ index }) => index));
  const bare = used.map((passage, at) => ({ index: at + 1, passage, claim: '' }));
  return [...cited, ...bare.filter(({ index }) => !known.has(index))];
}
