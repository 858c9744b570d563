import { locate } from '../../datasets/links/mounts.ts';
import { InvalidInput, NotFound, TooLarge } from '../../errors.ts';
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

/** The location of a message. */
export interface MessagePlace {
  workspace: Workspace;
  /** The conversation that is kept, or will be, in which something was attached before. */
  conversation?: { id: string; key: string } | undefined;
}

const ALLOWED =
  'data: with its bytes, workspace: with the path of a file, or the address of an attachment of this conversation';

/** What a part of a message names, from where it is: nothing is fetched from elsewhere. Throws InvalidInput, NotFound, TooLarge. */
export async function fetchFile(
  ports: AttachmentPorts,
  place: MessagePlace,
  part: AttachedPart,
): Promise<Attachment> {
  const { url, mediaType = '', filename } = part;
  const { workspace, conversation } = place;
  const kept = readAddress(url);
  if (kept !== undefined) {
    // Another person's file and a missing one are refused alike.
    const own = kept.conversationId === conversation?.id ? conversation : undefined;
    const found = own && (await readKept(ports, { workspaceId: workspace.id, key: own.key }, kept.hash));
    if (found === undefined)
      throw new InvalidInput('invalid_value', 'messages: url: no attachment of this conversation');
    return found;
  }
  if (/^data:/i.test(url)) {
    const data = readDataUrl(url);
    const type = mediaType === '' ? data.mediaType : mediaType;
    return readAttachment(data.bytes, { name: filename ?? '', mediaType: type }, workspace.id);
  }
  if (!url.startsWith('workspace:'))
    throw new InvalidInput('invalid_value', `messages: url: must be ${ALLOWED}`);
  const path = decode(url.slice('workspace:'.length), 'messages: url');
  const bytes = await readWorkspaceFile(ports, workspace, path);
  return readAttachment(bytes, { name: filename || path, mediaType }, workspace.id);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function readDataUrl(url: string): { bytes: Buffer; mediaType: string } {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice('data:'.length, comma);
  if (comma < 0 || head.length > 500)
    throw new InvalidInput('invalid_value', 'messages: url: not a data: address');
  const [mediaType = '', ...options] = head.split(';');
  const data = url.slice(comma + 1);
  if (!options.some((option) => option.trim().toLowerCase() === 'base64'))
    return { bytes: Buffer.from(decode(data, 'messages: url')), mediaType };
  if (!BASE64.test(data) || data.length % 4 !== 0)
    throw new InvalidInput('invalid_value', 'messages: url: what follows base64, is not base64');
  return { bytes: Buffer.from(data, 'base64'), mediaType };
}

/** Reads the file as it is at this moment; the copy is kept. */
async function readWorkspaceFile(
  { records }: AttachmentPorts,
  workspace: Workspace,
  wanted: string,
): Promise<Buffer> {
  try {
    const { root, path } = await locate(records, workspace, wanted);
    const handle = await openInside(root, path);
    try {
      const { size } = await handle.stat();
      if (size > MAX_ATTACHMENT_BYTES)
        throw new TooLarge(
          'too_large',
          `path: over ${MAX_ATTACHMENT_BYTES} bytes, the most of an attachment`,
        );
      return await readAtMost(handle, size);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw inMessage(error);
  }
}

function inMessage(error: unknown): unknown {
  const say = (text: string) => `messages: workspace:${text.replace(/^path: ?/, ' ')}`;
  if (error instanceof NotFound)
    return new InvalidInput('invalid_value', say(error.message), { cause: error });
  if (error instanceof InvalidInput)
    return new InvalidInput('invalid_value', say(error.message), { cause: error });
  return error instanceof TooLarge ? new TooLarge('too_large', say(error.message)) : error;
}
