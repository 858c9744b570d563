import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';
import { formatTime } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { type SourceRun, useSourceRuns } from './queries.ts';
import { RunStatus } from './run-status.tsx';

interface Props {
  workspaceId: string;
  sourceId: string;
}

/** The latest syncs, collapsed by default. */
export function SourceHistory({ workspaceId, sourceId }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Details name={t('sources.history')} opened={{ isOpen, onChange: setOpen }}>
      <Runs workspaceId={workspaceId} sourceId={sourceId} />
    </Details>
  );
}

function Runs({ workspaceId, sourceId }: Props) {
  const { t } = useTranslation();
  const runs = useSourceRuns(workspaceId, sourceId);
  return (
    <LoadedRows
      query={runs}
      rows={2}
      rowClass="h-14"
      label={t('sources.history')}
      empty={<p className="text-sm text-muted">{t('sources.noRuns')}</p>}
    >
      {(run) => <Run key={run.id} workspaceId={workspaceId} run={run} />}
    </LoadedRows>
  );
}

const COUNTED = ['added', 'updated', 'moved', 'trashed', 'conflicts', 'skipped', 'failed'] as const;

function Run({ workspaceId, run }: { workspaceId: string; run: SourceRun }) {
  const { t, i18n } = useTranslation();
  const counts = COUNTED.filter((name) => run.counts[name] > 0).map((name) =>
    t(`sources.counts.${name}`, { count: run.counts[name] }),
  );
  const shown = run.changes.filter(
    ({ action }) => action === 'conflict' || action === 'fail' || action === 'skip',
  );
  return (
    <li className="px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex-1 basis-40">{formatTime(run.startedAt, i18n.language)}</span>
        <RunStatus status={run.status} />
      </div>
      <p className="text-xs text-muted">{counts.length > 0 ? counts.join(' · ') : t('sources.nothingNew')}</p>
      {shown.length > 0 && (
        <ul className="mt-2 space-y-1 text-xs">
          {shown.map((change) => (
            <Change key={change.path} workspaceId={workspaceId} change={change} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Change({ workspaceId, change }: { workspaceId: string; change: SourceRun['changes'][number] }) {
  const { t } = useTranslation();
  const { path, beside, reason } = change;
  return (
    <li className="break-words">
      <Link
        to="/w/$workspaceId/files"
        params={{ workspaceId }}
        search={{ path: beside ?? path }}
        preload={false}
        data-user-content
        className="text-accent underline"
      >
        {beside ?? path}
      </Link>
      <span className="text-muted">{` · ${t(`sources.reasons.${reason ?? 'write'}`)}`}</span>
    </li>
  );
}
