import * as z from 'zod';
import { locate, requireWritable } from '../../lib/datasets/links/mounts.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { browseMounted } from '../../lib/files/browse-mounted.ts';
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
import { addressParts, findUpload, startUpload, type UploadPorts } from '../../lib/files/uploads.ts';
import {
  makeDirectory,
  move,
  remove,
  touchedPaths,
  uploadTarget,
  writeWhole,
} from '../../lib/files/write.ts';
import { tellChange, writeFileFor } from '../../lib/files/write-file.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';

interface FilePorts extends UploadPorts {
  /** What one answer may carry here. */
  maxRawBytes: number;
}

const route = routeFor<FilePorts>();
const bytes = {
  mediaType: '*/*',
  description: 'The bytes, with the content type of the file',
};

export const fileRoutes = [
  route({
    method: 'GET',
    path: '/api/files/browse',
    summary: 'List a directory: directories first, then by name',
    access: 'viewer',
    query: browseQuery,
    replies: { 200: z.array(entrySchema) },
    refusals: [404],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query }, { records }) {
      const page = await browseMounted(records, workspace, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'GET',
    path: '/api/files/read',
    summary: 'Read a file of at most 5 MB',
    access: 'viewer',
    query: readQuery,
    replies: { 200: readSchema },
    refusals: [404, 413],
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
    path: '/api/files/raw',
    summary: 'Stream the bytes of a file, with Range and ETag',
    description:
      'On AWS an answer has at most 128 MB: a longer range is answered by its beginning (`content-range` says how far), a ' +
      'larger file without a range by 413.',
    access: 'viewer',
    query: fileQuery,
    replies: { 200: bytes, 206: bytes, 304: { ...bytes, description: 'Not changed since If-None-Match' } },
    refusals: [404, 413, 416],
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
    summary: 'Make or replace a text file, atomically',
    description: 'It is UTF-8: over text in another encoding (`encoding` of read) it answers 409.',
    access: 'member',
    body: writeBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      path: 'owls.md',
      content: '# Owls\n\nThey hunt at night.\n',
    },
    replies: { 200: writtenSchema },
    refusals: [404, 409],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(200, await writeFileFor(ports, caller, workspace, body)),
  }),
  route({
    method: 'POST',
    path: '/api/files/upload',
    summary: 'Upload a file of at most 4.5 MB',
    description: 'Larger files go through `POST /api/files/uploads`.',
    access: 'member',
    body: uploadBody,
    bodyType: 'multipart/form-data',
    replies: { 201: writtenSchema },
    refusals: [404, 409, 413],
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
    summary: 'Remove a file or a whole directory',
    description: 'Takes `workspaceId` and `path` as JSON body or as query.',
    access: 'member',
    query: deleteQuery,
    body: deleteBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', path: 'drafts' },
    bodyOptional: true,
    audit: 'files.delete',
    auditAbout: ({ body, query }) => deletion(body, query).path,
    replies: { 200: deletedSchema },
    refusals: [404, 409],
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
    summary: 'Rename or move a file or directory',
    access: 'member',
    body: renameBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      oldPath: 'owls.md',
      newPath: 'birds/owls.md',
    },
    replies: { 200: entrySchema },
    refusals: [404, 409],
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
    summary: 'Make a directory and its parents; harmless when it is there',
    access: 'member',
    body: mkdirBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', path: 'birds' },
    replies: { 200: entrySchema, 201: entrySchema },
    refusals: [404, 409],
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
    summary: 'Begin a large upload: PUT the bytes to the address in the answer',
    access: 'member',
    body: startUploadBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      path: 'papers/owls.pdf',
      size: 20_000_000,
    },
    replies: { 201: startedUploadSchema },
    refusals: [404],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      await requireWritable(ports.records, workspace.id, body.path);
      return reply(201, await startUpload(ports, workspace, { ...body, actor: caller.id }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/files/uploads/{uploadId}',
    summary: 'How far a large upload is',
    access: 'viewer',
    params: uploadParams,
    replies: { 200: uploadStatusSchema },
    refusals: [404],
    async handle({ params, caller }, ports) {
      const { status, error } = await findUpload(ports, caller, params.uploadId);
      return reply(200, { status, error });
    },
  }),
  route({
    method: 'POST',
    path: '/api/files/uploads/{uploadId}/parts',
    summary: 'Send a large upload in parts: addresses for those that have not come yet',
    description: 'Instead of the one PUT. What broke off goes on with what is missing.',
    access: 'member',
    params: uploadParams,
    replies: { 200: uploadPartsSchema },
    refusals: [404, 409],
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
