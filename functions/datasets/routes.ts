import * as z from 'zod';
import {
  findDataset,
  findDatasetToDelete,
  findDatasetToUnlink,
  findOwnDataset,
} from '../../lib/datasets/links/access.ts';
import { linkDataset, listLinked, unlinkDataset } from '../../lib/datasets/links/links.ts';
import { describeDataset, describeStatus, listDatasets } from '../../lib/datasets/manifest/describe.ts';
import { previewDataset } from '../../lib/datasets/manifest/preview.ts';
import type { DatasetPorts } from '../../lib/datasets/ports.ts';
import { describeRepo, type HubsPort } from '../../lib/datasets/repo-info.ts';
import {
  createDatasetSchema,
  type Dataset,
  datasetParams,
  datasetSchema,
  datasetStatusSchema,
  datasetsQuery,
  deleteDatasetQuery,
  importLocalSchema,
  linkBody,
  linkedWorkspaceSchema,
  previewQuery,
  previewSchema,
  repoInfoQuery,
  repoInfoSchema,
  unlinkQuery,
} from '../../lib/datasets/schema.ts';
import { importLocal } from '../../lib/datasets/steps/import-local.ts';
import { refreshDataset } from '../../lib/datasets/steps/refresh.ts';
import { deleteDataset } from '../../lib/datasets/steps/remove.ts';
import {
  cancelDataset,
  createDataset,
  pauseDataset,
  retryDataset,
} from '../../lib/datasets/steps/transitions.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';

const route = routeFor<DatasetPorts & HubsPort & { workspaceRoots: string[] }>();

/** Defines a call that moves a dataset from one state to another. */
function transition(
  call: string,
  summary: string,
  change: (ports: DatasetPorts, dataset: Dataset) => Promise<Dataset>,
) {
  return route({
    method: 'POST',
    path: `/api/datasets/{datasetId}/${call}`,
    summary,
    access: 'member',
    params: datasetParams,
    replies: { 200: datasetSchema },
    refusals: [404, 409],
    async handle({ params, caller }, ports) {
      const dataset = await findOwnDataset(ports.records, caller, params.datasetId);
      return reply(200, await describeDataset(ports.objects, await change(ports, dataset)));
    },
  });
}

function repoInfo(name: string, summary: string, hub: 'hub_a' | 'hub_b') {
  return route({
    method: 'GET',
    path: `/api/datasets/${name}`,
    summary,
    access: 'viewer',
    query: repoInfoQuery,
    replies: { 200: repoInfoSchema },
    refusals: [404, 502],
    handle: async ({ query }, ports) => reply(200, await describeRepo(ports, hub, query)),
  });
}

