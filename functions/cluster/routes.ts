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
    operationId: 'getClusterStatus',
    summary: 'Get the status of the cluster',
    description:
      'Returns the nodes, jobs, and pods of the Kubernetes cluster. If the cluster cannot be reached, the lists are empty and `error` has the reason.',
    access: 'viewer',
    replies: { 200: clusterStatusSchema },
    handle: async (_input, ports) => reply(200, await readClusterStatus(ports)),
  }),
  route({
    method: 'GET',
    path: '/api/cluster/operations',
    operationId: 'listClusterOperations',
    summary: 'List cluster operations',
    description:
      'Returns what the agent did in the cluster and who approved it, newest first. Operations are kept for 400 days. Without `workspaceId`, returns the operations of every workspace, for administrators only.',
    access: 'viewer',
    query: operationsQuery,
    replies: { 200: operationsPageSchema },
    errors: ['workspace_scoped_token'],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query, caller }, { records }) =>
      reply(200, await pageOperations(records, caller, workspace, query)),
  }),
];
