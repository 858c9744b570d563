import * as z from 'zod';
import { locate, requireWritable } from '../../lib/datasets/links/mounts.ts';
import { provenanceSchema } from '../../lib/documents/provenance.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { browseMounted } from '../../lib/files/browse-mounted.ts';
import { findProvenance, PROVENANCE_ERRORS } from '../../lib/files/find-provenance.ts';
import { answerRaw } from '../../lib/files/raw.ts';
import { openRaw, readWhole } from '../../lib/files/read.ts';
import { readIndexed } from '../../lib/files/read-indexed.ts';
import {
  browseQuery,
  deleteBody,
  deleteQuery,
  entrySchema,
  fileQuery,
  mkdirBody,
  readQuery,
  readSchema,
  renameBody,
  startedUploadSchema,
  startUploadBody,
  uploadBody,
  uploadParams,
  uploadPartsSchema,
  uploadStatusSchema,
  writeBody,
  writtenSchema,
} from '../../lib/files/schema.ts';
import {
  addressParts,
  findUpload,
  startUpload,
  UPLOAD_ERRORS,
  type UploadPorts,
} from '../../lib/files/uploads.ts';
import {
  makeDirectory,
  move,
  remove,
  touchedPaths,
  uploadTarget,
  writeWhole,
} from '../../lib/files/write.ts';
import { tellChange, writeFileFor } from '../../lib/files/write-file.ts';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';

interface FilePorts extends UploadPorts {
  /** Maximum bytes of one response here. */
  maxRawBytes: number;
}

const route = routeFor<FilePorts>();
const bytes = {
  mediaType: '*/*',
  description: 'Bytes of the file, with its content type.',
};

