import { locate } from '../../datasets/links/mounts.ts';
import { InvalidInput, NotFound, predicateOf, TooLarge } from '../../errors.ts';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { readKept } from './keep.ts';
import { type AttachedPart, decode, MAX_ATTACHMENT_BYTES, readAddress } from './schema.ts';

export interface AttachmentPorts {
  records: Records;
  objects: Objects;
}

/** Where a message belongs: its workspace and conversation. */
export interface MessagePlace {
  workspace: Workspace;
  /** The stored conversation, or the one that will be stored. It may have earlier attachments. */
  conversation?: { id: string; key: string } | undefined;
}

const ALLOWED =
  'a data: URL, workspace: with the path of a file, or the URL of an attachment of this conversation';

/**
 * The maximum length in characters: the longest path with each byte escaped, and some more. Resolving a path
 * of megabytes would block the event loop.
 */
const MAX_ADDRESS_CHARACTERS = 16_384;

/**
 * Fetches the file that a part of a message names, but never from another host. Throws InvalidInput,
 * NotFound, TooLarge.
 */
export async function fetchFile(
  ports: AttachmentPorts,
  place: MessagePlace,
  part: AttachedPart,
): Promise<Attachment> {
  const { url, mediaType = '', filename } = part;
  const { workspace } = place;
  const isData = /^data:/i.test(url);
  if (!isData && url.length > MAX_ADDRESS_CHARACTERS) throw notAllowed();
  const kept = readAddress(url);
  if (kept !== undefined) return readOwn(ports, place, kept);
  if (isData) {
    const data = readDataUrl(url);
    const type = mediaType === '' ? data.mediaType : mediaType;
    return readAttachment(data.bytes, { name: filename ?? '', mediaType: type }, workspace.id);
  }
  if (!url.startsWith('workspace:')) throw notAllowed();
  const path = decode(url.slice('workspace:'.length), 'messages');
  const bytes = await readWorkspaceFile(ports, workspace, path);
  return readAttachment(bytes, { name: filename || path, mediaType }, workspace.id);
}

/** Reads a stored attachment. Refuses another user's file in the same way as a missing one. */
async function readOwn(
  ports: AttachmentPorts,
  { workspace, conversation }: MessagePlace,
  kept: { conversationId: string; hash: string },
): Promise<Attachment> {
  const own = kept.conversationId === conversation?.id ? conversation : undefined;
  const found = own && (await readKept(ports, { workspaceId: workspace.id, key: own.key }, kept.hash));
  if (found !== undefined) return found;
  throw new InvalidInput(
    'attachment_unknown',
    "messages has a url that isn't an attachment of this conversation.",
    { field: 'messages' },
  );
}

function notAllowed(): InvalidInput {
  return new InvalidInput('invalid_value', `messages has a url that must be ${ALLOWED}.`, {
    field: 'messages',
  });
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Throws InvalidInput with the name of the field that has the URL. */
export function readDataUrl(url: string, field = 'messages'): { bytes: Buffer; mediaType: string } {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice('data:'.length, comma);
  if (comma < 0 || head.length > 500)
    throw new InvalidInput('invalid_value', `${field} has a url that isn't a valid data: URL.`, { field });
  const [mediaType = '', ...options] = head.split(';');
  const data = url.slice(comma + 1);
  if (!options.some((option) => option.trim().toLowerCase() === 'base64'))
    return { bytes: Buffer.from(decode(data, field)), mediaType };
  if (!BASE64.test(data) || data.length % 4 !== 0)
    throw new InvalidInput('invalid_value', `${field} has a data: URL whose content isn't base64.`, {
      field,
    });
  return { bytes: Buffer.from(data, 'base64'), mediaType };
}

/** Reads the file's current contents. The conversation stores a copy of them. */
async function readWorkspaceFile(
  { records }: AttachmentPorts,
  workspace: Workspace,
  wanted: string,
): Promise<Buffer> {
  try {
    const { root, path } = await locate(records, workspace, wanted);
    await using handle = await openInside(root, path);
    const { size } = await handle.stat();
    if (size > MAX_ATTACHMENT_BYTES)
      throw new TooLarge(
        'attachment_too_large',
        `path is larger than the limit of ${MAX_ATTACHMENT_BYTES} bytes for attachments.`,
        { field: 'path' },
      );
    return await readAtMost(handle, size);
  } catch (error) {
    throw inMessage(error);
  }
}

function inMessage(error: unknown): unknown {
  if (!(error instanceof NotFound || error instanceof InvalidInput || error instanceof TooLarge))
    return error;
  const message = `messages has a workspace: file that can't be attached: it ${predicateOf(error)}.`;
  const options = { field: 'messages', cause: error };
  if (error instanceof TooLarge) return new TooLarge('attachment_too_large', message, options);
  return new InvalidInput('attachment_unreadable', message, options);
}
