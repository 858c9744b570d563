import * as z from 'zod';
import { type Caller, callerSchema } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { requireWritable } from '../datasets/links/mounts.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, NotFound, ServiceError } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { isDiskFull } from '../known-error.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { requireRights } from '../tokens/rights.ts';
import { findWorkspace, guardedPlaceOf, requireApart, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { type Upload, type UploadParts, uploads } from './schema.ts';
import {
  arrivedParts,
  dropUploaded,
  notePart,
  objectKey,
  openUploaded,
  partKey,
  partsIn,
  readKey,
} from './upload-bytes.ts';
import { confineFile, refuseDirectory, writeStream } from './write.ts';

/** Error codes for an upload that the caller names. */
export const UPLOAD_ERRORS = [...WORKSPACE_ERRORS, 'upload_not_found'] as const satisfies ErrorCode[];

export interface UploadPorts {
  records: Records;
  objects: Objects;
  filesChanged: FilesChanged;
  clock: Clock;
}

const EXPIRES_SECONDS = 3600;

/** Prepares a large upload: the client PUTs the bytes to the URL, and a worker moves them into the workspace. */
export async function startUpload(
  { records, objects, clock }: Omit<UploadPorts, 'filesChanged'>,
  workspace: Workspace,
  { path, size, caller }: { path: string; size: number; caller: Caller },
) {
  // Checked here to avoid a useless upload of 5 GB, and again when the bytes are moved.
  await refuseDirectory(await confineFile(workspace.rootPath, path));
  const id = newId();
  const fields = {
    id,
    workspaceId: workspace.id,
    path,
    size,
    status: 'waiting' as const,
    actor: caller.id,
    caller: callerSchema.parse(caller),
    createdAt: timestamp(clock),
  };
  await uploads.create(records, fields);
  const request = await objects.presignPut(objectKey(id), { size, expiresInSeconds: EXPIRES_SECONDS });
  return { uploadId: id, ...request };
}

/**
 * Returns the upload for a caller who may use its workspace. Throws NotFound, also if it was started more
 * than a day ago, and the errors of findWorkspace. Reports an upload whose bytes never arrived as failed, but
 * doesn't store that, because bytes that were in transit when the URL expired may still arrive.
 */
export async function findUpload(
  { records, objects, clock }: Omit<UploadPorts, 'filesChanged'>,
  caller: Caller,
  uploadId: string,
): Promise<Upload> {
  const upload = await uploads.get(records, { id: uploadId });
  if (upload === undefined) throw new NotFound('upload_not_found', 'This upload does not exist.');
  await findWorkspace(records, caller, upload.workspaceId);
  const { createdAt, addressedAt = createdAt } = upload;
  const expired = Date.parse(addressedAt) + EXPIRES_SECONDS * 1000 < clock.now();
  if (upload.status !== 'waiting' || !expired || (await hasArrived(objects, uploadId))) return upload;
  return { ...upload, status: 'failed', error: 'The upload URL has expired. Start a new upload.' };
}

/**
 * Returns URLs for the missing parts, with which an interrupted upload continues, even from another page.
 * Throws the errors of findUpload, and Conflict for an upload that accepts no more parts.
 */
export async function addressParts(
  ports: Omit<UploadPorts, 'filesChanged'>,
  caller: Caller,
  uploadId: string,
): Promise<UploadParts> {
  const { records, objects, clock } = ports;
  const { status } = await findUpload(ports, caller, uploadId);
  const set = { addressedAt: timestamp(clock) };
  const upload = await ifExpected(uploads.update(records, { id: uploadId }, { set }, { status: 'waiting' }));
  if (upload === undefined)
    throw new Conflict('upload_closed', `This upload is ${status} and accepts no more parts.`);
  const { partBytes, lengths } = partsIn(upload.size);
  const arrived = await arrivedParts(records, uploadId);
  const numbers = [...lengths.keys()].filter((number) => !arrived.has(number));
  const address = async (number: number) => {
    const options = { size: lengths[number] ?? 0, expiresInSeconds: EXPIRES_SECONDS };
    const { url, headers } = await objects.presignPut(partKey(uploadId, number), options);
    return { number, url, headers };
  };
  const expiresAt = new Date(clock.now() + EXPIRES_SECONDS * 1000).toISOString();
  return { partBytes, count: lengths.length, missing: await Promise.all(numbers.map(address)), expiresAt };
}

async function hasArrived(objects: Objects, uploadId: string): Promise<boolean> {
  const object = await objects.get(objectKey(uploadId));
  object?.body.on('error', () => {}).destroy();
  return object !== undefined;
}

/** The used fields of an S3 event notification, whose keys are form-encoded. */
export const uploadedMessageSchema = z.object({
  /** Absent in the s3:TestEvent that S3 sends when the notification is configured. */
  Records: z.array(z.object({ s3: z.object({ object: z.object({ key: z.string() }) }) })).default([]),
});

/**
 * Moves uploads that have arrived. Idempotent: leaves a finished upload unchanged, and moves an unfinished
 * one again from the start.
 */
export async function moveUploads(
  ports: UploadPorts,
  message: z.infer<typeof uploadedMessageSchema>,
): Promise<void> {
  for (const { s3 } of message.Records) {
    const key = decodeURIComponent(s3.object.key.replaceAll('+', ' '));
    const found = readKey(key);
    if (found === undefined) continue;
    const { uploadId, part } = found;
    if (part === undefined || (await isLast(ports.records, uploadId, part)))
      await moveUpload(ports, uploadId);
  }
}

/** Returns whether this part is the last to arrive, or no part is needed any longer. */
async function isLast(records: Records, uploadId: string, part: number): Promise<boolean> {
  const upload = await uploads.get(records, { id: uploadId });
  return upload === undefined || isOver(upload) || notePart(records, upload, part);
}

function isOver({ status }: Upload): boolean {
  return status === 'done' || status === 'failed';
}

async function moveUpload(ports: UploadPorts, id: string): Promise<void> {
  const { records, objects } = ports;
  const upload = await uploads.get(records, { id });
  if (upload !== undefined && !isOver(upload)) {
    await advance(records, id, upload.status, { status: 'moving' });
    await advance(records, id, 'moving', await moved(ports, upload));
  }
  await dropUploaded(objects, id);
}

/**
 * Changes an upload only from the state that was read, so that the slower of two concurrent deliveries doesn't undo the
 * other's progress.
 */
async function advance(
  records: Records,
  id: string,
  from: Upload['status'],
  set: { status: Upload['status']; error?: string },
): Promise<void> {
  await ifExpected(uploads.update(records, { id }, { set }, { status: from }));
}

/**
 * Ends an upload. The caller sees a refusal; any other error, including a full disk, is thrown, so that the
 * message is retried while the bytes still exist.
 */
async function moved(
  ports: UploadPorts,
  upload: Upload,
): Promise<{ status: Upload['status']; error?: string }> {
  try {
    await moveIntoWorkspace(ports, upload);
    return { status: 'done' };
  } catch (error) {
    if (isDiskFull(error) || !(error instanceof ServiceError)) throw error;
    return { status: 'failed', error: error.message };
  }
}

/**
 * Moves the bytes. They may arrive an hour after the request, when the sender may have lost access, or the
 * path may belong to a dataset.
 */
async function moveIntoWorkspace(ports: UploadPorts, upload: Upload): Promise<void> {
  const { records, objects } = ports;
  const { workspaceId, path, caller } = upload;
  const workspace = await workspaces.get(records, { id: workspaceId });
  if (workspace === undefined) throw new NotFound('workspace_not_found', 'The workspace was deleted.');
  await requireApart(workspace);
  await requireRights(ports, caller, 'member', await guardedPlaceOf(records, workspaceId));
  await requireWritable(records, workspaceId, path);
  const body = await openUploaded(objects, upload);
  try {
    await tell(ports, upload, await writeStream(workspace.rootPath, path, body));
  } finally {
    body.on('error', () => {}).destroy(); // an unread body would keep its file or connection open
  }
}

async function tell(
  ports: UploadPorts,
  { workspaceId, path, size, actor }: Upload,
  touched: string[],
): Promise<void> {
  const summary = `Uploaded ${path}`;
  await Promise.all([
    ports.filesChanged(workspaceId, touched),
    recordActivity(ports, {
      workspaceId,
      kind: 'file_uploaded',
      actor,
      summary,
      details: { path, size },
    }),
  ]);
}
