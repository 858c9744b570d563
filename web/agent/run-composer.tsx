import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MODES, type Mode } from '../../lib/api-contract/runs.ts';
import { useMe } from '../access/role.ts';
import { Composer } from '../chat/composer.tsx';
import { type JudgeChoice, JudgeSelect, judgeField } from '../chat/judge-choice.tsx';
import { type ModelChoice, ModelSelect } from '../chat/model-choice.tsx';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { SettingsLink } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { useModelFacts } from '../settings/use-models.ts';
import { AskChoice } from './ask-choice.tsx';
import type { ChosenSkill, RunOptions } from './queries.ts';

/** The modes that viewers may use. */
const READING: Mode[] = ['plan', 'ask'];

/** Choices next to the request's text; the text has its own draft. */
interface Draft {
  mode: Mode;
  skill: ChosenSkill | undefined;
  judge: JudgeChoice;
  model: ModelChoice | undefined;
}

export type RunChoices = ReturnType<typeof useRunChoices>;

/** Returns the choices in a form for requests, stored under this name. */
export function useRunChoices(workspaceId: string, name: string, initial: Mode) {
  // All modes are offered until the caller is known, because the service refuses forbidden ones.
  const modes = useMe(workspaceId).data?.role === 'viewer' ? READING : MODES;
  const form = useFormDraft<Draft>(name, {
    mode: initial,
    skill: undefined,
    judge: '',
    model: undefined,
  });
  const { draft } = form;
  const mode = modes.includes(draft.mode) ? draft.mode : 'plan';
  const options: RunOptions = { mode, ...draft.skill, ...draft.model, ...judgeField(draft.judge) };
  return { ...form, modes, mode, options };
}

interface Props {
  workspaceId: string;
  choices: RunChoices;
  /** The name of the text's draft. */
  draftName: string;
  label: string;
  isBusy: boolean;
  onSend: (text: string) => void;
  /** Present while a run works. Texts are then sent to that run. */
  onStop?: (() => void) | undefined;
  above?: ReactNode;
}

/** The text box for a request, with its mode, model, and judge. */
export function RunComposer({ workspaceId, choices, onStop, ...box }: Props) {
  const { t } = useTranslation();
  const { aiAvailable } = useHealth().data ?? {};
  const { draft, change, mode, modes } = choices;
  return (
    <Composer {...box} {...(onStop && { onStop, sendsWhileBusy: true })} disabled={aiAvailable === false}>
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        {onStop ? (
          <span className="px-2 text-xs text-muted">{t('agent.steerHint')}</span>
        ) : (
          <div className="flex flex-wrap items-center">
            <ModeSelect mode={mode} modes={modes} onChange={(chosen) => change({ mode: chosen })} />
            {aiAvailable && (
              <>
                <ModelSelect chosen={draft.model} onChoose={(model) => change({ model })} />
                <JudgeSelect
                  workspaceId={workspaceId}
                  chosen={draft.judge}
                  onChoose={(judge) => change({ judge })}
                />
              </>
            )}
          </div>
        )}
        {mode === 'agent' && <AskChoice workspaceId={workspaceId} />}
      </div>
    </Composer>
  );
}

/** Approximate tokens of a step: its rules, its tools, and earlier results. */
const STEP_TOKENS = 6000;

/** Tokens of the smallest window for mode agent, as in the guide on local models. */
const LEAST_WINDOW = 8192;

/**
 * Warns before a run: a model without tools or space can answer questions but not act, and a slow model reads for
 * minutes.
 */
export function ModelLimits({ draft: { model }, mode }: RunChoices) {
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
