import * as z from 'zod';
import { profileSchema, roleSchema } from '../access/caller.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

/** As long as the audit log, in which they are named. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

const personSchema = z.object({
  id: z.string(),
  kind: profileSchema.shape.kind,
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** As in their latest credential. */
  role: roleSchema,
  workspaceIds: z.array(z.string()).nullable(),
  /** Accurate to one day; of a token, when it was recorded: its own record has its latest use. */
  seenAt: timestampSchema,
});
export type Person = z.infer<typeof personSchema>;

export const PEOPLE = 'PEOPLE';

/** Callers who were seen, by their IDs: a name for each ID that other records have. Tokens are never removed, so neither is theirs. */
export const people = collection({
  kind: 'person',
  schema: personSchema,
  key: ({ id }: { id: string }) => ({ partition: PEOPLE, sort: id }),
  expiresAt: ({ kind, seenAt }) =>
    kind === 'token' ? undefined : Math.floor(Date.parse(seenAt) / 1000) + KEEP_SECONDS,
});
