import * as z from 'zod';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { pageQuery } from '../../lib/records/page.ts';
import {
  changeSourceBody,
  createSourceBody,
  deleteSourceQuery,
  type StoredSource,
  sourceParams,
  sourceRunSchema,
  syncSourceQuery,
  workspaceSourceSchema,
} from '../../lib/sources/schema.ts';
import {
  CREATE_SOURCE_ERRORS,
  changeSource,
  createSource,
  deleteSource,
  describeWorkspaceSource,
  type EditSourcePorts,
  findSource,
  listSourceRuns,
  listSources,
  SOURCE_ERRORS,
  startSourceSync,
} from '../../lib/sources/sources.ts';
import { scheduleOf, scheduleSource } from '../../lib/tasks/source-schedule.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

type Ports = HttpPorts & EditSourcePorts;
const route = routeFor<Ports>();
const all = '/api/workspaces/{workspaceId}/sources';
const path = `${all}/{sourceId}`;

function describe({ records }: Pick<Ports, 'records'>, source: StoredSource) {
  return describeWorkspaceSource(records, source, scheduleOf);
}

export const sourceRoutes = [
  route({
    method: 'GET',
    path: all,
    operationId: 'listSources',
    summary: 'List the sources of a workspace',
    description:
      'Returns the sources by name, with their latest runs. Passwords and keys are never returned.',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: z.array(workspaceSourceSchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, { records }) =>
      reply(200, await listSources(records, workspace.id, scheduleOf)),
  }),
  route({
    method: 'POST',
    path: all,
    operationId: 'createSource',
    summary: 'Add a source to a workspace',
    description:
      'Adds a library of Zotero, a folder of a WebDAV server, or a bucket of S3. Its files are copied to `sources/<name>/`, for all members of the workspace: a source has no rights of its own. The credentials are checked and stored as a secret. The first sync starts with `POST …/sync`.',
    access: 'member',
    params: workspaceParams,
    body: createSourceBody,
    example: { name: 'Zotero', kind: 'zotero', config: { apiKey: 'P9NiFoyLeZu2bZNvvuQPDWsd' } },
    replies: { 201: workspaceSourceSchema },
    errors: [...CREATE_SOURCE_ERRORS, ...SOURCE_ERRORS, 'concurrent_changes'],
    audit: 'sources.create',
    auditAbout: ({ body: { name, kind } }) => `${name}: ${kind}`,
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      const source = await createSource(ports, caller, workspace.id, body);
      if (body.schedule === undefined) return reply(201, await describe(ports, source));
      const taskId = await scheduleSource(ports, caller, workspace, source, body.schedule);
      return reply(201, await describe(ports, await changeSource(ports, source, {}, { taskId })));
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getSource',
    summary: 'Get a source',
    access: 'viewer',
    params: sourceParams,
    replies: { 200: workspaceSourceSchema },
    errors: [...SOURCE_ERRORS],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, params }, ports) =>
      reply(200, await describe(ports, await findSource(ports.records, workspace.id, params.sourceId))),
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'updateSource',
    summary: 'Update a source',
    description:
      'Changes the credentials, the schedule, or the limits. Only the fields that you send. The schedule is a scheduled task, which runs with your rights.',
    access: 'member',
    params: sourceParams,
    body: changeSourceBody,
    example: { schedule: '0 6 * * *' },
    replies: { 200: workspaceSourceSchema },
    errors: [
      ...CREATE_SOURCE_ERRORS,
      ...SOURCE_ERRORS,
      'source_user_differs',
      'concurrent_changes',
      'task_not_found',
    ],
    audit: 'sources.change',
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, body, caller }, ports) {
      const { schedule, ...fields } = body;
      const source = await findSource(ports.records, workspace.id, params.sourceId);
      const more =
        schedule === undefined
          ? {}
          : { taskId: await scheduleSource(ports, caller, workspace, source, schedule) };
      return reply(200, await describe(ports, await changeSource(ports, source, fields, more)));
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description:
      'Deletes the source with its password or key, its schedule, and its history, and its files unless `keepFiles` is true. Files that were changed here always stay. A worker deletes the files shortly afterwards.',
    access: 'member',
    params: sourceParams,
    query: deleteSourceQuery,
    replies: { 200: deletedSchema },
    errors: [...SOURCE_ERRORS, 'concurrent_changes', 'task_not_found'],
    audit: 'sources.delete',
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, query, caller }, ports) {
      const source = await findSource(ports.records, workspace.id, params.sourceId);
      await scheduleSource(ports, caller, workspace, source, null);
      await deleteSource(ports, source, query);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/sync`,
    operationId: 'syncSource',
    summary: 'Start a sync of a source',
    description:
      'Starts a sync, or joins the one in progress. Poll the source for its progress. A file that was changed here is never overwritten: the version of the source is stored next to it. Files that no longer exist at the source are in `.trash` in the folder of the source for 30 days.',
    access: 'member',
    params: sourceParams,
    query: syncSourceQuery,
    replies: { 202: sourceRunSchema },
    errors: [...SOURCE_ERRORS, 'concurrent_changes'],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, query: { dryRun } }, ports) {
      const source = await findSource(ports.records, workspace.id, params.sourceId);
      return reply(202, await startSourceSync(ports, source, { dryRun, trigger: 'manual' }));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/runs`,
    operationId: 'listSourceRuns',
    summary: 'List the syncs of a source',
    description: 'Returns the runs of the last 90 days, newest first, with their changes and conflicts.',
    access: 'viewer',
    params: sourceParams,
    query: pageQuery,
    replies: { 200: z.array(sourceRunSchema) },
    errors: [...SOURCE_ERRORS],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, query }, { records }) {
      const source = await findSource(records, workspace.id, params.sourceId);
      return replyPage(await listSourceRuns(records, source, query));
    },
  }),
];
