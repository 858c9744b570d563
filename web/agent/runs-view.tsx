import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RUN_STATUSES } from '../../lib/api-contract/runs.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { AskState } from './ask-choice.tsx';
import { type Run, useStartRun } from './queries.ts';
import { ModelLimits, RunComposer, useRunChoices } from './run-composer.tsx';
import { RunList } from './run-list.tsx';
import { useRunsOfKind } from './runs-of-kind.ts';
import { SkillChoice } from './skill-choice.tsx';

export function RunsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { status } = useSearch({ from: '/w/$workspaceId/agent' });
  const runs = useRunsOfKind(workspaceId, 'agent', status);
  const none = status ? 'noneSuch' : 'none';
  return (
    <Page>
      <PageHead title={t('shell.agent')} note={t('agent.note')} />
      <NewRun workspaceId={workspaceId} />
      <section aria-label={t('agent.runs')} className="mt-8">
        {(status !== undefined || runs.data?.length !== 0) && <StatusFilter chosen={status} />}
        <Loaded
          query={runs}
          rowClass="h-14"
          empty={<EmptyState icon="agent" title={t(`agent.${none}`)} next={t(`agent.${none}Next`)} />}
        >
          {(items) => <RunList runs={items} />}
        </Loaded>
      </section>
    </Page>
  );
}

function StatusFilter({ chosen }: { chosen: Run['status'] | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/agent' });
  const choose = (status: string) =>
    void navigate({ search: { status: RUN_STATUSES.find((each) => each === status) } });
  return (
    <label className="mb-3 flex items-center justify-end gap-2 text-sm text-muted">
      {t('agent.statuses')}
      <select
        value={chosen ?? ''}
        onChange={({ target }) => choose(target.value)}
        className="min-h-9 rounded-md border border-line bg-surface px-2 text-ink"
      >
        <option value="">{t('agent.all')}</option>
        {RUN_STATUSES.map((status) => (
          <option key={status} value={status}>
            {t(`agent.status.${status}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

function NewRun({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const start = useStartRun(workspaceId);
  const choices = useRunChoices(workspaceId, `new run ${workspaceId}`, 'agent');
  const { draft, change, mode, options, drop } = choices;
  const open = (runId: string) => {
    drop();
    void navigate({ to: '/w/$workspaceId/agent/$runId', params: { workspaceId, runId } });
  };
  return (
    <div className="space-y-3">
      <AiBanner />
      <Problem error={start.error} />
      <SkillChoice workspaceId={workspaceId} chosen={draft.skill} onChoose={(skill) => change({ skill })} />
      <ModelLimits {...choices} />
      <AskState workspaceId={workspaceId} isReading={mode !== 'agent'} />
      <RunComposer
        workspaceId={workspaceId}
        choices={choices}
        draftName={`agent ${workspaceId}`}
        label={t('agent.ask')}
        isBusy={start.isPending}
        onSend={(text) => start.mutate({ text, ...options }, { onSuccess: open })}
      />
    </div>
  );
}
