import { type Ref, useCallback, useMemo } from 'react';
import { Markdown } from '../parts/markdown/markdown.tsx';
import type { Stretch } from '../parts/markdown/uncited.ts';
import { CitationChip } from './citations.tsx';
import { numberSentences } from './cited-sentence.ts';
import type { Citation } from './message-view.ts';

interface Props {
  text: string;
  citations: readonly Citation[];
  messageId: string;
  /** The earlier text of the same answer. */
  before?: string;
  isGrowing?: boolean;
  uncited?: readonly Stretch[];
  headingLevel?: 2 | 3;
  ref?: Ref<HTMLDivElement>;
}

const NONE: readonly Stretch[] = [];

/**
 * A text whose numbers open their sources, each with the support of its own sentence. Unchanged citations
 * stay the same objects, so that finished blocks aren't rendered again while others grow.
 */
export function CitingMarkdown({ text, citations, messageId, before, uncited = NONE, ...shown }: Props) {
  const key = JSON.stringify(citations);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what they say
  const numbered = useMemo(() => numberSentences(text, citations, before), [text, key, before]);
  const { byNumber, placeOf } = numbered;
  const numbers = JSON.stringify([...byNumber]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbers` stands for what they mean
  const known = useMemo(() => byNumber, [numbers]);
  const cited = useMemo(() => new Set(known.keys()), [known]);
  const moved = useMemo(
    () => uncited.map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end) })),
    [uncited, placeOf],
  );
  const renderCitation = useCallback(
    (number: number) => {
      const citation = known.get(number);
      return citation && <CitationChip citation={citation} messageId={messageId} />;
    },
    [known, messageId],
  );
  return (
    <Markdown
      {...shown}
      text={numbered.text}
      uncited={uncited.length === 0 ? NONE : moved}
      cited={cited}
      renderCitation={renderCitation}
    />
  );
}
