import * as z from 'zod';
import { callerSchema } from '../access/caller.ts';
import { agentBody } from '../agent/request-schema.ts';
import { pastedWord } from '../api-contract/pasted.ts';
import { derivedId, idSchema } from '../identifiers.ts';
import { grantSchema, MAX_RULES } from '../permissions/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { researchWish } from '../research/request-schema.ts';
import { modeSchema } from '../runs/schema.ts';
import { isTimeZone, scheduleProblem } from './schedule.ts';

export const taskTypeSchema = z
  .enum(['daily_report', 'weekly_report', 'git_sync', 'source_sync', 'custom'])
  .meta({ title: 'TaskType' });
export type TaskType = z.infer<typeof taskTypeSchema>;

const reportConfig = z.strictObject({
  day: z.enum(['yesterday', 'today']).default('yesterday'),
  locale: z.string().min(1).max(20).optional(),
});
const customConfig = z.strictObject({
  prompt: z.string().trim().min(1).max(100_000),
  mode: modeSchema.default('agent'),
  skillId: idSchema.optional(),
  params: agentBody.shape.paramValues,
  permits: z.array(grantSchema).max(MAX_RULES).optional(),
});

/**
 * The configuration of a custom task that keeps a report up to date, instead of running a prompt. It runs unattended, so there
 * is no plan to approve.
 */
export const watchConfig = z.strictObject({
  research: researchWish.omit({ approvePlan: true }),
});
export type WatchConfig = z.infer<typeof watchConfig>;

/** Schemas of `config`, by task type. */
export const CONFIGS = {
  daily_report: reportConfig,
  weekly_report: reportConfig,
  git_sync: z.strictObject({}),
  source_sync: z.strictObject({ sourceId: idSchema.optional() }),
  custom: customConfig,
} satisfies Record<TaskType, z.ZodType>;
export type ReportConfig = z.infer<typeof reportConfig>;
export type CustomConfig = z.infer<typeof customConfig>;

/**
 * Stored as the API returns it, except activeRunId and savedBy. Not strict, because a later version may have
 * added a field.
 */
export const taskSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    taskType: taskTypeSchema,
    schedule: z.string().describe('Cron expression with five fields, in the time zone of the task.'),
    timezone: z.string().describe('IANA time zone of the schedule, such as `Europe/Berlin`.'),
    workspaceId: z
      .string()
      .nullable()
      .describe('ID of the workspace. Null if the task runs for every workspace.'),
    config: z.record(z.string(), z.unknown()).describe('Settings of the task, which depend on its type.'),
    isEnabled: z.boolean().describe('Whether the task runs at its scheduled times.'),
    nextRunAt: timestampSchema.nullable().describe('Time of the next run. Null while the task is disabled.'),
    lastRunAt: timestampSchema.nullable().describe('Time at which the latest run started.'),
    lastRunStatus: z
      .enum(['success', 'error', 'running', 'skipped'])
      .nullable()
      .describe('Status of the latest run. Null before the first one.'),
    lastRunError: z.string().nullable().describe('Reason why the latest run failed. Null otherwise.'),
    stoppedAt: timestampSchema
      .nullable()
      .optional()
      .describe(
        'Time at which the service disabled the task, because the person who saved it last has no rights left. Saving or handing over the task resets it.',
      ),
    createdAt: timestampSchema,
    updatedAt: timestampSchema.describe('Time of the latest change through the API.'),
  })
  .meta({ id: 'ScheduledTask' });
export type Task = z.infer<typeof taskSchema>;

const storedTaskSchema = taskSchema.extend({
  /** The active run; a second concurrent run would be skipped. */
  activeRunId: z.string().nullable(),
  /** The caller who last changed the task. The task runs with their current rights. */
  savedBy: callerSchema,
});
export type StoredTask = z.infer<typeof storedTaskSchema>;

export const TASKS = 'TASK';
export const DUE = 'TASK_DUE';

/** The list is in order of time, because the IDs are UUIDv7. The index has the enabled tasks, by due time. */
export const tasks = collection({
  kind: 'task',
  schema: storedTaskSchema,
  key: ({ id }: { id: string }) => ({ partition: TASKS, sort: id }),
  index: duePlace,
});

export function duePlace({ id, nextRunAt }: Pick<Task, 'id' | 'nextRunAt'>) {
  return nextRunAt === null ? undefined : { partition: DUE, sort: `${nextRunAt}#${id}` };
}

const CONFIG_HELP = `Configuration, depending on the task type. For \`daily_report\` and \`weekly_report\`: {day?, locale?}, where \`day\` is
\`yesterday\` (default) or \`today\` in the time zone of the task. For \`custom\`: {prompt, mode?, skillId?, params?, permits?}, where
\`permits\` [{tool, pattern}] lists actions that normally need approval and that the task may perform, because tasks run unattended.
Instead, \`custom\` can have {research: {question, depth?, sources?, addresses?, language?, budget?}}: the first run writes a report,
and each later run says what is new. For \`source_sync\`: {sourceId?}, the
source to sync, instead of re-indexing the files. Other task types have no configuration.`;

