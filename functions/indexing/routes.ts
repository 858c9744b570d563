import * as z from 'zod';
import { correctDocument, documentAt } from '../../lib/documents/documents.ts';
import { correctionBody, documentParams, documentSchema } from '../../lib/documents/schema.ts';
import { reply, replyPage } from '../../lib/http/reply.ts';
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
    operationId: 'startSync',
    summary: 'Start a sync',
    description: 'Updates the index of the workspace. If a sync is already running, returns its ID.',
    access: 'member',
    params: workspaceParams,
    replies: { 202: z.strictObject({ syncId: z.uuid() }) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, ports) =>
      reply(202, { syncId: await startSync(ports, workspace.id, { checksModel: true }) }),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/sync',
    operationId: 'getSync',
    summary: 'Get the status of the index',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: indexStateSchema },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, { records, clock }) =>
      reply(200, await readIndexState(records, workspace.id, clock)),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/files',
    operationId: 'listFiles',
    summary: 'List files by their index state',
    description:
      'Returns the indexed, skipped, or failed files, with the reason for those that are not in the index.',
    access: 'viewer',
    params: workspaceParams,
    query: filesQuery,
    replies: { 200: z.array(listedFileSchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await listFiles(records, workspace.id, query)),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/documents/{path}',
    operationId: 'getDocument',
    summary: 'Get the title, authors, and other facts of a document',
    description:
      "The facts come from people's corrections, otherwise from the file: its front matter, its properties if its first page confirms them, or the first page itself.",
    access: 'viewer',
    params: workspaceParams.extend(documentParams),
    replies: { 200: documentSchema },
    errors: ['document_not_found'],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, params }, { records }) =>
      reply(200, await documentAt(records, { workspaceId: workspace.id, path: params.path })),
  }),
  route({
    method: 'PATCH',
    path: '/api/workspaces/{workspaceId}/documents/{path}',
    operationId: 'updateDocument',
    summary: 'Update the facts of a document',
    description:
      'Changes the given fields for all users. They stay if the file is indexed again or moved. A field that is null has the value from the file again.',
    access: 'member',
    params: workspaceParams.extend(documentParams),
    body: correctionBody,
    example: { title: 'Night flights of the tawny owl', authors: ['Ann Sand'], year: 2021 },
    audit: 'documents.correct',
    replies: { 200: documentSchema },
    errors: ['document_not_found', 'concurrent_changes'],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, params, body }, { records }) =>
      reply(200, await correctDocument(records, { workspaceId: workspace.id, path: params.path }, body)),
  }),
  route({
    method: 'POST',
    path: '/api/system/reindex',
    operationId: 'startReindex',
    summary: 'Start re-indexing all workspaces',
    description:
      'Updates the indexes of all workspaces, a few at a time, after a change of the embedding model. The old index of a workspace is used until the new one is complete. If a re-indexing is already running, returns its status. Only for administrators whose credential is not bound to workspaces.',
    access: 'admin',
    audit: 'system.reindex',
    replies: { 202: reindexSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, ports) => reply(202, await startReindex(ports, caller)),
  }),
  route({
    method: 'GET',
    path: '/api/system/reindex',
    operationId: 'getReindex',
    summary: 'Get the status of the latest re-indexing',
    description: 'Only for administrators whose credential is not bound to workspaces.',
    access: 'admin',
    replies: { 200: reindexSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, { records }) => reply(200, await readReindex(records, caller)),
  }),
];
