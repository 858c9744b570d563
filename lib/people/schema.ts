import * as z from 'zod';
import { profileSchema, roleSchema } from '../access/caller.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

/** In seconds: as long as the audit log, which names these people, is kept. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

const personSchema = z.object({
  id: z.string(),
  kind: profileSchema.shape.kind,
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** The role in their latest credential. */
  role: roleSchema,
  workspaceIds: z.array(z.string()).nullable(),
  /** The groups in their latest OIDC token. */
  groups: z.array(z.string()).optional(),
  /**
   * When they were last seen, to the day. For a token, when it was recorded, because its own record has its
   * latest use.
   */
  seenAt: timestampSchema,
});
export type Person = z.infer<typeof personSchema>;

export const PEOPLE = 'PEOPLE';

/**
 * Known callers by ID, which give names to IDs in other records. Tokens are never removed, so their entries
 * aren't either.
 */
export const people = collection({
  kind: 'person',
  schema: personSchema,
  key: ({ id }: { id: string }) => ({ partition: PEOPLE, sort: id }),
  expiresAt: ({ kind, seenAt }) =>
    kind === 'token' ? undefined : Math.floor(Date.parse(seenAt) / 1000) + KEEP_SECONDS,
});
