import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { formName, useFormDraft } from '../parts/draft.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { TASK_KINDS } from './configs/all-configs.ts';
import type { Config } from './configs/config-props.ts';
import { type Task, type TaskFields, type TaskType, useSaveTask, useTask } from './queries.ts';
import { zoneHere } from './schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';

export function NewTaskView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return (
    <Page>
      <TaskForm workspaceId={workspaceId} task={undefined} />
    </Page>
  );
}

export function EditTaskView() {
  const { workspaceId, taskId } = useParams({ from: '/w/$workspaceId/tasks/$taskId/edit' });
  const task = useTask(taskId);
  return (
    <Page>
      <Loaded query={task} rows={6} rowClass="h-10">
        {(data) => <TaskForm key={taskId} workspaceId={workspaceId} task={data} />}
      </Loaded>
    </Page>
  );
}

interface Draft {
  name: string;
  taskType: TaskType;
  schedule: string;
  timezone: string;
  workspaceId: string | null;
  config: Config;
  isEnabled: boolean;
}

function draftOf(task: Task | undefined, workspaceId: string): Draft {
  if (task === undefined)
    return {
      name: '',
      taskType: 'custom',
      schedule: '0 7 * * *',
      timezone: zoneHere(),
      workspaceId,
      config: {},
      isEnabled: true,
    };
  const { name, taskType, schedule, timezone, config, isEnabled } = task;
  return { name, taskType, schedule, timezone, config, isEnabled, workspaceId: task.workspaceId };
}

function TaskForm({ workspaceId, task }: { workspaceId: string; task: Task | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const save = useSaveTask(task?.id);
  const { draft, change, drop, field } = useFormDraft(
    formName('task', task, workspaceId),
    draftOf(task, workspaceId),
  );
  const { isWhole = () => true } = TASK_KINDS[draft.taskType];
  const leave = (taskId?: string) =>
    taskId === undefined
      ? navigate({ to: '/w/$workspaceId/tasks', params: { workspaceId } })
      : navigate({ to: '/w/$workspaceId/tasks/$taskId', params: { workspaceId, taskId } });
  const end = (taskId?: string) => {
    drop();
    void leave(taskId);
  };
  return (
    <Form
      onSend={() => save.mutate(draft satisfies TaskFields, { onSuccess: ({ id }) => end(id) })}
      sending={save}
      isWhole={draft.name.trim() !== '' && isWhole(draft.config)}
      action={t('tasks.save')}
      onCancel={() => end(task?.id)}
      className="space-y-5"
    >
      <PageHead title={t(task === undefined ? 'tasks.new' : 'tasks.edit')} />
      <Field label={t('tasks.name')} required maxLength={200} {...field('name')} />
      <WhatFields workspaceId={workspaceId} draft={draft} onChange={change} />
      <ScheduleFields schedule={draft.schedule} timezone={draft.timezone} onChange={change} />
      <CheckField
        label={t('tasks.isOn')}
        checked={draft.isEnabled}
        onChange={(isEnabled) => change({ isEnabled })}
      />
    </Form>
  );
}

interface FieldsProps {
  workspaceId: string;
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
}

/** The task's type and workspace. Settings of one type don't apply to another. */
function WhatFields({ workspaceId, draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const mayEverywhere = useIsAdminOfAll();
  const { Form, canBeEverywhere } = TASK_KINDS[draft.taskType];
  const choose = (taskType: string) =>
    onChange({
      taskType: taskType as TaskType,
      config: {},
      workspaceId: TASK_KINDS[taskType as TaskType].canBeEverywhere ? draft.workspaceId : workspaceId,
    });
  return (
    <>
      <SelectField
        label={t('tasks.type')}
        hint={t(`tasks.about.${draft.taskType}`)}
        value={draft.taskType}
        options={(Object.keys(TASK_KINDS) as TaskType[]).map((type) => [type, t(`tasks.types.${type}`)])}
        onChange={choose}
      />
      {mayEverywhere && canBeEverywhere && (
        <SelectField
          label={t('tasks.where')}
          value={draft.workspaceId === null ? 'all' : 'here'}
          options={[
            ['here', t('tasks.here')],
            ['all', t('tasks.everywhere')],
          ]}
          onChange={(where) => onChange({ workspaceId: where === 'all' ? null : workspaceId })}
        />
      )}
      {Form && (
        <Form workspaceId={workspaceId} config={draft.config} onChange={(config) => onChange({ config })} />
      )}
    </>
  );
}
