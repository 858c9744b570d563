import { pageOperations } from '../../lib/cluster/audit.ts';
import { readClusterStatus, type StatusPorts } from '../../lib/cluster/read/status.ts';
import { clusterStatusSchema, operationsPageSchema, operationsQuery } from '../../lib/cluster/schema.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';

const route = routeFor<HttpPorts & StatusPorts>();

export const clusterRoutes = [
  route({
    method: 'GET',
    path: '/api/cluster/status',
    summary: 'The nodes, jobs and pods of the container cluster',
    description:
      'A cluster that cannot be asked is no failure of this call: the lists are then empty, and `error` says why.',
    access: 'viewer',
    replies: { 200: clusterStatusSchema },
    handle: async (_input, ports) => reply(200, await readClusterStatus(ports)),
  }),
  route({
    method: 'GET',
    path: '/api/cluster/operations',
    summary: 'What the agent did in the cluster, newest first, with who approved it',
    description: 'Kept for 400 days. Without `workspaceId`: of every workspace, for administrators.',
    access: 'viewer',
    query: operationsQuery,
    replies: { 200: operationsPageSchema },
    refusals: [404],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query, caller }, { records }) =>
      reply(200, await pageOperations(records, caller, workspace, query)),
  }),
];
