import { addCitation, type Citation } from '../../api-contract/citation.ts';
import { findCitedSentences } from '../../api-contract/cited-sentences.ts';
import { markFound } from '../../api-contract/found-sources.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { countSupport, type SupportSummary, toSummary } from '../../api-contract/support-counts.ts';
import { withDocumentNames } from '../../documents/named.ts';
import type { Entailment } from '../../ports/entailment.ts';
import type { FilePart } from '../../ports/file-part.ts';
import type { LanguageModel, Usage } from '../../ports/language-model.ts';
import type { Passage } from '../../ports/vectors.ts';
import { attributeSentences, type FoundCitation } from './attribute.ts';
import { citationParts } from './citation-parts.ts';
import { type Cited, citeSentences, mergeCitations } from './cite.ts';
import type { SourceWorkspaces } from './find-place.ts';
import { judgeCitations } from './judge-citations.ts';
import type { SourcePorts } from './sources.ts';
import { listed, listUncited, type UncitedSentence } from './uncited.ts';

export interface CitedAnswer {
  sources: SourceWorkspaces;
  /** The text as readers see it, in which citation 1 is the first of `used`. */
  text: string;
  used: Passage[];
  /** All passages that the model could cite. */
  offered: Passage[];
  /** Judges the sentences after the citations are sent; absent if no language model judges. */
  judge?: LanguageModel | undefined;
  /** Judges the sentences first, if the operator has configured an entailment model. */
  entailment?: Entailment | undefined;
  signal: AbortSignal;
}

/** The results of checking the citations of an answer. */
export interface AnswerSupport {
  /** The usage of the judge. */
  usage: Usage | undefined;
  /** The fields of the answer's metadata. Empty if no sentence cites a source or should. */
  metadata: { support?: SupportSummary; uncited?: UncitedSentence[]; passages?: GivenPassage[] };
}

/** The place of a passage that the model was given. */
type GivenPassage = FilePart & { workspaceId?: string; path: string; startLine: number; endLine: number };

/** The maximum number of listed passages. A long agent run lists its last ones. */
const MAX_GIVEN = 200;

/** Yields the last parts of an answer: its citations, then the judge's verdicts. */
export async function* citeAnswer(
  ports: SourcePorts,
  { sources, text, used, offered, judge, entailment, signal }: CitedAnswer,
): AsyncGenerator<StreamPart, AnswerSupport> {
  const listing = offered.length === 0 ? Promise.resolve([]) : listUncited(text);
  listing.catch(() => undefined); // awaited below
  const cited = await citeSentences(ports, sources, citedBy(text, used), offered);
  const found = await attributeSentences(ports, sources, { text, offered, first: used.length + 1 });
  const merged = [...mergeCitations(cited).map(byModel), ...mergeFound(found)];
  let citations: Citation[] = await withDocumentNames(ports.records, sources, merged);
  yield* citationParts(citations);
  const { supports, usage } = await judgeCitations(
    { entailment, model: judge },
    [...cited, ...found],
    signal,
  );
  for (const data of supports) {
    const part: StreamPart = { type: 'data-citation-support', id: data.id, data };
    citations = addCitation(citations, part);
    yield part;
  }
  const sourced = new Set(found.map(({ sentence }) => sentence.start));
  const uncited = (await listing).filter(({ start }) => !sourced.has(start));
  const support = toSummary(countSupport(markFound(text, citations).text, citations), uncited.length);
  const hasAny = support.sentences > 0 || uncited.length > 0;
  return {
    usage,
    metadata: {
      ...(hasAny && { support }),
      ...(uncited.length > 0 && { uncited }),
      ...(offered.length > 0 && { passages: offered.slice(-MAX_GIVEN).map(givenPassage) }),
    },
  };
}

function byModel(citation: Citation): Citation {
  return { ...citation, origin: 'model' };
}

/** Returns one citation per passage that the service found, with the places of its sentences. */
function mergeFound(found: FoundCitation[]): Citation[] {
  const sentences = Map.groupBy(found, ({ citation }) => citation.index);
  return mergeCitations(found).map((citation) => ({
    ...citation,
    origin: 'service',
    sentences: (sentences.get(citation.index) ?? []).map(({ sentence }) => listed(sentence)),
  }));
}

function givenPassage({ workspaceId, path, startLine, endLine, part }: Passage): GivenPassage {
  return { ...(workspaceId && { workspaceId }), path, startLine, endLine, ...part };
}

/**
 * Returns each sentence with each passage that it cites. A passage counts as cited even if it shares no word
 * with the sentence.
 */
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
