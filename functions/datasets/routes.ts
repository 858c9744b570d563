import * as z from 'zod';
import {
  DATASET_ERRORS,
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
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type Route, routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { HUB_ERRORS } from '../../lib/ports/hub.ts';

const route = routeFor<DatasetPorts & HubsPort & { workspaceRoots: string[] }>();

/** Defines a route that changes a dataset's state. */
function transition(
  call: string,
  { operationId, summary, description }: Pick<Route<never>, 'operationId' | 'summary' | 'description'>,
  change: (ports: DatasetPorts, dataset: Dataset) => Promise<Dataset>,
) {
  return route({
    method: 'POST',
    path: `/api/datasets/{datasetId}/${call}`,
    operationId,
    summary,
    description,
    access: 'member',
    params: datasetParams,
    replies: { 200: datasetSchema },
    errors: [...DATASET_ERRORS, 'dataset_wrong_state'],
    async handle({ params, caller }, ports) {
      const dataset = await findOwnDataset(ports.records, caller, params.datasetId);
      return reply(200, await describeDataset(ports.objects, await change(ports, dataset)));
    },
  });
}

function repoInfo(
  name: string,
  { operationId, summary }: Pick<Route<never>, 'operationId' | 'summary'>,
  hub: 'hub_a' | 'hub_b',
) {
  return route({
    method: 'GET',
    path: `/api/datasets/${name}`,
    operationId,
    summary,
    access: 'viewer',
    query: repoInfoQuery,
    replies: { 200: repoInfoSchema },
    errors: [...HUB_ERRORS, 'hub_type_unsupported'],
    handle: async ({ query }, ports) => reply(200, await describeRepo(ports, hub, query)),
  });
}

export const datasetRoutes = [
  route({
    method: 'GET',
    path: '/api/datasets',
    operationId: 'listDatasets',
    summary: 'List datasets',
    description:
      'Returns the datasets, newest first. A page may contain fewer items than its `limit`; continue with `x-next-cursor`.',
    access: 'viewer',
    query: datasetsQuery,
    replies: { 200: z.array(datasetSchema) },
    handle: async ({ query, caller }, ports) => replyPage(await listDatasets(ports, caller, query)),
  }),
  route({
    method: 'POST',
    path: '/api/datasets',
    operationId: 'createDataset',
    summary: 'Create a dataset from a hub repository',
    description:
      'Downloads a repository from Hugging Face or ModelScope in the background. Poll `GET /api/datasets/{datasetId}/status` for its progress.',
    access: 'member',
    body: createDatasetSchema,
    example: { repoId: 'example/owls', source: 'hub_a', allowPatterns: ['*.parquet'] },
    replies: { 201: datasetSchema },
    errors: ['hub_type_unsupported'],
    async handle({ body, caller }, ports) {
      return reply(201, await describeDataset(ports.objects, await createDataset(ports, caller, body)));
    },
  }),
  route({
    method: 'POST',
    path: '/api/datasets/import-local',
    operationId: 'importLocalDataset',
    summary: 'Import a local directory as a dataset',
    description:
      'The directory must be inside WORKSPACE_ROOTS. It is never copied, changed, or deleted. For a large directory, the returned status is `downloading` while its rows are counted.',
    access: 'member',
    body: importLocalSchema,
    example: { localPath: 'library/data', name: 'owls' },
    replies: { 201: datasetSchema },
    errors: [...PATH_ERRORS, 'path_outside_roots', 'workspace_access_denied'],
    async handle({ body, caller }, ports) {
      return reply(201, await describeDataset(ports.objects, await importLocal(ports, caller, body)));
    },
  }),
  repoInfo(
    'repo-info',
    { operationId: 'getHuggingFaceRepo', summary: 'Get information about a Hugging Face repository' },
    'hub_a',
  ),
  repoInfo(
    'modelscope-info',
    { operationId: 'getModelScopeRepo', summary: 'Get information about a ModelScope repository' },
    'hub_b',
  ),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}',
    operationId: 'getDataset',
    summary: 'Get a dataset',
    description: 'Returns the dataset with its manifest and statistics.',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: datasetSchema },
    errors: [...DATASET_ERRORS],
    async handle({ params, caller }, { records, objects }) {
      const dataset = await findDataset(records, caller, params.datasetId);
      return reply(200, await describeDataset(objects, dataset));
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/datasets/{datasetId}',
    operationId: 'deleteDataset',
    summary: 'Delete a dataset',
    description:
      'A dataset can be deleted in any state. With `deleteFiles=true`, its own folder is deleted too.',
    access: 'member',
    params: datasetParams,
    query: deleteDatasetQuery,
    audit: 'datasets.delete',
    replies: { 200: deletedSchema },
    errors: [...DATASET_ERRORS],
    async handle({ params, query, caller }, ports) {
      const dataset = await findDatasetToDelete(ports.records, caller, params.datasetId);
      await deleteDataset(ports, dataset, query.deleteFiles);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/status',
    operationId: 'getDatasetStatus',
    summary: 'Get the progress of a download',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: datasetStatusSchema },
    errors: [...DATASET_ERRORS],
    async handle({ params, caller }, { records }) {
      return reply(200, describeStatus(await findDataset(records, caller, params.datasetId)));
    },
  }),
  transition(
    'pause',
    {
      operationId: 'pauseDataset',
      summary: 'Pause a download',
      description: 'Nothing more is written once this call returns.',
    },
    pauseDataset,
  ),
  transition(
    'cancel',
    {
      operationId: 'cancelDataset',
      summary: 'Cancel a download',
      description: 'Nothing more is written once this call returns.',
    },
    cancelDataset,
  ),
  transition(
    'retry',
    {
      operationId: 'retryDataset',
      summary: 'Resume a download',
      description: 'Continues a download that is paused, failed, or canceled. Verified parts are kept.',
    },
    retryDataset,
  ),
  route({
    method: 'POST',
    path: '/api/datasets/{datasetId}/refresh',
    operationId: 'refreshDataset',
    summary: 'Refresh the manifest of a dataset',
    description:
      'Computes the manifest and statistics of a ready dataset again from the files on disk. Returns 202 if this takes longer; `updatedAt` of the dataset changes when it is done.',
    access: 'member',
    params: datasetParams,
    replies: { 200: datasetSchema, 202: datasetSchema },
    errors: [
      ...PATH_ERRORS,
      ...DATASET_ERRORS,
      'changed_since_read',
      'dataset_files_missing',
      'dataset_too_many_files',
      'dataset_wrong_state',
    ],
    async handle({ params, caller }, ports) {
      const found = await findOwnDataset(ports.records, caller, params.datasetId);
      const { dataset, done } = await refreshDataset(ports, found);
      return reply(done ? 200 : 202, await describeDataset(ports.objects, dataset));
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/preview',
    operationId: 'previewDataset',
    summary: 'Preview rows of a dataset',
    description:
      'Returns the rows of one split that can be read within 25 seconds, from at most 20 files. `notices` lists what is missing.',
    access: 'viewer',
    params: datasetParams,
    query: previewQuery,
    replies: { 200: previewSchema },
    errors: [
      ...PATH_ERRORS,
      ...DATASET_ERRORS,
      'dataset_files_missing',
      'dataset_preview_failed',
      'dataset_split_not_found',
      'dataset_wrong_state',
      'path_outside_workspace',
    ],
    async handle({ params, query, caller }, { records, objects }) {
      const dataset = await findDataset(records, caller, params.datasetId);
      return reply(200, await previewDataset(objects, dataset, query));
    },
  }),
  route({
    method: 'GET',
    path: '/api/datasets/{datasetId}/workspaces',
    operationId: 'listDatasetWorkspaces',
    summary: 'List the workspaces of a dataset',
    description: 'Returns the workspaces that the dataset is linked to, newest link first.',
    access: 'viewer',
    params: datasetParams,
    replies: { 200: z.array(linkedWorkspaceSchema) },
    errors: [...DATASET_ERRORS],
    async handle({ params, caller }, { records }) {
      const { id } = await findDataset(records, caller, params.datasetId);
      return reply(200, await listLinked(records, caller, id));
    },
  }),
  route({
    method: 'POST',
    path: '/api/datasets/{datasetId}/workspaces',
    operationId: 'linkDataset',
    summary: 'Link a dataset to a workspace',
    description:
      'The dataset appears in the workspace as the read-only folder `datasets/<name>`. Returns 200 if it is already linked.',
    access: 'member',
    params: datasetParams,
    body: linkBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    replies: { 200: linkedWorkspaceSchema, 201: linkedWorkspaceSchema },
    errors: [...PATH_ERRORS, ...DATASET_ERRORS, 'dataset_link_refused', 'dataset_name_taken'],
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
    operationId: 'unlinkDataset',
    summary: 'Unlink a dataset from a workspace',
    access: 'member',
    params: datasetParams,
    query: unlinkQuery,
    replies: { 200: deletedSchema },
    errors: ['dataset_link_not_found', 'dataset_not_found'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, params, caller }, ports) {
      const dataset = await findDatasetToUnlink(ports.records, caller, params.datasetId);
      await unlinkDataset(ports, dataset, workspace);
      return reply(200, DELETED);
    },
  }),
];
