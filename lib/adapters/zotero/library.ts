import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import {
  MAX_OBJECTS,
  type RemoteSource,
  type SourceChanges,
  type SourceObject,
} from '../../ports/file-source.ts';
import type { HubSettings } from '../outbound/hub-request.ts';
import { sourceClient } from '../outbound/source-client.ts';
import { filesOfLibrary } from './files.ts';
import { readObject } from './objects.ts';

export interface ZoteroSettings extends Omit<HubSettings, 'name' | 'token'> {
  apiKey: string;
}

/** A user's own library, or that of a group. */
export type ZoteroLibrary = { userId: number } | { groupId: number };

const PAGE = 100;
/** Attempts to read a list that others change between its pages. */
const MAX_LISTS = 3;
const MAX_BACKOFF_SECONDS = 60;
/** Attempts while a person waits. */
const CHECK_TRIES = 2;
const DENIED = 'Check that the API key exists and may read this library and its files.';

/**
 * A library of Zotero, by https://www.zotero.org/support/dev/web_api/v3/basics and …/syncing. Files are redirects to a
 * storage host, which gets no key.
 */
export function zoteroLibrary(settings: ZoteroSettings, library: ZoteroLibrary): RemoteSource {
  const client = zoteroClient(settings);
  const prefix = 'groupId' in library ? `/groups/${library.groupId}` : `/users/${library.userId}`;
  return {
    get requests() {
      return client.requests;
    },
    changes: (position, { signal }) => listChanges(client, prefix, readPosition(position), signal),
    filesOf: (objects) => filesOfLibrary(objects, `https://www.zotero.org${prefix}`),
    open: (file, { signal }) => client.bytes(`${prefix}/items/${file.id}/file`, signal),
  };
}

const keySchema = z.object({ userID: z.int().positive(), username: z.string().max(200).catch('') });

/** Returns the user of an API key, for a person who waits. Throws UpstreamFailed. */
export async function zoteroUser(
  settings: ZoteroSettings,
  signal: AbortSignal,
): Promise<{ userId: number; userName: string }> {
  const { body } = await zoteroClient(settings, CHECK_TRIES).json('/keys/current', {}, signal);
  const { data } = keySchema.safeParse(body);
  if (data === undefined) throw unreadable();
  return { userId: data.userID, userName: data.username };
}

type Client = ReturnType<typeof zoteroClient>;

function zoteroClient(settings: ZoteroSettings, maxTries?: number) {
  const { apiKey, ...rest } = settings;
  const credentials = { 'zotero-api-key': apiKey, 'zotero-api-version': '3' };
  const client = sourceClient({ ...rest, name: 'Zotero', denied: DENIED, maxTries }, credentials);
  return {
    get requests() {
      return client.requests;
    },
    async json(path: string, query: Record<string, string>, signal: AbortSignal) {
      const url = client.at(path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const answer = await client.json(url, signal);
      const seconds = Math.min(Number(answer.headers.get('backoff') ?? 0), MAX_BACKOFF_SECONDS);
      if (seconds > 0) client.pause(1000 * seconds);
      return answer;
    },
    bytes: (path: string, signal: AbortSignal) => client.pieces({ url: client.at(path) }, signal),
  };
}

function unreadable(): UpstreamFailed {
  return new UpstreamFailed(
    'source_failed',
    "Zotero returned an answer that can't be read. Try again later.",
  );
}

/** A library's version. Null if the whole library is read. */
function readPosition(position: string | null): number | null {
  return position !== null && /^\d{1,15}$/.test(position) ? Number(position) : null;
}

async function listChanges(
  client: Client,
  prefix: string,
  since: number | null,
  signal: AbortSignal,
): Promise<SourceChanges> {
  for (let lists = 0; lists < MAX_LISTS; lists++) {
    const listed = await listOnce(client, prefix, since, signal);
    if (listed !== undefined) return listed;
  }
  throw new UpstreamFailed('source_failed', 'The library was changed while it was read. Sync again later.');
}

/** Undefined if the library was changed while it was read, because a page may then miss items. */
async function listOnce(
  client: Client,
  prefix: string,
  since: number | null,
  signal: AbortSignal,
): Promise<SourceChanges | undefined> {
  const after: Record<string, string> = since === null ? {} : { since: String(since) };
  // Trashed items are listed only on request, and aren't among the deleted ones.
  const items = await listPages(client, `${prefix}/items`, { ...after, includeTrashed: '1' }, signal);
  if (items === undefined) return undefined;
  const { version } = items;
  const listed = { position: String(version), isWhole: since === null };
  if (version === since) return { ...listed, objects: [], removed: [] };
  // A library that was restored from a backup has an earlier version.
  if (since !== null && version < since) return listOnce(client, prefix, null, signal);
  const collections = await listPages(client, `${prefix}/collections`, after, signal);
  const removed = since === null ? { keys: [], version } : await listRemoved(client, prefix, after, signal);
  if (collections?.version !== version || removed.version !== version) return undefined;
  return { ...listed, objects: [...collections.objects, ...items.objects], removed: removed.keys };
}

/** Reads all pages. Undefined if the library's version changes between them. */
async function listPages(
  client: Client,
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<{ objects: SourceObject[]; version: number } | undefined> {
  const found = new Map<string, SourceObject>();
  let version: number | undefined;
  for (let start = 0; start < MAX_OBJECTS; start += PAGE) {
    const page = { ...query, limit: String(PAGE), start: String(start) };
    const { body, headers } = await client.json(path, page, signal);
    const of = versionOf(headers);
    if (version !== undefined && version !== of) return undefined;
    version = of;
    const list = z.array(z.unknown()).max(PAGE).safeParse(body).data;
    if (list === undefined) throw unreadable();
    for (const object of list.flatMap((one) => readObject(one) ?? [])) found.set(object.key, object);
    if (!hasNext(headers)) return { objects: [...found.values()], version };
  }
  throw new UpstreamFailed('source_too_large', `A library can have at most ${MAX_OBJECTS} items.`);
}

/** The next page is requested by its number, because a link could lead anywhere. */
function hasNext(headers: Headers): boolean {
  return /rel="next"/.test(headers.get('link') ?? '');
}

function versionOf(headers: Headers): number {
  const version = headers.get('last-modified-version') ?? '';
  if (!/^\d{1,15}$/.test(version)) throw unreadable();
  return Number(version);
}

const removedSchema = z.object({ items: z.array(z.string()), collections: z.array(z.string()) });

async function listRemoved(
  client: Client,
  prefix: string,
  after: Record<string, string>,
  signal: AbortSignal,
): Promise<{ keys: string[]; version: number }> {
  const { body, headers } = await client.json(`${prefix}/deleted`, after, signal);
  const removed = removedSchema.safeParse(body).data;
  if (removed === undefined) throw unreadable();
  return { keys: [...removed.items, ...removed.collections], version: versionOf(headers) };
}
