import * as z from 'zod';
import { callerSchema } from '../access/caller.ts';
import { ownerKey } from '../access/owner-key.ts';
import { removedConversation } from '../conversations/schema.ts';
import { idSchema } from '../identifiers.ts';
import { expiryAfter, timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

/** A caller's ID, as in member lists, budgets, and the audit log. */
const personId = z.string().min(1).max(256).describe('ID of the person, as in the list of people.');

export const KINDS = ['conversations', 'tasks', 'workspaces'] as const;
const kindSchema = z.enum(KINDS).meta({ title: 'OwnedKind' });

const countsSchema = z.object({
  conversations: z.int().describe('Number of conversations.'),
  tasks: z.int().describe('Number of scheduled tasks.'),
  workspaces: z.int().describe('Number of member lists.'),
});
export type OwnedCounts = z.infer<typeof countsSchema>;
export const NOTHING: OwnedCounts = { conversations: 0, tasks: 0, workspaces: 0 };

const fields = {
  personId,
  action: z.enum(['hand-over', 'erase']).meta({ title: 'OffboardingAction' }),
  kinds: z.array(kindSchema).describe('Kinds of things that are handed over. An erasure includes all.'),
  askedAt: timestampSchema.describe('Time of the request.'),
  finishedAt: timestampSchema.nullable().describe('Time at which everything was done. Null until then.'),
  done: countsSchema.describe('Numbers of things that were handed over or erased so far.'),
  left: countsSchema.describe(
    'Numbers of things that stay with the person: those of workspaces that the receiver has no access to, conversations whose ID the receiver already uses, and, after an erasure, member lists without another administrator.',
  ),
};

export const offboardingSchema = z
  .strictObject({
    ...fields,
    to: z.string().nullable().describe('ID of the person who receives everything. Null for an erasure.'),
  })
  .meta({ id: 'Offboarding' });

const KEEP_SECONDS = 30 * 24 * 60 * 60;
export const OFFBOARDINGS = 'OFFBOARDING';

/**
 * A handover or an erasure, which workers continue until nothing is left. Each person has at most one at a
 * time.
 */
export const offboardings = collection({
  kind: 'offboarding',
  schema: z.object({
    ...fields,
    key: z.string(),
    to: callerSchema.nullable(),
    /** When the next pass starts. */
    until: timestampSchema,
    /** The workspace where the next pass starts, if the previous pass ran out of time. */
    from: z.string().nullable(),
    /** True if no pass since the first workspace had anything to do. */
    isIdle: z.boolean(),
    /** The conversation that is being erased. Some of its parts can't be found by its owner. */
    erasing: removedConversation.nullable(),
  }),
  key: ({ key }: { key: string }) => ({ partition: OFFBOARDINGS, sort: key }),
  index: ({ key, until, finishedAt }) =>
    finishedAt === null ? { partition: OFFBOARDINGS, sort: `${until}#${key}` } : undefined,
  expiresAt: ({ finishedAt }) =>
    finishedAt === null ? undefined : expiryAfter({ now: () => Date.parse(finishedAt) }, KEEP_SECONDS),
});
export type Offboarding = NonNullable<Awaited<ReturnType<typeof offboardings.get>>>;

export function offboardingKey(id: string): { key: string } {
  return { key: ownerKey(id) };
}

/** Returns a request as the API shows it. */
export function describeOffboarding(request: Offboarding): z.infer<typeof offboardingSchema> {
  const { personId, action, kinds, askedAt, finishedAt, done, left, to } = request;
  return { personId, action, kinds, askedAt, finishedAt, done, left, to: to?.id ?? null };
}

export const personQuery = z.object({ personId });
export const exportQuery = personQuery.extend({
  cursor: idSchema.optional().describe('The `cursor` of the last line of an export that has `more`.'),
});
export type ExportQuery = z.output<typeof exportQuery>;
export const holdingsQuery = pageQuery.extend({ personId });
export const eraseSchema = z.strictObject({ personId });
export const handOverSchema = z.strictObject({
  personId,
  to: personId.describe(
    'ID of the person who receives everything: a valid token, or a user who has signed in.',
  ),
  kinds: z
    .array(kindSchema)
    .min(1)
    .max(KINDS.length)
    .default([...KINDS])
    .describe('Kinds of things to hand over.'),
});
export type AskedHandOver = z.output<typeof handOverSchema>;

export const holdingSchema = z
  .strictObject({
    workspaceId: z.string().nullable().describe('ID of the workspace. Null for tasks of all workspaces.'),
    workspaceName: z.string().nullable().describe('Name of the workspace. Null for tasks of all workspaces.'),
    conversations: z.int().describe('Number of conversations that the person owns there.'),
    tasks: z
      .array(z.strictObject({ id: z.string(), name: z.string() }))
      .describe('Scheduled tasks that run with the rights of the person.'),
    isMember: z.boolean().describe('Whether the list of members names the person.'),
    isOnlyAdmin: z
      .boolean()
      .describe(
        'Whether the person is the only administrator in the list of members whose credential is valid.',
      ),
  })
  .meta({ id: 'Holding' });
export type Holding = z.infer<typeof holdingSchema>;
