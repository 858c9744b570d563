import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { LinkButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row, WHOLE_ROW } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type Task, useTasks } from './queries.ts';
import { TaskStatus } from './task-status.tsx';
import { formatSlot } from './when.ts';

export function TasksView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayWrite = useMay('member', workspaceId);
  const tasks = useTasks(workspaceId);
  return (
    <Page>
      <PageHead
        title={t('shell.tasks')}
        note={t('tasks.note')}
        actions={
          mayWrite && (
            <LinkButton icon="plus" to="/w/$workspaceId/tasks/new" params={{ workspaceId }}>
              {t('tasks.new')}
            </LinkButton>
          )
        }
      />
      <LoadedRows
        query={tasks}
        rows={3}
        rowClass="h-16"
        empty={<EmptyState icon="task" title={t('tasks.none')} next={t('tasks.noneNext')} />}
        label={t('shell.tasks')}
      >
        {(task) => <TaskRow key={task.id} workspaceId={workspaceId} task={task} />}
      </LoadedRows>
    </Page>
  );
}

function TaskRow({ workspaceId, task }: { workspaceId: string; task: Task }) {
  const { t, i18n } = useTranslation();
  const { id: taskId, name, taskType, timezone, nextRunAt, lastRunStatus } = task;
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-52">
        <Link
          to="/w/$workspaceId/tasks/$taskId"
          params={{ workspaceId, taskId }}
          data-user-content
          className={WHOLE_ROW}
        >
          {name}
        </Link>
        <p className="text-xs text-muted">
          {t(`tasks.types.${taskType}`)}
          {task.workspaceId === null && ` · ${t('tasks.everywhere')}`}
          {nextRunAt !== null &&
            ` · ${t('tasks.next', { time: formatSlot(nextRunAt, timezone, i18n.language) })}`}
        </p>
      </div>
      {!task.isEnabled && (
        <Badge icon="pause" look={task.stoppedAt ? 'warn' : 'calm'}>
          {t(task.stoppedAt ? 'tasks.stopped' : 'tasks.off')}
        </Badge>
      )}
      {lastRunStatus !== null && <TaskStatus status={lastRunStatus} />}
    </Row>
  );
}
