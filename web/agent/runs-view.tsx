import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Composer } from '../chat/composer.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { type Mode, useRuns, useStartRun } from './queries.ts';
import { RunList } from './run-list.tsx';

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
          {runs.data && runs.data.length > 0 && <RunList runs={runs.data} />}
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
