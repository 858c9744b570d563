import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MODES, type Mode, RUN_STATUSES } from '../../lib/api-contract/runs.ts';
import { useMe } from '../access/role.ts';
import { Composer } from '../chat/composer.tsx';
import { type JudgeChoice, JudgeSelect, judgeField } from '../chat/judge-choice.tsx';
import { type ModelChoice, ModelSelect } from '../chat/model-choice.tsx';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner, SettingsLink } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { useModelFacts } from '../settings/use-models.ts';
import { PageHead } from '../shell/page-head.tsx';
import { AskChoice, AskState } from './ask-choice.tsx';
import { type ChosenSkill, type Run, useStartRun } from './queries.ts';
import { RunList } from './run-list.tsx';
import { useRunsOfKind } from './runs-of-kind.ts';
import { SkillChoice } from './skill-choice.tsx';

/** The modes that viewers may use. */
const READING: Mode[] = ['plan', 'ask'];

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

/** Choices next to the request's text; the text has its own draft. */
interface Draft {
  mode: Mode;
  skill: ChosenSkill | undefined;
  judge: JudgeChoice;
  model: ModelChoice | undefined;
}

/** Approximate tokens of a step: its rules, its tools, and earlier results. */
const STEP_TOKENS = 6000;

/** Tokens of the smallest window for mode agent, as in the guide on local models. */
const LEAST_WINDOW = 8192;

/**
 * Warns before a run: a model without tools or space can answer questions but not act, and a slow model reads for
 * minutes.
 */
function ModelLimits({ model, mode }: Pick<Draft, 'model' | 'mode'>) {
  const { t, i18n } = useTranslation();
  const { capabilities, contextTokens } = useModelFacts(model) ?? {};
  const { tools, readTokensPerSecond: reads } = capabilities ?? {};
  const isSmall = mode === 'agent' && contextTokens !== undefined && contextTokens < LEAST_WINDOW;
  const [tokens, least] = [contextTokens, LEAST_WINDOW].map((each) => each?.toLocaleString(i18n.language));
  if (tools === false || isSmall)
    return (
      <Banner look="warn">
        {isSmall && `${t('agent.smallWindow', { tokens, least })} `}
        {tools === false && `${t('agent.noTools')} `}
        <SettingsLink />
      </Banner>
    );
  const count = Math.round(STEP_TOKENS / (reads ?? Number.POSITIVE_INFINITY) / 60);
  return count < 1 ? null : <Banner look="calm">{t('agent.slowModel', { count })}</Banner>;
}

function NewRun({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const health = useHealth();
  const start = useStartRun(workspaceId);
  // Every mode is offered until the caller is known, because the service refuses forbidden ones.
  const modes = useMe(workspaceId).data?.role === 'viewer' ? READING : MODES;
  const { draft, change, drop } = useFormDraft<Draft>(`new run ${workspaceId}`, {
    mode: 'agent',
    skill: undefined,
    judge: '',
    model: undefined,
  });
  const mode = modes.includes(draft.mode) ? draft.mode : 'plan';
  const send = (text: string) =>
    start.mutate(
      { text, mode, ...draft.skill, ...draft.model, ...judgeField(draft.judge) },
      {
        onSuccess: (runId) => {
          drop();
          void navigate({ to: '/w/$workspaceId/agent/$runId', params: { workspaceId, runId } });
        },
      },
    );
  return (
    <div className="space-y-3">
      <AiBanner />
      <Problem error={start.error} />
      <SkillChoice workspaceId={workspaceId} chosen={draft.skill} onChoose={(skill) => change({ skill })} />
      <ModelLimits model={draft.model} mode={mode} />
      <AskState workspaceId={workspaceId} isReading={mode !== 'agent'} />
      <Composer
        draftName={`agent ${workspaceId}`}
        label={t('agent.ask')}
        isBusy={start.isPending}
        disabled={health.data?.aiAvailable === false}
        onSend={send}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-2">
          <div className="flex flex-wrap items-center">
            <ModeSelect mode={mode} modes={modes} onChange={(chosen) => change({ mode: chosen })} />
            {health.data?.aiAvailable && (
              <ModelSelect chosen={draft.model} onChoose={(model) => change({ model })} />
            )}
            {health.data?.aiAvailable && (
              <JudgeSelect
                workspaceId={workspaceId}
                chosen={draft.judge}
                onChoose={(judge) => change({ judge })}
              />
            )}
          </div>
          {mode === 'agent' && <AskChoice workspaceId={workspaceId} />}
        </div>
      </Composer>
    </div>
  );
}

interface ModeProps {
  mode: Mode;
  modes: readonly Mode[];
  onChange: (mode: Mode) => void;
}

function ModeSelect({ mode, modes, onChange }: ModeProps) {
  const { t } = useTranslation();
  return (
    <select
      aria-label={t('agent.mode')}
      value={mode}
      onChange={({ target }) => onChange(target.value as Mode)}
      className="min-h-9 rounded-md bg-transparent px-2 text-sm hover:bg-sunken"
    >
      {modes.map((each) => (
        <option key={each} value={each} className="bg-surface">
          {t(`agent.modes.${each}`)}
        </option>
      ))}
    </select>
  );
}
