import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MODES, type Mode } from '../../lib/api-contract/runs.ts';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { useStartRun } from '../agent/queries.ts';
import { BackLink } from '../parts/back-link.tsx';
import { IconButton, LinkButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { FactList } from '../parts/fact-list.tsx';
import { SelectField, SwitchField, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { isBuiltIn } from './built-in-text.ts';
import { missingParams, ParamFields, type ParamValues } from './param-fields.tsx';
import { exportSkill, type Skill, useDeleteSkill, useEnableSkill, useSkill } from './queries.ts';

export function SkillView() {
  const { t } = useTranslation();
  const { workspaceId, skillId } = useParams({ from: '/w/$workspaceId/skills/$skillId' });
  const skill = useSkill(skillId);
  const mayRun = useMay('member', workspaceId);
  return (
    <Page>
      <BackLink to="/w/$workspaceId/skills" params={{ workspaceId }}>
        {t('shell.skills')}
      </BackLink>
      <Loaded query={skill} rows={6}>
        {(data) => (
          <>
            <SkillHead workspaceId={workspaceId} skill={data} />
            {mayRun && data.isEnabled && <RunSkill workspaceId={workspaceId} skill={data} />}
            <SkillText skill={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  workspaceId: string;
  skill: Skill;
}

function useMayChange({ workspaceId, skill }: Props): boolean {
  const mayHere = useMay('member', workspaceId);
  const mayEverywhere = useIsAdminOfAll();
  return !isBuiltIn(skill) && (skill.workspaceId === null ? mayEverywhere : mayHere);
}

function SkillHead({ workspaceId, skill }: Props) {
  const { t } = useTranslation();
  const mayChange = useMayChange({ workspaceId, skill });
  const [isLeaving, setLeaving] = useState(false);
  const enable = useEnableSkill(skill.id);
  const place = skill.workspaceId === null ? 'everywhere' : 'here';
  return (
    <>
      <PageHead
        title={skill.name}
        isContent
        note={t(isBuiltIn(skill) ? 'skills.builtIn' : `skills.${place}`)}
        actions={
          <>
            <IconButton icon="download" label={t('skills.export')} onClick={() => void exportSkill(skill)} />
            {mayChange && (
              <>
                <IconButton icon="trash" label={t('skills.delete')} onClick={() => setLeaving(true)} />
                <LinkButton
                  icon="edit"
                  to="/w/$workspaceId/skills/$skillId/edit"
                  params={{ workspaceId, skillId: skill.id }}
                >
                  {t('skills.edit')}
                </LinkButton>
              </>
            )}
          </>
        }
      />
      <p data-user-content className="break-words whitespace-pre-wrap">
        {skill.description}
      </p>
      {mayChange && (
        <SwitchField label={t('skills.isOn')} value={skill.isEnabled} onChange={enable.mutateAsync} />
      )}
      <Problem error={enable.error} />
      {isLeaving && <DeleteSkill workspaceId={workspaceId} skill={skill} onClose={() => setLeaving(false)} />}
    </>
  );
}

function DeleteSkill({ workspaceId, skill, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteSkill();
  const leave = () => navigate({ to: '/w/$workspaceId/skills', params: { workspaceId } });
  return (
    <ConfirmDialog
      title={t('skills.deleteTitle', { name: skill.name })}
      note={t('skills.deleteNote')}
      action={t('skills.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(skill.id, { onSuccess: leave })}
      onClose={onClose}
    />
  );
}

interface RunDraft {
  text: string;
  mode: Mode;
  values: ParamValues;
}

/** Returns the start of a run with the skill; the run opens when it has started. */
function useSkillRun({ workspaceId, skill }: Props) {
  const navigate = useNavigate();
  const start = useStartRun(workspaceId);
  const initial: RunDraft = { text: '', mode: 'agent', values: {} };
  const { draft, change, drop, field } = useFormDraft(`skill run ${workspaceId} ${skill.id}`, initial);
  const run = () => {
    start.mutate(
      { text: draft.text.trim(), mode: draft.mode, skillId: skill.id, paramValues: draft.values },
      {
        onSuccess: (runId) => {
          drop();
          void navigate({ to: '/w/$workspaceId/agent/$runId', params: { workspaceId, runId } });
        },
      },
    );
  };
  return { start, draft, change, field, run };
}

/** Starts an agent run with the skill; asks for its parameters first. */
function RunSkill({ workspaceId, skill }: Props) {
  const { t } = useTranslation();
  const { start, draft, change, field, run } = useSkillRun({ workspaceId, skill });
  const hasAi = useHealth().data?.aiAvailable !== false;
  const missing = missingParams(skill.parameters, draft.values);
  return (
    <Card title={t('skills.run')}>
      <AiBanner />
      <Form
        onSend={run}
        sending={start}
        isWhole={hasAi && missing.length === 0 && draft.text.trim() !== ''}
        action={t('skills.run')}
        icon="play"
      >
        <ParamFields
          parameters={skill.parameters}
          values={draft.values}
          onChange={(values) => change({ values })}
        />
        <TextArea label={t('agent.ask')} rows={2} required {...field('text')} />
        <SelectField
          label={t('agent.mode')}
          options={MODES.map((mode) => [mode, t(`agent.modes.${mode}`)])}
          {...field('mode')}
        />
      </Form>
    </Card>
  );
}

/** The skill's text for the agent. It may have any author, so it's shown unformatted. */
function SkillText({ skill }: { skill: Skill }) {
  const { t } = useTranslation();
  const { systemPrompt, steps, parameters, allowedTools } = skill;
  return (
    <>
      <Card title={t('skills.prompt')}>
        <ScrollRegion
          data-user-content
          label={t('skills.prompt')}
          className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
        >
          {systemPrompt}
        </ScrollRegion>
        {steps.length > 0 && (
          <ol data-user-content className="mt-4 list-decimal space-y-1.5 pl-5 text-sm">
            {steps.map(({ instruction, toolHint }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
              <li key={place} className="break-words whitespace-pre-wrap">
                {instruction}
                {toolHint && <span className="text-muted"> ({toolHint})</span>}
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title={t('skills.facts')}>
        <FactList
          facts={[
            [t('skills.tools'), allowedTools === null ? t('skills.allTools') : allowedTools.join(', ')],
            [
              t('skills.parameters'),
              parameters.map(({ name, label }) => `${label} ({{${name}}})`).join('\n') ||
                t('skills.noParameters'),
            ],
          ]}
        />
      </Card>
    </>
  );
}
