import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TOOL_NAMES, type ToolName } from '../../lib/api-contract/tool-names.ts';
import { useIsAdminOfAll } from '../access/role.ts';
import { type FormDraft, formName, useFormDraft } from '../parts/draft.ts';
import { CheckField, Field, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { ParameterEditor } from './parameter-editor.tsx';
import { type Skill, type SkillParameter, useSaveSkill, useSkill } from './queries.ts';

export function NewSkillView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return (
    <Page>
      <SkillForm workspaceId={workspaceId} skill={undefined} />
    </Page>
  );
}

export function EditSkillView() {
  const { workspaceId, skillId } = useParams({ from: '/w/$workspaceId/skills/$skillId/edit' });
  const skill = useSkill(skillId);
  return (
    <Page>
      <Loaded query={skill} rows={6} rowClass="h-10">
        {(data) => <SkillForm key={skillId} workspaceId={workspaceId} skill={data} />}
      </Loaded>
    </Page>
  );
}

interface Draft {
  name: string;
  description: string;
  systemPrompt: string;
  /** The steps, one per line. */
  steps: string;
  allowedTools: ToolName[] | null;
  parameters: SkillParameter[];
  isForAll: boolean;
}

function draftOf(skill: Skill | undefined): Draft {
  return {
    name: skill?.name ?? '',
    description: skill?.description ?? '',
    systemPrompt: skill?.systemPrompt ?? '',
    steps:
      skill?.steps.map(({ instruction }) => instruction.replace(/(?<!\s)\s*\n\s*/g, ' ')).join('\n') ?? '',
    allowedTools: (skill?.allowedTools ?? null) as ToolName[] | null,
    parameters: skill?.parameters ?? [],
    isForAll: skill !== undefined && skill.workspaceId === null,
  };
}

/** Returns the steps; a step with unchanged text keeps its hint. */
function stepsOf(text: string, skill: Skill | undefined): Skill['steps'] {
  const known = new Map(
    skill?.steps.map((step) => [step.instruction.replace(/(?<!\s)\s*\n\s*/g, ' '), step]),
  );
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => known.get(line) ?? { instruction: line });
}

function SkillForm({ workspaceId, skill }: { workspaceId: string; skill: Skill | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { draft, change, drop, field } = useFormDraft(formName('skill', skill, workspaceId), draftOf(skill));
  const save = useSaveSkill(draft.isForAll ? null : workspaceId, skill?.id);
  const end = (skillId?: string) => {
    drop();
    if (skillId === undefined) void navigate({ to: '/w/$workspaceId/skills', params: { workspaceId } });
    else void navigate({ to: '/w/$workspaceId/skills/$skillId', params: { workspaceId, skillId } });
  };
  const send = () => {
    const { isForAll: _, steps, ...fields } = draft;
    save.mutate({ ...fields, steps: stepsOf(steps, skill) }, { onSuccess: ({ id }) => end(id) });
  };
  return (
    <Form
      onSend={send}
      sending={save}
      isWhole={draft.name.trim() !== '' && draft.systemPrompt.trim() !== ''}
      action={t('skills.save')}
      onCancel={() => end(skill?.id)}
      className="space-y-5"
    >
      <PageHead title={t(skill === undefined ? 'skills.new' : 'skills.edit')} />
      <TextFields field={field} />
      <ParameterEditor parameters={draft.parameters} onChange={(parameters) => change({ parameters })} />
      <Tools allowed={draft.allowedTools} onChange={(allowedTools) => change({ allowedTools })} />
      {skill === undefined && (
        <ForAll checked={draft.isForAll} onChange={(isForAll) => change({ isForAll })} />
      )}
    </Form>
  );
}

function TextFields({ field }: Pick<FormDraft<Draft>, 'field'>) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t('skills.name')} required maxLength={200} {...field('name')} />
      <TextArea
        label={t('skills.description')}
        hint={t('skills.descriptionHint')}
        rows={2}
        maxLength={4000}
        {...field('description')}
      />
      <TextArea
        label={t('skills.prompt')}
        hint={t('skills.promptHint', { example: '{{name}}' })}
        rows={10}
        required
        maxLength={100_000}
        className="font-mono"
        {...field('systemPrompt')}
      />
      <TextArea label={t('skills.steps')} hint={t('skills.stepsHint')} rows={4} {...field('steps')} />
    </>
  );
}

function ForAll({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { t } = useTranslation();
  const mayEverywhere = useIsAdminOfAll();
  return mayEverywhere && <CheckField label={t('skills.forAll')} checked={checked} onChange={onChange} />;
}

interface ToolsProps {
  allowed: ToolName[] | null;
  onChange: (allowed: ToolName[] | null) => void;
}

function Tools({ allowed, onChange }: ToolsProps) {
  const { t } = useTranslation();
  const put = (tool: ToolName, isAllowed: boolean) =>
    onChange(TOOL_NAMES.filter((each) => (each === tool ? isAllowed : allowed?.includes(each))));
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('skills.tools')}</legend>
      <CheckField
        label={t('skills.allTools')}
        checked={allowed === null}
        onChange={(all) => onChange(all ? null : [])}
      />
      {allowed !== null && (
        <div className="grid grid-cols-2 sm:grid-cols-3">
          {TOOL_NAMES.map((tool) => (
            <CheckField
              key={tool}
              label={tool}
              checked={allowed.includes(tool)}
              onChange={(isAllowed) => put(tool, isAllowed)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
