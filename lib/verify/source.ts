import { posix } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { readDataUrl } from '../conversations/attachments/fetch-file.ts';
import { findAttachment } from '../conversations/attachments/keep.ts';
import { readAddress } from '../conversations/attachments/schema.ts';
import { findOwn } from '../conversations/find.ts';
import type { Conversation } from '../conversations/schema.ts';
import { locate } from '../datasets/links/mounts.ts';
import type { ErrorCode } from '../error-codes.ts';
import { InvalidInput, NotFound, TooLarge, UNREADABLE_ERRORS } from '../errors.ts';
import { openInside } from '../paths/confine.ts';
import { PATH_ERRORS } from '../paths/file-errors.ts';
import { readAtMost } from '../paths/read-at-most.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { PASTED } from './draft/read-draft.ts';
import type { BeginCheckPorts } from './ports.ts';
import { MAX_DRAFT_BYTES, type VerifyBody } from './request-schema.ts';

/** The error codes of a draft that can't be read. */
export const DRAFT_SOURCE_ERRORS = [
  ...PATH_ERRORS,
  ...UNREADABLE_ERRORS,
  'attachment_not_found',
  'draft_too_large',
] as const satisfies ErrorCode[];

export interface DraftSource {
  /** The file name, whose extension determines the format. */
  name: string;
  bytes: Uint8Array;
  /** The file's path in the workspace, if the draft is a file there. */
  path?: string;
  /** The conversation to which the draft is attached, and with which it is deleted. */
  conversation?: Conversation;
}

/** Reads the current bytes of the draft that a request names. Throws InvalidInput, NotFound, TooLarge. */
export async function readSource(
  ports: BeginCheckPorts,
  caller: Caller,
  workspace: Workspace,
  named: Pick<VerifyBody, 'text' | 'path' | 'attachment'>,
): Promise<DraftSource> {
  const { text, path, attachment } = named;
  const [first, second] = Object.entries({ text, path, attachment }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (second !== undefined)
    throw new InvalidInput('invalid_value', `${second} can't be combined with ${first}. Send one draft.`, {
      field: second,
    });
  if (text !== undefined) return bounded(PASTED, Buffer.from(text), 'text');
  if (path !== undefined) return readPath(ports, workspace, path);
  if (attachment !== undefined) return readAttached(ports, caller, attachment);
  throw new InvalidInput('missing_value', 'text is required, or path, or attachment.', { field: 'text' });
}

async function readPath(
  { records }: BeginCheckPorts,
  workspace: Workspace,
  wanted: string,
): Promise<DraftSource> {
  const { root, path } = await locate(records, workspace, wanted);
  await using handle = await openInside(root, path);
  const { size } = await handle.stat();
  if (size > MAX_DRAFT_BYTES) throw tooLarge('path');
  const plain = posix.normalize(wanted);
  return { name: posix.basename(path), bytes: await readAtMost(handle, size), path: plain };
}

async function readAttached(
  ports: BeginCheckPorts,
  caller: Caller,
  { url, filename }: NonNullable<VerifyBody['attachment']>,
): Promise<DraftSource> {
  if (/^data:/i.test(url))
    return bounded(lastName(filename) || PASTED, readDataUrl(url, 'attachment').bytes, 'attachment');
  const kept = readAddress(url.slice(0, MAX_URL));
  if (kept === undefined)
    throw new InvalidInput(
      'invalid_value',
      'attachment has a url that must be a data: URL or the URL of an attachment of a conversation.',
      { field: 'attachment' },
    );
  const conversation = await findOwn(ports.records, caller, kept.conversationId);
  const found = conversation && (await findAttachment(ports, conversation, kept.hash));
  if (conversation === undefined || found === undefined) throw attachmentNotFound();
  return { ...bounded(lastName(filename) || found.stored.name, found.bytes, 'attachment'), conversation };
}

export function attachmentNotFound(): NotFound {
  return new NotFound('attachment_not_found', 'attachment does not exist.', { field: 'attachment' });
}

/** The maximum length of an attachment's URL in characters. */
const MAX_URL = 2000;

function lastName(filename = ''): string {
  return filename
    .slice(filename.lastIndexOf('/') + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\\]+/gu, ' ')
    .trim()
    .toWellFormed();
}

function bounded(name: string, bytes: Uint8Array, field: string): DraftSource {
  if (bytes.length > MAX_DRAFT_BYTES) throw tooLarge(field);
  return { name, bytes };
}

function tooLarge(field: string): TooLarge {
  const most = `${MAX_DRAFT_BYTES / 1024 ** 2} MB`;
  return new TooLarge('draft_too_large', `The draft is larger than the limit of ${most}.`, { field });
}
