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
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof tokenSchema>;

export const createdTokenSchema = tokenSchema
  .extend({ secret: z.string().describe('Secret of the token. It is returned only once.') })
  .meta({ id: 'CreatedToken' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

const MAX_NAME = 200;

export const createTokenSchema = z.strictObject({
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
    .nullable()
    .default(null)
    .describe('IDs of the workspaces that the token is bound to. Null for every workspace.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('Time at which the token expires. Null if it does not.'),
});
export type CreateToken = z.input<typeof createTokenSchema>;

export const tokenParams = z.object({ tokenId: idSchema.describe('ID of the token.') });

/** The index of tokens by their IDs. */
export const BY_ID = 'TOKEN_BY_ID';

/** Tokens, stored under the SHA-256 of the secret only, so one read finds a caller. Listed through the index, by ID. */
export const tokens = collection({
  kind: 'token',
  schema: tokenSchema.extend({
    hash: z.string(),
    /**
     * The caller ID from before sign-in was enabled, whose conversations and notes belong to this token. Usually
     * absent.
     */
    continues: z.literal(LOCAL).optional(),
  }),
  key: ({ hash }: { hash: string }) => ({ partition: 'TOKEN', sort: hash }),
  index: ({ id }) => ({ partition: BY_ID, sort: id }),
});
export type StoredToken = Token & { hash: string; continues?: typeof LOCAL | undefined };
