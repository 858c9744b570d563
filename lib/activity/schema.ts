import * as z from 'zod';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

const activityKindSchema = z.enum([
  'file_written',
  'file_uploaded',
  'file_moved',
  'file_deleted',
  'directory_made',
  'sync',
  'note_created',
  'note_changed',
  'note_deleted',
  'chat',
  'agent_run',
  'command',
  'job_submitted',
  'dataset_linked',
  'git_cloned',
  'git_pulled',
  'git_committed',
  'git_branch_switched',
  'git_discarded',
  'git_pushed',
  'report',
  'citations_broken',
  'citations_moved',
]);
export type ActivityKind = z.infer<typeof activityKindSchema>;

/** Not strict, because records are parsed with it too, and a later version may have added a field. */
export const activitySchema = z
  .object({
    id: z.uuid(),
    workspaceId: z.string(),
    kind: activityKindSchema,
    actor: z.string().describe('ID of the credential, `task:` and the ID of a scheduled task, or `service`.'),
    summary: z.string().describe('One-line summary of the activity.'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Details of the activity, which depend on its kind.'),
    createdAt: timestampSchema,
  })
  .meta({ id: 'Activity' });
export type Activity = z.infer<typeof activitySchema>;

/** In seconds: a year of reports, and some weeks to read them. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

/** Returns the partition of the records store that contains a workspace's activities. */
export function activitiesPartition(workspaceId: string): string {
  return `ACTIVITY#${workspaceId}`;
}

/** The list is in order of time, because the IDs are UUIDv7. */
export const activities = collection({
  kind: 'activity',
  schema: activitySchema,
  key: ({ workspaceId, id }: { workspaceId: string; id: string }) => ({
    partition: activitiesPartition(workspaceId),
    sort: id,
  }),
  expiresAt: ({ createdAt }) => Math.floor(Date.parse(createdAt) / 1000) + KEEP_SECONDS,
});
