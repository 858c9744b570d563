import * as z from 'zod';
import { pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { filesQuery, listedFileSchema, listFiles } from '../../lib/indexing/list-files.ts';
import { readIndexState } from '../../lib/indexing/read-index-state.ts';
import { readReindex, reindexSchema, startReindex } from '../../lib/indexing/reindex.ts';
import { indexStateSchema } from '../../lib/indexing/schema.ts';
import { type SyncPorts, startSync } from '../../lib/indexing/sync.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

const route = routeFor<HttpPorts & SyncPorts>();

export const indexingRoutes = [
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/sync',
    summary: 'Bring the index up to date; joins the sync that runs, if one does',
    access: 'member',
    params: workspaceParams,
    replies: { 202: z.strictObject({ syncId: z.uuid() }) },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, ports) => reply(202, { syncId: await startSync(ports, workspace.id) }),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/sync',
    summary: 'How far the latest sync is',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: indexStateSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, { records }) => reply(200, await readIndexState(records, workspace.id)),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/files',
    summary: 'The files that are in the index, that are not for it, or that could not be read, and why',
    access: 'viewer',
    params: workspaceParams,
    query: filesQuery,
    replies: { 200: z.array(listedFileSchema) },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query }, { records }) {
      const page = await listFiles(records, workspace.id, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/system/reindex',
    summary:
      'Bring the indexes of all workspaces up to date, a few at a time: after a change of the embedding model',
    description:
      'The old index of a workspace answers until its new one is complete. While it runs a second call answers the ' +
      'one that runs. For administrators whose credential is bound to no workspaces.',
    access: 'admin',
    audit: 'system.reindex',
    replies: { 202: reindexSchema },
    handle: async ({ caller }, ports) => reply(202, await startReindex(ports, caller)),
  }),
  route({
    method: 'GET',
    path: '/api/system/reindex',
    summary: 'How far the latest of these is',
    description: 'For administrators whose credential is bound to no workspaces.',
    access: 'admin',
    replies: { 200: reindexSchema },
    handle: async ({ caller }, { records }) => reply(200, await readReindex(records, caller)),
  }),
];
