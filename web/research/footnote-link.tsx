import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use } from 'react';
import { searchFor, useChip, useOpenNth } from '../chat/citations.tsx';
import { asCited, type CitedPlace } from './footnotes.ts';
import type { Research } from './research.ts';

/** The locations that the current report cites, by evidence ID. */
export const ReportCitations = createContext<ReadonlyMap<string, CitedPlace>>(new Map());

interface SourceProps {
  research: Pick<Research, 'workspaceId' | 'runId'>;
  evidenceId: string;
  /** The position of the sentence, from 1, among those that cite the source. */
  nth?: number | undefined;
  isOpen?: boolean;
  label?: string;
  title?: string;
  className: string;
  children: ReactNode;
}

/** A link that opens the source next to the current view. */
export function SourceLink({ research, evidenceId, nth, isOpen, label, title, ...shown }: SourceProps) {
  const { workspaceId, runId } = research;
  return (
    <Link
      to="/w/$workspaceId/research/$runId"
      params={{ workspaceId, runId }}
      search={(before) => ({ ...before, nth: undefined, ...searchFor(evidenceId, nth) })}
      resetScroll={false}
      preload={false}
      activeProps={{}}
      data-source={evidenceId}
      aria-current={isOpen ? 'true' : undefined}
      aria-label={label}
      title={title}
      {...shown}
    />
  );
}

interface FootnoteProps {
  research: Research;
  evidenceId: string;
  /** The sentence that cites the source. In a source list, the weakest one. */
  sentence?: string;
}

/** The number of a source, with the same icons as citations in chat. */
export function FootnoteLink({ research, evidenceId, sentence }: FootnoteProps) {
  const place = use(ReportCitations).get(evidenceId);
  return place && <Chip research={research} evidenceId={evidenceId} citation={asCited(place, sentence)} />;
}

function Chip({
  research,
  evidenceId,
  citation,
}: Omit<FootnoteProps, 'sentence'> & { citation: CitedPlace['citation'] }) {
  const name = research.evidence.find(({ id }) => id === evidenceId)?.source.title ?? '';
  const isOpen = useOpenNth(evidenceId) === (citation.nth ?? 1);
  const chip = useChip(citation, { isOpen, name });
  return (
    <SourceLink research={research} evidenceId={evidenceId} nth={citation.nth} isOpen={isOpen} {...chip} />
  );
}
