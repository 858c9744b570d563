import { KEEP_RUN_SECONDS } from '../agent/schema.ts';
import { workspaceFolder } from '../conversations/attachments/schema.ts';
import { NotFound } from '../errors.ts';
import { firstIdOf } from '../identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { ReadDraft } from './draft/draft.ts';

/** A draft as it was read. */
export type StoredDraft = ReadDraft;

interface Place {
  runId: string;
  workspaceId: string;
}

interface ObjectPorts {
  objects: Objects;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Below the workspace's attachments, which go with it. */
function draftsFolder(workspaceId: string): string {
  return `${workspaceFolder(workspaceId)}drafts/`;
}

function folderOf({ workspaceId, runId }: Place): string {
  return `${draftsFolder(workspaceId)}${runId}/`;
}

/** Stores a draft with its original bytes, before its run begins. */
export async function storeDraft(
  { objects }: ObjectPorts,
  place: Place,
  draft: StoredDraft,
  bytes: Uint8Array,
): Promise<void> {
  const folder = folderOf(place);
  await objects.put(`${folder}original`, bytes);
  await objects.put(`${folder}draft.json`, Buffer.from(JSON.stringify(draft)));
}

/** Throws NotFound. */
export async function readStoredDraft({ objects }: ObjectPorts, place: Place): Promise<StoredDraft> {
  return JSON.parse(Buffer.from(await read(objects, place, 'draft.json')).toString()) as StoredDraft;
}

/** Returns the draft as it was sent. Throws NotFound. */
export function readOriginal({ objects }: ObjectPorts, place: Place): Promise<Uint8Array> {
  return read(objects, place, 'original');
}

async function read(objects: Objects, place: Place, name: string): Promise<Uint8Array> {
  const bytes = await objects.getBytes(`${folderOf(place)}${name}`);
  if (bytes === undefined)
    throw new NotFound('draft_check_not_found', 'The draft of this run no longer exists.');
  return bytes;
}

/** Removes the drafts of a workspace whose runs have expired. IDs of runs sort by their creation. */
export async function removeOldDrafts(
  { objects, clock }: ObjectPorts & { clock: Clock },
  workspaceId: string,
): Promise<void> {
  const folder = draftsFolder(workspaceId);
  const first = firstIdOf(clock.now() - KEEP_RUN_SECONDS * 1000 - DAY_MS);
  for await (const keys of objects.keys(folder)) {
    const old = keys.filter((key) => key.slice(folder.length) < first);
    for (const key of old) await objects.delete(key);
    if (old.length < keys.length) return;
  }
}
