import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Research } from './research.ts';

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
  return (
    <SourceLink
      research={research}
      evidenceId={evidenceId}
      label={t('research.footnote', { number, title })}
      className="mx-0.5 inline-flex h-5 min-w-5 -translate-y-px items-center justify-center rounded-sm bg-accent-soft px-1 align-baseline text-xs font-semibold text-accent tabular-nums hover:underline"
    >
      {number}
    </SourceLink>
  );
}
