import * as z from 'zod';
import { LOCAL, roleSchema } from '../access/caller.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { toLine } from '../text/one-line.ts';

/** Not strict, because it also parses stored records, to which a later version may have added a field. */
export const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    role: roleSchema,
    workspaceIds: z
      .array(z.string())
      .nullable()
      .describe('IDs of the workspaces that the token is bound to. Null for every workspace.'),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.nullable().describe('Time at which the token expires. Null if it does not.'),
    lastUsedAt: timestampSchema.nullable().describe('Time of the latest use, accurate to one minute.'),
    revokedAt: timestampSchema
      .nullable()
      .describe('Time at which the token was revoked. Null if it is valid.'),
    rotatedAt: timestampSchema
      .optional()
      .describe('Time at which the token got its present secret. Missing if it has its first one.'),
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof tokenSchema>;

export const createdTokenSchema = tokenSchema
  .extend({ secret: z.string().describe('Secret of the token. It is returned only once.') })
  .meta({ id: 'CreatedToken' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

const MAX_NAME = 200;
export const MONITOR_REACH =
  'must be null for the role monitor, whose metrics are those of the whole service';

export const createTokenSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(MAX_NAME)
      .refine((text) => toLine(text, MAX_NAME).trim() !== '', 'must not be blank')
      .transform((text) => toLine(text, MAX_NAME).trim()),
    role: roleSchema,
    workspaceIds: z
      .array(idSchema)
      .max(100)
      .overwrite((ids) => [...new Set(ids)])
      .nullable()
      .default(null)
      .describe('IDs of the workspaces that the token is bound to. Null for every workspace.'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe('Time at which the token expires. Null if it does not.'),
  })
  .refine(isAllowedReach, { path: ['workspaceIds'], message: MONITOR_REACH });
export type CreateToken = z.input<typeof createTokenSchema>;

/** Returns false for a workspace-scoped monitor. */
export function isAllowedReach({ role, workspaceIds }: Pick<Token, 'role' | 'workspaceIds'>): boolean {
  return role !== 'monitor' || workspaceIds === null;
}

const { name, role, workspaceIds, expiresAt } = createTokenSchema.shape;

/** A missing field stays unchanged. */
export const changeTokenSchema = z.strictObject({
  ...{ name: name.optional(), role: role.optional() },
  workspaceIds: workspaceIds.removeDefault().optional(),
  expiresAt: expiresAt.removeDefault().optional(),
});
export type ChangeToken = z.output<typeof changeTokenSchema>;

const MAX_OVERLAP_HOURS = 30 * 24;

export const rotateTokenSchema = z.strictObject({
  overlapHours: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .describe('Number of hours for which earlier secrets still work. 0 ends them at once.'),
  expiresAt: expiresAt
    .removeDefault()
    .optional()
    .describe('Time at which the token expires. Null if it does not. Unchanged if missing.'),
});
export type RotateToken = z.output<typeof rotateTokenSchema>;

export const tokenParams = z.object({ tokenId: idSchema.describe('ID of the token.') });

/** The index of tokens by their IDs. */
export const BY_ID = 'TOKEN_BY_ID';

/** A secret by its hash, and the time until which it works. Null means as long as the token is valid. */
const secretSchema = z.object({ hash: z.string(), until: timestampSchema.nullable() });

/**
 * Tokens. Each is stored only under the SHA-256 of its first secret, so one read finds a caller. The index
 * lists them by ID.
 */
export const tokens = collection({
  kind: 'token',
  schema: tokenSchema.extend({
    hash: z.string(),
    /**
     * The caller ID from before sign-in was enabled. Its conversations and notes belong to this token.
     * Usually absent.
     */
    continues: z.literal(LOCAL).optional(),
    /** The accepted secrets, the current one first. Missing until the first rotation. */
    secrets: z.array(secretSchema).optional(),
    /** The number of changes and rotations. Missing before the first one. */
    version: z.int().optional(),
  }),
  key: ({ hash }: { hash: string }) => ({ partition: 'TOKEN', sort: hash }),
  index: ({ id }) => ({ partition: BY_ID, sort: id }),
});
export type StoredToken = NonNullable<Awaited<ReturnType<typeof tokens.get>>>;

/**
 * Later secrets of rotated tokens, each with the hash under which its token is stored. They are next to the
 * tokens, so that the same permissions cover them.
 */
export const laterSecrets = collection({
  kind: 'token-secret',
  schema: z.object({ hash: z.string(), of: z.string() }),
  key: ({ hash }: { hash: string }) => ({ partition: 'TOKEN', sort: `SECRET#${hash}` }),
});
