import * as z from 'zod';
import { callerSchema } from '../../lib/access/caller.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { idSchema } from '../../lib/identifiers.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { createdTokenSchema, createTokenSchema, tokenParams, tokenSchema } from '../../lib/tokens/schema.ts';
import { createToken, listTokens, revokeToken } from '../../lib/tokens/tokens.ts';

const route = routeFor<HttpPorts>();

/** The caller, so that a client can show who is signed in and hide what the role doesn't allow. */
const meSchema = callerSchema.extend({ expiresAt: z.string().optional() }).meta({ id: 'Me' });

export const tokenRoutes = [
  route({
    method: 'GET',
    path: '/api/me',
    summary: 'Who calls, and with which role',
    description: 'With `workspaceId` the role there: the list of its members may leave less of it.',
    access: 'viewer',
    query: z.object({ workspaceId: idSchema.optional() }),
    workspace: ({ query }) => query.workspaceId,
    replies: { 200: meSchema },
    refusals: [404],
    handle: async ({ caller: { id, role, workspaceIds, groups, expiresAt } }) =>
      reply(200, { id, role, workspaceIds, ...(groups && { groups }), ...(expiresAt && { expiresAt }) }),
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    summary: 'List the API tokens, newest first',
    description:
      'A credential that is bound to workspaces sees those that are bound to no others, and ends only those.',
    access: 'admin',
    query: pageQuery,
    replies: { 200: z.array(tokenSchema) },
    async handle({ query, caller }, ports) {
      const page = await listTokens(ports, caller, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Make an API token; its secret is shown this once',
    description:
      'With no higher role, no other workspaces and no later end than the credential that asks has: else 403.',
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
    idempotent: false,
    handle: async ({ body, caller }, ports) => reply(201, await createToken(ports, caller, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/{tokenId}',
    summary: 'Revoke an API token',
    access: 'admin',
    params: tokenParams,
    audit: 'tokens.revoke',
    replies: { 200: deletedSchema },
    refusals: [404],
    async handle({ params, caller }, ports) {
      await revokeToken(ports, caller, params.tokenId);
      return reply(200, DELETED);
    },
  }),
];
