import { Readable } from 'node:stream';
import type { Caller } from '../../lib/access/caller.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { contentDisposition } from '../../lib/http/content-disposition.ts';
import { DELETED, deletedSchema, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { BEGIN_CHECK_ERRORS, beginCheck } from '../../lib/verify/begin.ts';
import { deleteCheck } from '../../lib/verify/delete-check.ts';
import { exportCheck } from '../../lib/verify/export.ts';
import { CHECK_ERRORS, describeCheck, findCheck } from '../../lib/verify/find-check.ts';
import type { BeginCheckPorts } from '../../lib/verify/ports.ts';
import {
  checkExportQuery,
  checkParams,
  draftCheckSchema,
  sentenceParams,
  startedCheckSchema,
  type VerifyBody,
  verifyBody,
} from '../../lib/verify/request-schema.ts';
import { SUGGESTION_ERRORS, suggestCorrection, suggestionSchema } from '../../lib/verify/suggest.ts';
import { findWorkspaces } from '../../lib/workspaces/access.ts';
import type { Workspace } from '../../lib/workspaces/schema.ts';

const route = routeFor<BeginCheckPorts>();
const path = '/api/verify/{runId}';

/**
 * Returns the workspaces that a request names in either way. The one in `workspaceId` has already been found.
 */
async function workspacesOf(
  { records }: BeginCheckPorts,
  caller: Caller,
  { workspaceId, workspaceIds }: VerifyBody,
  named: Workspace | null | undefined,
): Promise<[Workspace, ...Workspace[]]> {
  if (workspaceId !== undefined && workspaceIds !== undefined)
    throw new InvalidInput('invalid_value', "workspaceIds can't be combined with workspaceId.", {
      field: 'workspaceIds',
    });
  if (named) return [named];
  const [first, ...others] = await findWorkspaces(records, caller, workspaceIds ?? []);
  if (first === undefined)
    throw new InvalidInput('missing_value', 'workspaceId is required, or workspaceIds.', {
      field: 'workspaceId',
    });
  return [first, ...others];
}

export const verifyRoutes = [
  route({
    method: 'POST',
    path: '/api/verify',
    operationId: 'startDraftCheck',
    summary: 'Check a draft against the files',
    description:
      "Finds the sentences of a draft (DOCX, Markdown, LaTeX, HTML, or plain text) that hold a claim, searches the files of one or several workspaces for each, and compares them with the quotes. Saved papers are files, so they are searched too. The draft itself is no evidence, even if it is a file of the workspace, and neither are files of which it seems to be a version. Send exactly one of `text`, `path`, and `attachment`. The run continues in the background. A draft that takes long to read is read there, too: if it can't be read or is too large, the run fails with the reason. Follow it with `GET /api/agent/runs/{runId}/stream`, which sends `data-verdicts`, `data-checked`, and, every few seconds, `data-progress`. Stop it with `POST /api/agent/runs/{runId}/stop`. To find evidence for one sentence, send it as `text`, and its file in `without`.",
    access: 'member',
    body: verifyBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', path: 'drafts/owls.docx', judge: false },
    replies: { 202: startedCheckSchema },
    errors: [...BEGIN_CHECK_ERRORS],
    workspace: ({ body }) => body.workspaceId ?? null,
    async handle({ workspace, body, caller }, ports) {
      const { workspaceId: _, workspaceIds: __, ...wanted } = body;
      return reply(
        202,
        await beginCheck(ports, caller, await workspacesOf(ports, caller, body, workspace), wanted),
      );
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getDraftCheck',
    summary: 'Get the check of a draft',
    description:
      'Returns the verdicts so far, with their quotes. Only callers who can read every workspace that was searched get it, and of a text or an attachment that is not shared, its starter and global administrators.',
    access: 'viewer',
    params: checkParams,
    replies: { 200: draftCheckSchema },
    errors: [...CHECK_ERRORS, 'disk_full'],
    async handle({ params, caller }, ports) {
      return reply(200, await describeCheck(ports, await findCheck(ports.records, caller, params.runId)));
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteDraftCheck',
    summary: 'Delete the check of a draft',
    description:
      'Deletes the stored draft, the verdicts, and the suggestions of a check that is over, and the checks of its sentences (`partOf`). Its run is no longer listed. Callers who can read the check can delete it.',
    access: 'member',
    params: checkParams,
    audit: 'checks.delete',
    replies: { 200: deletedSchema },
    errors: [...CHECK_ERRORS, 'draft_check_not_ready'],
    async handle({ params, caller }, ports) {
      await deleteCheck(ports, await findCheck(ports.records, caller, params.runId));
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/export`,
    operationId: 'exportDraftCheck',
    summary: 'Export the check of a draft',
    description:
      "Returns the check as Markdown or JSON or, for a DOCX draft, the author's own file with the verdicts as Word comments.",
    access: 'viewer',
    params: checkParams,
    query: checkExportQuery,
    replyHeaders: ['content-disposition'],
    replies: { 200: { mediaType: '*/*', description: 'File in the requested format.' } },
    errors: [...CHECK_ERRORS, 'draft_check_not_ready', 'draft_export_unsupported', 'disk_full'],
    async handle({ params, query, caller }, ports) {
      const found = await findCheck(ports.records, caller, params.runId);
      const { bytes, contentType, name } = await exportCheck(ports, found, query.format);
      return reply(200, Readable.from([bytes]), {
        'content-type': contentType,
        'content-disposition': contentDisposition(name),
      });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/sentences/{n}/suggestion`,
    operationId: 'suggestCorrection',
    summary: 'Suggest a correction of a sentence',
    description:
      'A model rewrites the sentence so that its quotes say all of it. Code compares the result with the quotes before it is returned. The suggestion is stored: the next request for the sentence returns the same one, without a model call.',
    access: 'member',
    params: sentenceParams,
    replies: { 200: suggestionSchema },
    errors: [...SUGGESTION_ERRORS],
    async handle({ params, caller }, ports) {
      const found = await findCheck(ports.records, caller, params.runId);
      return reply(200, await suggestCorrection(ports, caller, found, params.n));
    },
  }),
];