const inputFields = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200, { abort: true })
    .refine((name) => name.isWellFormed(), 'must be well-formed Unicode'),
  taskType: taskTypeSchema,
  schedule: z
    .string()
    .max(200, { abort: true })
    .overwrite((text) => pastedWord(text).replace(/\s+/g, ' '))
    .superRefine((text, context) => {
      const message = scheduleProblem(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .describe('Cron expression: minute, hour, day of month, month, and weekday.'),
  timezone: z
    .string()
    .max(64, { abort: true })
    .overwrite(pastedWord)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .describe('IANA time zone of the schedule, such as `Europe/Berlin`.'),
  workspaceId: idSchema
    .nullable()
    .describe(
      'ID of the workspace. Null for every workspace, which only administrators can set and `custom` tasks do not support.',
    ),
  config: z.record(z.string(), z.unknown()).nullable().describe(CONFIG_HELP),
  isEnabled: z.boolean().describe('Whether the task runs at its scheduled times.'),
});

export const createTaskSchema = inputFields
  .extend({
    timezone: inputFields.shape.timezone.default('UTC'),
    workspaceId: inputFields.shape.workspaceId.default(null),
    config: inputFields.shape.config.default(null),
    isEnabled: inputFields.shape.isEnabled.default(true),
  })
  .meta({ id: 'CreateTask' });
export type CreateTask = z.output<typeof createTaskSchema>;

export const updateTaskSchema = inputFields.partial();
export type UpdateTask = z.output<typeof updateTaskSchema>;

export const taskParams = z.object({ taskId: idSchema.describe('ID of the scheduled task.') });
export const tasksQuery = pageQuery.extend({
  workspaceId: idSchema.optional().describe('ID of the workspace whose tasks are listed.'),
});

const count = z.number().int();

/** One run of a task. The ID of a scheduled run is derived from task and slot, so that the run exists once. */
const runFields = z.object({
  id: z.uuid(),
  taskId: z.string().describe('ID of the scheduled task.'),
  trigger: z.enum(['schedule', 'manual']),
  scheduledFor: timestampSchema.describe(
    'Scheduled time of the run, or the time at which a manual run was requested.',
  ),
  status: z
    .enum(['waiting', 'running', 'success', 'error', 'skipped'])
    .describe(
      'Status of the run. `skipped` if there was nothing to do or the previous run was still running.',
    ),
  startedAt: timestampSchema.nullable().describe('Start of the run. Null until a worker claims it.'),
  finishedAt: timestampSchema.nullable().describe('End of the run. Null until it has ended.'),
  error: z.string().nullable().describe('Reason why the run failed. Null otherwise.'),
  summary: z.string().nullable().describe('Result of the run. Null until it has ended.'),
  noteId: z.string().nullable().describe('ID of the note that the run wrote. Null if it wrote none.'),
  attempts: count.describe('Number of attempts. More than 1 if the process that worked on the run died.'),
});

export const taskRunSchema = runFields
  .extend({
    workspaces: z
      .object({
        total: count.describe('Number of workspaces of the run.'),
        done: count.describe('Number of workspaces that have ended, failed ones included.'),
        failed: count.describe('Number of workspaces that failed.'),
      })
      .nullable()
      .describe(
        'Progress of a task that runs for every workspace. Null if the task has one workspace or the run has not started.',
      ),
  })
  .meta({ id: 'TaskRun' });

const storedRunSchema = runFields.extend({
  /**
   * Set for a run over all workspaces once all its parts are created (parts.ts). The other counts rise while
   * it runs.
   */
  partsTotal: count.nullable(),
  partsDone: count,
  partsFailed: count,
  /** The process that works on the run. Writes of other processes are rejected. */
  owner: z.string(),
  /** When the process must have sent a heartbeat. Null once everything is done, including the task's record. */
  leaseUntil: timestampSchema.nullable(),
  expiresAt: z.int(),
});
export type TaskRun = z.infer<typeof storedRunSchema>;

/** Seconds for which the history is stored. It also prevents a late message from running its slot again. */
export const KEEP_TASK_RUN_SECONDS = 30 * 24 * 60 * 60;
export const LEASED = 'TASK_LEASE';

/**
 * The list of a task's runs is in order of time, because the IDs are UUIDv7. The index has the runs that
 * still need work.
 */
export const taskRuns = collection({
  kind: 'task-run',
  schema: storedRunSchema,
  key: ({ taskId, id }: { taskId: string; id: string }) => ({
    partition: taskRunsPartition(taskId),
    sort: id,
  }),
  index: leasePlace,
  expiresAt: (run) => run.expiresAt,
});

export function taskRunsPartition(taskId: string): string {
  return `TASK_RUN#${taskId}`;
}

export function leasePlace({ id, leaseUntil }: Pick<TaskRun, 'id' | 'leaseUntil'>) {
  return leaseUntil === null ? undefined : { partition: LEASED, sort: `${leaseUntil}#${id}` };
}

/** The message for the worker. */
export const taskMessageSchema = z.object({
  taskId: z.string(),
  runId: z.string(),
  trigger: runFields.shape.trigger,
  scheduledFor: timestampSchema,
  /** The workspace of this part of a run over all workspaces; absent in the message of the run itself. */
  workspaceId: z.string().optional(),
});
export type TaskMessage = z.infer<typeof taskMessageSchema>;

/**
 * Requests a check of a workspace's saved papers for retractions. The worker makes it, because only the
 * worker may access paper sources.
 */
export const retractionsMessageSchema = z.object({ kind: z.literal('retractions'), workspaceId: z.string() });

/** Returns the message of a slot, which is the same whoever sends it. */
export function slotMessage(taskId: string, slot: string): TaskMessage {
  const runId = derivedId(Date.parse(slot), `${taskId}#${slot}`);
  return { taskId, runId, trigger: 'schedule', scheduledFor: slot };
}
