import * as z from 'zod';
import { callerSchema } from '../../lib/access/caller.ts';
import { NotConfigured } from '../../lib/errors.ts';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { idSchema } from '../../lib/identifiers.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { changeToken } from '../../lib/tokens/change.ts';
import { listPeople } from '../../lib/tokens/list-people.ts';
import { listedPersonSchema, peopleQuery } from '../../lib/tokens/people-schema.ts';
import { rotateToken } from '../../lib/tokens/rotate.ts';
import {
  changeTokenSchema,
  createdTokenSchema,
  createTokenSchema,
  rotateTokenSchema,
  tokenParams,
  tokenSchema,
} from '../../lib/tokens/schema.ts';
import { createToken, listTokens, NO_TOKENS, revokeToken } from '../../lib/tokens/tokens.ts';

export interface TokenPorts extends HttpPorts {
  /** False if the service accepts no API tokens, so that none is created for nothing. */
  acceptsTokens: boolean;
}

const route = routeFor<TokenPorts>();

/** The caller, so that a client can show who is signed in, and hide what the role doesn't allow. */
const meSchema = callerSchema
  .omit({ tokenId: true })
  .extend({
    expiresAt: z
      .string()
      .optional()
      .describe(
        'Time at which the credential expires; for an earlier secret of a rotated token, the end of the overlap. Missing if it does not expire.',
      ),
  })
  .meta({ id: 'Me' });

export const tokenRoutes = [
  route({
    method: 'GET',
    path: '/api/me',
    operationId: 'getMe',
    summary: 'Get the current caller',
    description:
      'Returns the ID and the role of the caller. With `workspaceId`, returns the role in that workspace, which its list of members can reduce.',
    access: 'viewer',
    query: z.object({
      workspaceId: idSchema.optional().describe('ID of the workspace in which the role is returned.'),
    }),
    workspace: ({ query }) => query.workspaceId,
    replies: { 200: meSchema },
    handle: async ({ caller: { id, role, workspaceIds, groups, expiresAt } }) =>
      reply(200, { id, role, workspaceIds, ...(groups && { groups }), ...(expiresAt && { expiresAt }) }),
  }),
  route({
    method: 'GET',
    path: '/api/people',
    operationId: 'listPeople',
    summary: 'List people and tokens',
    description:
      'Returns who can be named in member lists, budgets, and filters: the tokens, newest first, then the users and chat users who were seen in the last 400 days, by ID. A credential that is bound to workspaces sees only those that are bound to no other workspaces. If few match, a page may be short and still have a cursor.',
    access: 'admin',
    query: peopleQuery,
    workspace: ({ query }) => query.workspaceId,
    replies: { 200: z.array(listedPersonSchema) },
    handle: async ({ query, caller }, ports) => replyPage(await listPeople(ports, caller, query)),
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    operationId: 'listTokens',
    summary: 'List API tokens',
    description:
      'Returns the tokens, newest first. A credential that is bound to workspaces sees and revokes only tokens that are bound to no other workspaces.',
    access: 'admin',
    query: pageQuery,
    replies: { 200: z.array(tokenSchema) },
    handle: async ({ query, caller }, ports) => replyPage(await listTokens(ports, caller, query)),
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    operationId: 'createToken',
    summary: 'Create an API token',
    description:
      "The secret is returned only once. A token can't grant more than the credential that creates it: the same or a lower role, the same workspaces or fewer, and no later expiry. Otherwise, returns 403.",
    access: 'admin',
    body: createTokenSchema,
    example: {
      name: 'Nightly import',
      role: 'member',
      workspaceIds: ['019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11'],
      expiresAt: '2030-01-01T00:00:00Z',
    },
    audit: 'tokens.create',
    auditAbout: ({ body: { name, role, workspaceIds } }) =>
      `${role} for ${workspaceIds?.join(' ') ?? 'every workspace'}: ${name}`,
    replies: { 201: createdTokenSchema },
    errors: ['token_exceeds_caller', 'tokens_not_configured'],
    idempotent: false,
    async handle({ body, caller }, ports) {
      if (!ports.acceptsTokens) throw new NotConfigured('tokens_not_configured', NO_TOKENS);
      return reply(201, await createToken(ports, caller, body));
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/tokens/{tokenId}',
    operationId: 'updateToken',
    summary: 'Update an API token',
    description:
      "Changes the given fields. The token keeps its secret and its ID, and so its conversations, memberships, tasks, and budget. Its requests have the new rights at once. Runs, answers, and terminals that it no longer has the rights for end within seconds, and its tasks at their next time. Like a new token, it can't grant more than your own credential.",
    access: 'admin',
    params: tokenParams,
    body: changeTokenSchema,
    example: { role: 'member', workspaceIds: ['019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11'] },
    replies: { 200: tokenSchema },
    errors: [
      'concurrent_changes',
      'token_ended',
      'token_exceeds_caller',
      'token_not_found',
      'workspace_scoped_token',
    ],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await changeToken(ports, caller, params.tokenId, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/{tokenId}',
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    access: 'admin',
    params: tokenParams,
    audit: 'tokens.revoke',
    replies: { 200: deletedSchema },
    errors: ['token_not_found', 'workspace_scoped_token'],
    async handle({ params, caller }, ports) {
      await revokeToken(ports, caller, params.tokenId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'POST',
    path: '/api/tokens/{tokenId}/rotate',
    operationId: 'rotateToken',
    summary: 'Rotate an API token',
    description:
      "Returns a new secret, only once. The token keeps its ID, and so its conversations, memberships, tasks, and budget. Earlier secrets work until the overlap has passed. Like a new token, it can't grant more than your own credential. A credential that is bound to workspaces rotates only itself.",
    access: 'admin',
    params: tokenParams,
    body: rotateTokenSchema,
    example: { overlapHours: 24 },
    audit: 'tokens.rotate',
    auditAbout: ({ params: { tokenId }, body: { overlapHours } }) => `${tokenId}, overlap ${overlapHours} h`,
    replies: { 200: createdTokenSchema },
    errors: [
      'concurrent_changes',
      'token_ended',
      'token_exceeds_caller',
      'token_not_found',
      'token_rotated_often',
      'workspace_scoped_token',
    ],
    idempotent: false,
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await rotateToken(ports, caller, params.tokenId, body)),
  }),
];
