import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';
import type { Citation } from '../chat/message-view.ts';
import { Icon } from '../parts/icon.tsx';
import type { Research } from './research.ts';

/** The citations of the report that is shown, as they are now, by the ID of their evidence. */
export const ReportCitations = createContext<ReadonlyMap<string, Citation>>(new Map());

interface SourceProps {
  research: Pick<Research, 'workspaceId' | 'runId'>;
  evidenceId: string;
  label?: string;
  className: string;
  children: ReactNode;
}

/** Opens the source next to the current view. */
export function SourceLink({ research, evidenceId, label, className, children }: SourceProps) {
  const { workspaceId, runId } = research;
  return (
    <Link
      to="/w/$workspaceId/research/$runId"
      params={{ workspaceId, runId }}
      search={(before) => ({ ...before, source: evidenceId })}
      resetScroll={false}
      preload={false}
      data-source={evidenceId}
      aria-label={label}
      title={label}
      className={className}
    >
      {children}
    </Link>
  );
}

interface FootnoteProps {
  research: Research;
  evidenceId: string;
  number: number;
}

export function FootnoteLink({ research, evidenceId, number }: FootnoteProps) {
  const { t } = useTranslation();
  const title = research.evidence.find(({ id }) => id === evidenceId)?.source.title ?? '';
  const lost = use(ReportCitations).get(evidenceId)?.lost;
  const label = t('research.footnote', { number, title });
  return (
    <SourceLink
      research={research}
      evidenceId={evidenceId}
      label={lost ? `${label}, ${t(`chat.support.lostState.${lost}`)}` : label}
      className={`mx-0.5 inline-flex h-5 min-w-5 -translate-y-px items-center justify-center gap-0.5 rounded-sm px-1 align-baseline text-xs font-semibold tabular-nums hover:underline ${lost ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent'}`}
    >
      {lost && <Icon name="clock" size={11} />}
      {number}
    </SourceLink>
  );
}
