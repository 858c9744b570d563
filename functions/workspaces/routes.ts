import * as z from 'zod';
import { pageHeaders, pageQuery } from '../../lib/http/page.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { listWorkspaces } from '../../lib/workspaces/registry.ts';
import { workspaceSchema } from '../../lib/workspaces/schema.ts';

const route = routeFor<HttpPorts>();

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces',
    summary: 'List the workspaces, newest first',
    access: 'viewer',
    query: pageQuery,
    replies: { 200: z.array(workspaceSchema) },
    async handle({ query, caller }, { records }) {
      const page = await listWorkspaces(records, caller, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
];
