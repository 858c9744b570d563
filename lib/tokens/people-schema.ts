import * as z from 'zod';
import { profileSchema, roleSchema } from '../access/caller.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { pageQuery } from '../records/page.ts';

export const peopleQuery = pageQuery.extend({
  q: z
    .string()
    .max(256)
    .optional()
    .describe('Part of the name, the email address, or the ID. Case is ignored.'),
  workspaceId: idSchema
    .optional()
    .describe('ID of a workspace that you administer. Each person then has `reaches`.'),
});
export type PeopleQuery = z.output<typeof peopleQuery>;

export const listedPersonSchema = z
  .strictObject({
    id: z.string().describe('ID of the caller, as in member lists, budgets, and the audit log.'),
    name: z
      .string()
      .nullable()
      .describe('Name of the token, or of the user in their latest OIDC token. Null if none is known.'),
    email: z.string().nullable().describe('Email address from the OIDC token. Null if none is known.'),
    kind: profileSchema.shape.kind
      .meta({ title: 'PersonKind' })
      .describe(
        'API token (`token`), user of the identity provider (`user`), or user of a chat app (`chat`).',
      ),
    role: roleSchema.describe('Role of the latest credential.'),
    isGlobalAdmin: z
      .boolean()
      .describe('Whether they are a global administrator, to whom no member list applies.'),
    state: z
      .enum(['active', 'expired', 'revoked'])
      .meta({ title: 'PersonState' })
      .describe('State of the token. `active` for others.'),
    seenAt: timestampSchema
      .nullable()
      .describe(
        'Time of the latest use: of a token accurate to one minute, of others to one day. Null if the token was never used.',
      ),
    reaches: z
      .boolean()
      .optional()
      .describe(
        'Whether the credential is valid and includes the workspace, if the request names one. The list of members is not considered.',
      ),
  })
  .meta({ id: 'Person' });
export type ListedPerson = z.infer<typeof listedPersonSchema>;
