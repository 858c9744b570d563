import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton, LinkButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { SwitchField } from '../parts/field.tsx';
import { Loaded, LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { PageHead } from '../shell/page-head.tsx';
import {
  type Task,
  type TaskRun,
  useChangeTask,
  useDeleteTask,
  useRunTask,
  useTask,
  useTaskRuns,
} from './queries.ts';
import { wordSchedule } from './schedule-words.ts';
import { TaskStatus } from './task-status.tsx';
import { formatSlot } from './when.ts';

export function TaskView() {
  const { t } = useTranslation();
  const { workspaceId, taskId } = useParams({ from: '/w/$workspaceId/tasks/$taskId' });
  const task = useTask(taskId);
  return (
    <Page>
      <BackLink to="/w/$workspaceId/tasks" params={{ workspaceId }}>
        {t('shell.tasks')}
      </BackLink>
      <Loaded query={task} rows={5}>
        {(data) => (
          <>
            <TaskHead workspaceId={workspaceId} task={data} />
            <TaskFacts task={data} />
          </>
        )}
      </Loaded>
      <History workspaceId={workspaceId} taskId={taskId} />
    </Page>
  );
}

function useMayChange(workspaceId: string, task: Task): boolean {
  const mayHere = useMay('member', workspaceId);
  const mayEverywhere = useIsAdminOfAll();
  return task.workspaceId === null ? mayEverywhere : mayHere;
}

function TaskHead({ workspaceId, task }: { workspaceId: string; task: Task }) {
  const { t } = useTranslation();
  const mayChange = useMayChange(workspaceId, task);
  const [isLeaving, setLeaving] = useState(false);
  const run = useRunTask(task.id);
  return (
    <>
      <PageHead
        title={task.name}
        isContent
        note={t(`tasks.types.${task.taskType}`)}
        actions={
          mayChange && (
            <>
              <IconButton icon="trash" label={t('tasks.delete')} onClick={() => setLeaving(true)} />
              <Button icon="play" disabled={run.isPending} onClick={() => run.mutate()}>
                {t('tasks.runNow')}
              </Button>
              <LinkButton
                icon="edit"
                to="/w/$workspaceId/tasks/$taskId/edit"
                params={{ workspaceId, taskId: task.id }}
              >
                {t('tasks.edit')}
              </LinkButton>
            </>
          )
        }
      />
      <Problem error={run.error} />
      {isLeaving && <DeleteTask workspaceId={workspaceId} task={task} onClose={() => setLeaving(false)} />}
    </>
  );
}

function DeleteTask({
  workspaceId,
  task,
  onClose,
}: {
  workspaceId: string;
  task: Task;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteTask();
  const leave = () => navigate({ to: '/w/$workspaceId/tasks', params: { workspaceId } });
  return (
    <ConfirmDialog
      title={t('tasks.deleteTitle', { name: task.name })}
      note={t('tasks.deleteNote')}
      action={t('tasks.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(task.id, { onSuccess: leave })}
      onClose={onClose}
    />
  );
}

function TaskFacts({ task }: { task: Task }) {
  const { t, i18n } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayChange = useMayChange(workspaceId, task);
  const change = useChangeTask(task.id);
  const { schedule, timezone, nextRunAt, config } = task;
  const next = nextRunAt === null ? t('tasks.off') : formatSlot(nextRunAt, timezone, i18n.language);
  const words = wordSchedule(schedule, t, i18n.language);
  const prompt = typeof config.prompt === 'string' ? config.prompt : undefined;
  return (
    <>
      {task.lastRunError !== null && (
        <Banner look="danger">
          <ServiceText text={task.lastRunError} label={t('tasks.lastRunFailed')} />
        </Banner>
      )}
      <FactList
        facts={[
          [t('tasks.nextRun'), next],
          [t('tasks.when'), words === undefined ? `${schedule} (${timezone})` : `${words} (${timezone})`],
          [t('tasks.where'), t(task.workspaceId === null ? 'tasks.everywhere' : 'tasks.here')],
          ...(prompt === undefined ? [] : [[t('tasks.prompt'), prompt] as [string, string]]),
        ]}
      />
      {mayChange && (
        <SwitchField
          label={t('tasks.isOn')}
          value={task.isEnabled}
          onChange={(isEnabled) => change.mutateAsync({ isEnabled })}
        />
      )}
      <Problem error={change.error} />
    </>
  );
}

function History({ workspaceId, taskId }: { workspaceId: string; taskId: string }) {
  const { t } = useTranslation();
  const runs = useTaskRuns(taskId);
  return (
    <Card title={t('tasks.history')}>
      <LoadedRows
        query={runs}
        rows={0}
        empty={<p className="text-sm text-muted">{t('tasks.neverRan')}</p>}
        label={t('tasks.history')}
      >
        {(run) => <RunRow key={run.id} workspaceId={workspaceId} run={run} />}
      </LoadedRows>
    </Card>
  );
}

function RunRow({ workspaceId, run }: { workspaceId: string; run: TaskRun }) {
  const { t, i18n } = useTranslation();
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const { noteId, workspaces } = run;
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-52 text-sm">
        <p className="font-medium">
          {when.format(new Date(run.scheduledFor))}
          <span className="font-normal text-muted"> · {t(`tasks.trigger.${run.trigger}`)}</span>
        </p>
        <div className="break-words text-muted">
          <ServiceText text={run.error ?? run.summary ?? ''} />
        </div>
        {workspaces && (
          <p className="text-xs text-muted">
            {t('tasks.workspaces', {
              done: workspaces.done,
              total: workspaces.total,
              failed: workspaces.failed,
            })}
          </p>
        )}
      </div>
      {noteId !== null && (
        <Link
          to="/w/$workspaceId/notes/$noteId"
          params={{ workspaceId, noteId }}
          className="inline-flex min-h-9 items-center text-sm text-accent underline"
        >
          {t('tasks.toNote')}
        </Link>
      )}
      <TaskStatus status={run.status} />
    </Row>
  );
}