export const fileRoutes = [
  route({
    method: 'GET',
    path: '/api/files/browse',
    operationId: 'listDirectory',
    summary: 'List a directory',
    description: 'Returns directories first, then files, each sorted by name.',
    access: 'viewer',
    query: browseQuery,
    replies: { 200: z.array(entrySchema) },
    errors: [...PATH_ERRORS],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await browseMounted(records, workspace, query)),
  }),
  route({
    method: 'GET',
    path: '/api/files/read',
    operationId: 'readFile',
    summary: 'Read a file',
    description: 'Returns the content of a file of at most 5 MB as text, or as Base64 if it is not text.',
    access: 'viewer',
    query: readQuery,
    replies: { 200: readSchema },
    errors: [...PATH_ERRORS, 'indexed_text_not_found'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query }, { records, objects }) {
      const { root, path, prefix } = await locate(records, workspace, query.path);
      const file =
        query.as === 'indexed'
          ? await readIndexed(objects, workspace.id, root, path)
          : await readWhole(root, path);
      return reply(200, { ...file, path: prefix + file.path });
    },
  }),
  route({
    method: 'GET',
    path: '/api/files/provenance',
    operationId: 'getFileProvenance',
    summary: 'Get the provenance of a file',
    description:
      'Returns where the contents of a file came from: the source that keeps the file up to date, or the page or paper that was saved. Nothing is known of a file that was changed here since then.',
    access: 'viewer',
    query: fileQuery,
    replies: { 200: provenanceSchema },
    errors: [...PATH_ERRORS, ...PROVENANCE_ERRORS],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      reply(200, await findProvenance(records, workspace, query.path)),
  }),
  route({
    method: 'GET',
    path: '/api/files/raw',
    operationId: 'downloadFile',
    summary: 'Download a file',
    description:
      'Streams the bytes of a file. Supports `Range` and `ETag`. On AWS, a response has at most 128 MB: a longer range returns its beginning (`content-range` shows how much), and a larger file without a range returns 413.',
    access: 'viewer',
    query: fileQuery,
    requestHeaders: ['Range'],
    replyHeaders: ['content-disposition'],
    replies: { 200: bytes, 206: bytes, 304: { ...bytes, description: 'Not changed since `If-None-Match`.' } },
    errors: [...PATH_ERRORS, 'invalid_range'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query, headers }, { records, maxRawBytes }) {
      const { root, path } = await locate(records, workspace, query.path);
      const file = await openRaw(root, path);
      const answer = await answerRaw(file, query.path, headers, maxRawBytes);
      return reply(answer.status, answer.body, answer.headers);
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/write',
    operationId: 'writeFile',
    summary: 'Write a text file',
    description:
      'Creates or replaces a UTF-8 text file atomically. Returns 409 if the existing file has another text encoding (`encoding` of `GET /api/files/read`).',
    access: 'member',
    body: writeBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      path: 'owls.md',
      content: '# Owls\n\nThey hunt at night.\n',
    },
    replies: { 200: writtenSchema },
    errors: [...PATH_ERRORS, 'changed_since_read', 'dataset_read_only', 'file_not_utf8'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(200, await writeFileFor(ports, caller, workspace, body)),
  }),
  route({
    method: 'POST',
    path: '/api/files/upload',
    operationId: 'uploadFile',
    summary: 'Upload a file',
    description: 'Accepts a file of at most 4.5 MB. Upload larger files with `POST /api/files/uploads`.',
    access: 'member',
    body: uploadBody,
    bodyType: 'multipart/form-data',
    replies: { 201: writtenSchema },
    errors: [...PATH_ERRORS, 'dataset_read_only'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace: { id, rootPath }, body, caller }, ports) {
      await requireWritable(ports.records, id, body.path);
      const target = await uploadTarget(rootPath, body.path, body.file.filename);
      await requireWritable(ports.records, id, target);
      const written = await writeWhole(rootPath, target, body.file.content);
      const { path, size } = written;
      await tellChange(ports, caller, id, await touchedPaths(rootPath, path), {
        kind: 'file_uploaded',
        summary: `Uploaded ${path}`,
        details: { path, size },
      });
      return reply(201, written);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/files/delete',
    operationId: 'deleteFile',
    summary: 'Delete a file or directory',
    description:
      'Deletes a directory with everything in it. Send `workspaceId` and `path` either as a JSON body or as query parameters.',
    access: 'member',
    query: deleteQuery,
    body: deleteBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', path: 'drafts' },
    bodyOptional: true,
    audit: 'files.delete',
    auditAbout: ({ body, query }) => deletion(body, query).path,
    mayBeLate: true,
    replies: { 200: deletedSchema },
    errors: [...PATH_ERRORS, 'dataset_read_only', 'workspace_root_protected'],
    workspace: ({ body, query }) => deletion(body, query).workspaceId,
    async handle({ workspace: { id, rootPath }, body, query, caller }, ports) {
      const { path } = deletion(body, query);
      await requireWritable(ports.records, id, path);
      const touched = await touchedPaths(rootPath, path);
      await remove(rootPath, path);
      await tellChange(ports, caller, id, touched, {
        kind: 'file_deleted',
        summary: `Deleted ${path}`,
        details: { path },
      });
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/rename',
    operationId: 'renameFile',
    summary: 'Rename or move a file or directory',
    access: 'member',
    body: renameBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      oldPath: 'owls.md',
      newPath: 'birds/owls.md',
    },
    replies: { 200: entrySchema },
    errors: [...PATH_ERRORS, 'dataset_read_only', 'workspace_root_protected'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace: { id, rootPath }, body, caller }, ports) {
      const { oldPath, newPath } = body;
      await requireWritable(ports.records, id, oldPath, 'oldPath');
      await requireWritable(ports.records, id, newPath, 'newPath');
      const { entry, touched } = await move(rootPath, oldPath, newPath, body.overwrite);
      await tellChange(ports, caller, id, touched, {
        kind: 'file_moved',
        summary: `Moved ${oldPath} to ${newPath}`,
        details: { path: newPath, oldPath },
      });
      return reply(200, entry);
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/mkdir',
    operationId: 'createDirectory',
    summary: 'Create a directory',
    description: 'Also creates missing parent directories. Returns 200 if the directory already exists.',
    access: 'member',
    body: mkdirBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', path: 'birds' },
    replies: { 200: entrySchema, 201: entrySchema },
    errors: [...PATH_ERRORS, 'dataset_read_only'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace: { id, rootPath }, body, caller }, ports) {
      await requireWritable(ports.records, id, body.path);
      const { created, entry } = await makeDirectory(rootPath, body.path);
      const { path } = entry;
      if (created)
        await tellChange(ports, caller, id, [], {
          kind: 'directory_made',
          summary: `Made the directory ${path}`,
          details: { path },
        });
      return reply(created ? 201 : 200, entry);
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/uploads',
    operationId: 'startUpload',
    summary: 'Start a large upload',
    description: 'Returns a URL. Send the bytes to it with `PUT`.',
    access: 'member',
    body: startUploadBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      path: 'papers/owls.pdf',
      size: 20_000_000,
    },
    replies: { 201: startedUploadSchema },
    errors: [...PATH_ERRORS, 'dataset_read_only'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      await requireWritable(ports.records, workspace.id, body.path);
      return reply(201, await startUpload(ports, workspace, { ...body, caller }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/files/uploads/{uploadId}',
    operationId: 'getUpload',
    summary: 'Get the status of a large upload',
    access: 'viewer',
    params: uploadParams,
    replies: { 200: uploadStatusSchema },
    errors: [...UPLOAD_ERRORS],
    async handle({ params, caller }, ports) {
      const { status, error } = await findUpload(ports, caller, params.uploadId);
      return reply(200, { status, error });
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/uploads/{uploadId}/parts',
    operationId: 'createUploadPartUrls',
    summary: 'Create URLs for the parts of an upload',
    description:
      'Sends a large upload in parts instead of with one `PUT`. Returns a URL for each part that has not arrived yet, so that an interrupted upload can continue.',
    access: 'member',
    params: uploadParams,
    replies: { 200: uploadPartsSchema },
    errors: [...UPLOAD_ERRORS, 'upload_closed'],
    async handle({ params, caller }, ports) {
      return reply(200, await addressParts(ports, caller, params.uploadId));
    },
  }),
];

function deletion(
  body: { workspaceId: string; path: string } | undefined,
  query: { workspaceId?: string; path?: string },
): { workspaceId: string; path: string } {
  if (body !== undefined && (query.path ?? body.path) !== body.path)
    throw new InvalidInput('invalid_value', 'path must be the same in the body and in the query.', {
      field: 'path',
    });
  const { workspaceId, path } = body ?? query;
  if (workspaceId === undefined)
    throw new InvalidInput('missing_value', 'workspaceId is required.', { field: 'workspaceId' });
  if (path === undefined) throw new InvalidInput('missing_value', 'path is required.', { field: 'path' });
  return { workspaceId, path };
}
