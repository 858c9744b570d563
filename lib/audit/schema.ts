import * as z from 'zod';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { momentField } from '../validation/pasted-fields.ts';

/** Audited actions, named by the route that performs them, or by the rule that several entry points share. */
export type AuditAction =
  | 'settings.change'
  | 'models.connect'
  | 'models.disconnect'
  | 'models.test'
  | 'roots.add'
  | 'roots.remove'
  | 'tokens.change'
  | 'tokens.create'
  | 'tokens.revoke'
  | 'tokens.rotate'
  | 'people.hand-over'
  | 'people.export'
  | 'people.erase'
  | 'members.change'
  | 'permissions.change'
  | 'permissions.always'
  | 'budgets.change'
  | 'system.reindex'
  | 'approvals.answer'
  | 'bots.bind'
  | 'memories.add'
  | 'memories.change'
  | 'memories.delete'
  | 'mcp-servers.add'
  | 'mcp-servers.remove'
  | 'webhooks.change'
  | 'webhooks.create'
  | 'webhooks.delete'
  | 'webhooks.rotate'
  | 'webhooks.test'
  | 'workspaces.rename'
  | 'workspaces.delete'
  | 'conversations.delete'
  | 'notes.delete'
  | 'skills.delete'
  | 'sources.change'
  | 'sources.create'
  | 'sources.delete'
  | 'tasks.delete'
  | 'tasks.stop'
  | 'terminal.close'
  | 'terminal.open'
  | 'datasets.delete'
  | 'feedback.delete'
  | 'feedback.export'
  | 'files.delete'
  | 'documents.correct'
  | 'git.discard'
  | 'git.push'
  | 'runs.undo'
  | 'checks.delete'
  | 'evidence_tables.delete';

/** In seconds: as long as activity and usage are stored. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

/**
 * Not strict, because records are parsed with it too, and a later version may have added a field or an
 * action.
 */
const auditEntrySchema = z.object({
  id: z.uuid(),
  at: timestampSchema.describe('Time at which the action started.'),
  actor: z.string().describe('ID of the credential, or `operator` for a command on the host.'),
  role: z.string().describe('Role of the credential, in the workspace if there is one.'),
  action: z.string().describe('Name of the action, such as `tokens.create`.'),
  workspaceId: z.string().nullable().describe('ID of the workspace. Null if the action has none.'),
  about: z
    .string()
    .nullable()
    .describe('One-line description of the change with IDs, names, and paths. It never contains secrets.'),
  outcome: z
    .enum(['begun', 'done', 'refused', 'failed'])
    .describe(
      'Result of the action. `begun` if it is still in progress, or if the process died and the action may have been performed.',
    ),
  status: z.int().nullable().describe('HTTP status of the response, if the action was refused or failed.'),
  address: z.string().nullable().describe('IP address that the request came from, if known.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const shownEntrySchema = auditEntrySchema
  .extend({
    actorName: z
      .string()
      .optional()
      .describe('Present name of the user or the token with the ID in `actor`, as far as it is known.'),
  })
  .meta({ id: 'AuditEntry' });
export type ShownEntry = z.infer<typeof shownEntrySchema>;

export const AUDIT = 'AUDIT';

/** The list is in order of time, because the IDs are UUIDv7. Only an entry's outcome ever changes. */
export const auditEntries = collection({
  kind: 'audit-entry',
  schema: auditEntrySchema,
  key: ({ id }: { id: string }) => ({ partition: AUDIT, sort: id }),
  expiresAt: ({ at }) => Math.floor(Date.parse(at) / 1000) + KEEP_SECONDS,
});

const momentSchema = momentField.transform((text) => Date.parse(text));
const nameSchema = z.string().min(1).max(256);

const filter = {
  from: momentSchema.optional().describe('Start of the range: a date (UTC) or a time.'),
  to: momentSchema.optional().describe('End of the range, exclusive: a date (UTC) or a time.'),
  actor: nameSchema.optional().describe('ID of the credential whose entries are listed.'),
  action: nameSchema
    .optional()
    .describe('Name of an action, such as `tokens.create`, or a group of actions, such as `tokens`.'),
};

export const auditQuery = pageQuery.extend(filter);
export type AuditQuery = z.output<typeof auditQuery>;
