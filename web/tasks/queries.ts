import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useIsAdminOfAll } from '../access/role.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Task = Schemas['ScheduledTask'];
export type TaskType = Task['taskType'];
export type TaskRun = Schemas['TaskRun'];
export type TaskFields = Schemas['CreateTask'];

const POLL_MS = 2_000;
const LISTED = 200;
const RUNS_LISTED = 50;

/** Returns the workspace's tasks and, for global administrators, those of every workspace. */
export function useTasks(workspaceId: string) {
  const seesGlobal = useIsAdminOfAll();
  return useQuery({
    queryKey: ['tasks', workspaceId, seesGlobal],
    queryFn: async () => {
      const own = take(
        api.GET('/api/scheduled-tasks', { params: { query: { workspaceId, limit: LISTED } } }),
      );
      const all = seesGlobal
        ? take(api.GET('/api/scheduled-tasks', { params: { query: { limit: LISTED } } }))
        : [];
      return [...(await own), ...(await all).filter((task) => task.workspaceId === null)];
    },
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_MS : false),
  });
}

export function useTask(taskId: string) {
  return useQuery({
    queryKey: ['task', taskId],
    queryFn: () => take(api.GET('/api/scheduled-tasks/{taskId}', { params: { path: { taskId } } })),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  });
}

function isRunning({ lastRunStatus }: Task): boolean {
  return lastRunStatus === 'running';
}

export function useTaskRuns(taskId: string) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['task', taskId, 'runs'],
    queryFn: async () => {
      const query = { limit: RUNS_LISTED };
      const runs = await take(
        api.GET('/api/scheduled-tasks/{taskId}/runs', { params: { path: { taskId }, query } }),
      );
      if (!runs.some(isOpen)) await queries.invalidateQueries({ queryKey: ['task', taskId], exact: true });
      return runs;
    },
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? POLL_MS : false),
  });
}

function isOpen({ status }: TaskRun): boolean {
  return status === 'waiting' || status === 'running';
}

export function useSaveTask(taskId: string | undefined) {
  return useChange(
    { rereads: [['tasks']], stores: (task) => [['task', task.id], task] },
    (body: TaskFields) =>
      taskId === undefined
        ? take(api.POST('/api/scheduled-tasks', { body }))
        : take(api.PUT('/api/scheduled-tasks/{taskId}', { params: { path: { taskId } }, body })),
  );
}

export function useChangeTask(taskId: string) {
  return useChange({ stores: (task) => [['task', taskId], task] }, (body: Partial<TaskFields>) =>
    take(api.PUT('/api/scheduled-tasks/{taskId}', { params: { path: { taskId } }, body })),
  );
}

export function useRunTask(taskId: string) {
  return useChange({ rereads: [['task', taskId]], evenIfRefused: true }, () =>
    take(api.POST('/api/scheduled-tasks/{taskId}/run', { params: { path: { taskId } } })),
  );
}

export function useDeleteTask() {
  return useChange({ rereads: [['tasks']] }, (taskId: string) =>
    take(api.DELETE('/api/scheduled-tasks/{taskId}', { params: { path: { taskId } } })),
  );
}
