import { conversationFolder, workspaceFolder } from '../conversations/attachments/schema.ts';
import { NotFound } from '../errors.ts';
import type { Objects } from '../ports/objects.ts';
import type { ReadDraft } from './draft/draft.ts';

interface Place {
  folder: string;
}

interface ObjectPorts {
  objects: Objects;
}

/**
 * Returns the draft's folder. It is in the conversation, or otherwise the workspace, with which the draft is
 * deleted.
 */
export function draftFolder(whose: { workspaceId: string; key?: string }, runId: string): string {
  const { workspaceId, key } = whose;
  const above = key === undefined ? workspaceFolder(workspaceId) : conversationFolder({ workspaceId, key });
  return `${above}drafts/${runId}/`;
}

/** Stores the bytes of a draft before its run starts. */
export async function storeOriginal(
  { objects }: ObjectPorts,
  { folder }: Place,
  bytes: Uint8Array,
): Promise<void> {
  await objects.put(`${folder}original`, bytes);
}

export async function storeDraft(
  { objects }: ObjectPorts,
  { folder }: Place,
  draft: ReadDraft,
): Promise<void> {
  await objects.put(`${folder}draft.json`, Buffer.from(JSON.stringify(draft)));
}

/** Throws NotFound. */
export async function readStoredDraft({ objects }: ObjectPorts, place: Place): Promise<ReadDraft> {
  return JSON.parse(Buffer.from(await read(objects, place, 'draft.json')).toString()) as ReadDraft;
}

/** Returns the draft as it was sent. Throws NotFound. */
export function readOriginal({ objects }: ObjectPorts, place: Place): Promise<Uint8Array> {
  return read(objects, place, 'original');
}

async function read(objects: Objects, { folder }: Place, name: string): Promise<Uint8Array> {
  const bytes = await objects.getBytes(`${folder}${name}`);
  if (bytes === undefined)
    throw new NotFound('draft_check_not_found', 'The draft of this run no longer exists.');
  return bytes;
}
