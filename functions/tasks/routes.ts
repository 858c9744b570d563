import * as z from 'zod';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { pageQuery } from '../../lib/records/page.ts';
import type { TaskPorts } from '../../lib/tasks/parts.ts';
import {
  createTaskSchema,
  taskParams,
  taskRunSchema,
  taskSchema,
  tasksQuery,
  updateTaskSchema,
} from '../../lib/tasks/schema.ts';
import {
  createTask,
  deleteTask,
  describeTask,
  findTask,
  listTaskRuns,
  listTasks,
  runTaskNow,
  TASK_CONFIG_ERRORS,
  TASK_ERRORS,
  updateTask,
} from '../../lib/tasks/tasks.ts';

const route = routeFor<HttpPorts & TaskPorts>();

export const taskRoutes = [
  route({
    method: 'GET',
    path: '/api/scheduled-tasks',
    operationId: 'listTasks',
    summary: 'List scheduled tasks',
    description:
      'Returns the scheduled tasks, newest first. Global tasks are included only for credentials that are not bound to workspaces.',
    access: 'viewer',
    query: tasksQuery,
    replies: { 200: z.array(taskSchema) },
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query, caller }, { records }) =>
      replyPage(await listTasks(records, caller, workspace, query)),
  }),
  route({
    method: 'POST',
    path: '/api/scheduled-tasks',
    operationId: 'createTask',
    summary: 'Create a scheduled task',
    description:
      'Only administrators can create a global task. If scheduled runs were missed, one run makes up for all of them. If a time is skipped by the change to daylight saving time, the task runs at the change; if a time occurs twice, it runs the first time.',
    access: 'member',
    body: createTaskSchema,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      name: 'Every morning',
      taskType: 'daily_report',
      schedule: '0 7 * * *',
      timezone: 'Europe/Berlin',
    },
    replies: { 201: taskSchema },
    errors: [...TASK_CONFIG_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await createTask(ports, caller, workspace, body)),
  }),
  route({
    method: 'GET',
    path: '/api/scheduled-tasks/{taskId}',
    operationId: 'getTask',
    summary: 'Get a scheduled task',
    access: 'viewer',
    params: taskParams,
    replies: { 200: taskSchema },
    errors: [...TASK_ERRORS],
    handle: async ({ params, caller }, { records }) =>
      reply(200, describeTask(await findTask(records, caller, params.taskId))),
  }),
  route({
    method: 'PUT',
    path: '/api/scheduled-tasks/{taskId}',
    operationId: 'updateTask',
    summary: 'Update a scheduled task',
    description: 'Changes only the fields that you send.',
    access: 'member',
    params: taskParams,
    body: updateTaskSchema,
    example: { schedule: '0 8 * * 1-5' },
    replies: { 200: taskSchema },
    errors: [...TASK_CONFIG_ERRORS, ...TASK_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, params, body, caller }, ports) =>
      reply(200, await updateTask(ports, caller, params.taskId, { ...body, workspace })),
  }),
  route({
    method: 'DELETE',
    path: '/api/scheduled-tasks/{taskId}',
    operationId: 'deleteTask',
    summary: 'Delete a scheduled task',
    description: 'A run in progress is not stopped.',
    access: 'member',
    params: taskParams,
    audit: 'tasks.delete',
    replies: { 200: deletedSchema },
    errors: [...TASK_ERRORS],
    async handle({ params, caller }, { records }) {
      await deleteTask(records, caller, params.taskId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/scheduled-tasks/{taskId}/runs',
    operationId: 'listTaskRuns',
    summary: 'List the runs of a scheduled task',
    description: 'Returns the runs of the last 30 days, newest first.',
    access: 'viewer',
    params: taskParams,
    query: pageQuery,
    replies: { 200: z.array(taskRunSchema) },
    errors: [...TASK_ERRORS],
    handle: async ({ params, query, caller }, { records }) =>
      replyPage(await listTaskRuns(records, caller, params.taskId, query)),
  }),
  route({
    method: 'POST',
    path: '/api/scheduled-tasks/{taskId}/run',
    operationId: 'runTask',
    summary: 'Run a scheduled task now',
    description: 'Follow the run with `GET /api/scheduled-tasks/{taskId}/runs`.',
    access: 'member',
    params: taskParams,
    replies: { 202: z.strictObject({ runId: z.uuid() }) },
    errors: [...TASK_ERRORS, 'task_already_running'],
    handle: async ({ params, caller }, ports) =>
      reply(202, { runId: await runTaskNow(ports, caller, params.taskId) }),
  }),
];