export const datasetRoutes = [
  route({
    method: 'GET',
    path: '/api/datasets',
    summary: 'List the datasets, newest first',
    description: 'A page may end before its `limit` when manifests are long: go on with `x-next-cursor`.',
    access: 'viewer',
    query: datasetsQuery,
    replies: { 200: z.array(datasetSchema) },
    async handle({ query, caller }, ports) {
      const page = await listDatasets(ports, caller, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/datasets',
    summary: 'Download a repository of a hub, in the background',
    description: 'Poll `GET /api/datasets/{datasetId}/status`.',
    access: 'member',
    body: createDatasetSchema,
    example: { repoId: 'example/owls', source: 'hub_a', allowPatterns: ['*.parquet'] },
    replies: { 201: datasetSchema },
    async handle({ body, caller }, ports) {
      return reply(201, await describeDataset(ports.objects, await createDataset(ports, caller, body)));
    },
  }),
  route({
    method: 'POST',
    path: '/api/datasets/import-local',
    summary: 'Make a dataset of a directory inside WORKSPACE_ROOTS, where it is',
    description:
      'The directory is never copied, changed or deleted. Of a large one the answer is `downloading`: its rows are still being counted.',
    access: 'member',
    body: importLocalSchema,
    example: { localPath: 'library/data', name: 'owls' },
    replies: { 201: datasetSchema },
    refusals: [404],
    async handle({ body, caller }, ports) {
      return reply(201, await describeDataset(ports.objects, await importLocal(ports, caller, body)));
    },
  }),
  repoInfo('repo-info', 'What hub A says about a repository', 'hub_a'),
  repoInfo('modelscope-info', 'What hub B says about a repository', 'hub_b'),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}',
    summary: 'One dataset with its manifest and stats',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: datasetSchema },
    refusals: [404],
    async handle({ params, caller }, { records, objects }) {
      const dataset = await findDataset(records, caller, params.datasetId);
      return reply(200, await describeDataset(objects, dataset));
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/datasets/{datasetId}',
    summary: 'Remove a dataset, in any state; its own folder with deleteFiles=true',
    access: 'member',
    params: datasetParams,
    query: deleteDatasetQuery,
    audit: 'datasets.delete',
    replies: { 200: deletedSchema },
    refusals: [404],
    async handle({ params, query, caller }, ports) {
      const dataset = await findDatasetToDelete(ports.records, caller, params.datasetId);
      await deleteDataset(ports, dataset, query.deleteFiles);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/status',
    summary: 'How far a download is',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: datasetStatusSchema },
    refusals: [404],
    async handle({ params, caller }, { records }) {
      return reply(200, describeStatus(await findDataset(records, caller, params.datasetId)));
    },
  }),
  transition('pause', 'Pause a download: nothing is written any more when this is answered', pauseDataset),
  transition('cancel', 'Cancel a download: nothing is written any more when this is answered', cancelDataset),
  transition(
    'retry',
    'Go on with a download that is paused, failed or cancelled; verified parts are kept',
    retryDataset,
  ),
  route({
    method: 'POST',
    path: '/api/datasets/{datasetId}/refresh',
    summary: 'Work out manifest and stats of a ready dataset from the disk',
    description: '202: it takes longer; `updatedAt` of the dataset changes when it is done.',
    access: 'member',
    params: datasetParams,
    replies: { 200: datasetSchema, 202: datasetSchema },
    refusals: [404, 409],
    async handle({ params, caller }, ports) {
      const found = await findOwnDataset(ports.records, caller, params.datasetId);
      const { dataset, done } = await refreshDataset(ports, found);
      return reply(done ? 200 : 202, await describeDataset(ports.objects, dataset));
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/preview',
    summary: 'Rows of a split of a ready dataset',
    description:
      'Those that are read within 25 s, of at most 20 files: `notices` says what is not among them.',
    access: 'viewer',
    params: datasetParams,
    query: previewQuery,
    replies: { 200: previewSchema },
    refusals: [404, 409],
    async handle({ params, query, caller }, { records, objects }) {
      const dataset = await findDataset(records, caller, params.datasetId);
      return reply(200, await previewDataset(objects, dataset, query));
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/workspaces',
    summary: 'The workspaces that a dataset is linked to, newest link first',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: z.array(linkedWorkspaceSchema) },
    refusals: [404],
    async handle({ params, caller }, { records }) {
      const { id } = await findDataset(records, caller, params.datasetId);
      return reply(200, await listLinked(records, caller, id));
    },
  }),
  route({
    method: 'POST',
    path: '/api/datasets/{datasetId}/workspaces',
    summary:
      'Link a dataset to a workspace, where it appears read-only as `datasets/<name>`; 200 when it is linked',
    access: 'member',
    params: datasetParams,
    body: linkBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    replies: { 200: linkedWorkspaceSchema, 201: linkedWorkspaceSchema },
    refusals: [404, 409],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, params, caller }, ports) {
      const dataset = await findDataset(ports.records, caller, params.datasetId);
      const { link, created } = await linkDataset(ports, caller, dataset, workspace);
      return reply(created ? 201 : 200, link);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/datasets/{datasetId}/workspaces',
    summary: 'Unlink a dataset from a workspace',
    access: 'member',
    params: datasetParams,
    query: unlinkQuery,
    replies: { 200: deletedSchema },
    refusals: [404],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, params, caller }, ports) {
      const dataset = await findDatasetToUnlink(ports.records, caller, params.datasetId);
      await unlinkDataset(ports, dataset, workspace);
      return reply(200, DELETED);
    },
  }),
];
