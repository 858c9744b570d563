import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Composer } from '../chat/composer.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { type Mode, type Run, useRuns, useStartRun } from './queries.ts';
import { kindOf } from './run-kind.ts';
import { RunStatus } from './run-status.tsx';

const MODES: Mode[] = ['agent', 'plan', 'ask'];

export function RunsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const runs = useRuns(workspaceId);
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-5 py-8">
        <PageHead title={t('shell.agent')} note={t('agent.note')} />
        <NewRun workspaceId={workspaceId} />
        <section aria-label={t('agent.runs')} className="mt-8">
          {runs.error && <Problem error={runs.error} onRetry={() => runs.refetch()} />}
          {runs.isPending && <Skeletons rows={4} className="h-14" />}
          {runs.data?.length === 0 && (
            <EmptyState icon="agent" title={t('agent.none')}>
              {t('agent.noneNext')}
            </EmptyState>
          )}
          {runs.data && runs.data.length > 0 && (
            <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
              {runs.data.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  );
}

function NewRun({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const health = useHealth();
  const start = useStartRun(workspaceId);
  const [mode, setMode] = useState<Mode>('agent');
  const send = (text: string) =>
    start.mutate(
      { text, mode },
      {
        onSuccess: (runId) =>
          navigate({ to: '/w/$workspaceId/agent/$runId', params: { workspaceId, runId } }),
      },
    );
  return (
    <div className="space-y-3">
      <AiBanner />
      {start.error && <Problem error={start.error} />}
      <Composer
        draftName={`agent ${workspaceId}`}
        label={t('agent.ask')}
        isBusy={start.isPending}
        disabled={health.data?.aiAvailable === false}
        onSend={send}
      >
        <select
          aria-label={t('agent.mode')}
          value={mode}
          onChange={({ target }) => setMode(target.value as Mode)}
          className="min-h-9 rounded-md bg-transparent px-2 text-sm hover:bg-sunken"
        >
          {MODES.map((each) => (
            <option key={each} value={each} className="bg-surface">
              {t(`agent.modes.${each}`)}
            </option>
          ))}
        </select>
      </Composer>
    </div>
  );
}

function RunRow({ run }: { run: Run }) {
  const { t, i18n } = useTranslation();
  return (
    <li className="relative flex items-center gap-4 px-4 py-3 hover:bg-sunken">
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$workspaceId/agent/$runId"
          params={{ workspaceId: run.workspaceId, runId: run.id }}
          className="block truncate text-sm font-medium after:absolute after:inset-0"
        >
          {run.request || t('agent.untitled')}
        </Link>
        <p className="text-xs text-muted">
          {t(kindOf(run))} · {t('agent.steps', { count: run.steps })} ·{' '}
          {formatAgo(run.createdAt, i18n.language)}
        </p>
      </div>
      <RunStatus status={run.status} />
    </li>
  );
}
