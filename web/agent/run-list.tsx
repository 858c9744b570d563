import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '../parts/format.ts';
import type { Run } from './queries.ts';
import { kindOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';

/** Each leads to its room: a report has one of its own. */
export function RunList({ runs }: { runs: Run[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {runs.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </ul>
  );
}

function RunRow({ run }: { run: Run }) {
  const { t, i18n } = useTranslation();
  return (
    <li className="relative flex items-center gap-4 px-4 py-3 hover:bg-sunken">
      <div className="min-w-0 flex-1">
        <Link
          to={run.kind === 'research' ? '/w/$workspaceId/research/$runId' : '/w/$workspaceId/agent/$runId'}
          params={{ workspaceId: run.workspaceId, runId: run.id }}
          className="block truncate text-sm font-medium after:absolute after:inset-0"
        >
          {run.request || t('agent.untitled')}
        </Link>
        <p className="text-xs text-muted">
          {run.origin !== 'api' && <>{t(`agent.origins.${run.origin}`)} · </>}
          {t(kindOf(run))} · {t('agent.steps', { count: run.steps })} ·{' '}
          {formatAgo(run.createdAt, i18n.language)}
        </p>
      </div>
      <RunStatus status={run.status} />
    </li>
  );
}
