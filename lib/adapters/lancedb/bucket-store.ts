import { randomUUID } from 'node:crypto';
import {
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Objects } from '../../ports/objects.ts';
import type { VectorStore } from './vector-store.ts';

/**
 * A bucket, and a folder in it without leading or trailing slashes. An empty folder means the whole bucket.
 */
export interface BucketAddress {
  bucket: string;
  prefix: string;
}

/**
 * Options of LanceDB's own client. Like the SDK, it takes region, credentials, and endpoint from the
 * environment; tests set them. Without timeouts, an unreachable store would delay a search by three minutes.
 * Allows plain http only if the endpoint's URL has it.
 */
const STORE_OPTIONS = {
  connect_timeout: '3s',
  request_timeout: '30s',
  client_max_retries: '4',
  client_retry_timeout: '40',
  allow_http: 'true',
};

/**
 * Tables in S3, in a folder per workspace and space. An object `made` in that folder contains the name of the
 * current table, because S3 has no inodes, and each table gets a unique name. A dropped table disappears with
 * this object, and a new table shares neither files nor cached data with it.
 */
export function bucketStore(
  { client, objects }: { client: S3Client; objects: Objects },
  { bucket, prefix }: BucketAddress,
  environment: Record<string, string> = {},
): VectorStore {
  const folderOf = (...names: string[]) => [...(prefix === '' ? [] : [prefix]), ...names].join('/');
  const markOf = (folder: string) => `${folder}/made`;
  const readMark = async (folder: string) => {
    const bytes = await objects.getBytes(markOf(folder));
    return bytes && new TextDecoder().decode(bytes);
  };
  const place = (folder: string, name: string) => ({ address: `s3://${bucket}/${folder}`, name });
  const remove = async (folder: string) => {
    await objects.delete(markOf(folder));
    await objects.deletePrefix(`${folder}/`);
  };
  const isTable = async (folder: string) => {
    const name = await readMark(folder);
    return name !== undefined && (await isAny(client, bucket, `${folder}/${name}.lance/_versions/`));
  };
  return {
    storeOptions: { ...STORE_OPTIONS, ...environment },
    async find(workspaceId, space) {
      const folder = folderOf(workspaceId, space);
      const name = await readMark(folder);
      return name === undefined ? undefined : { ...place(folder, name), identity: name };
    },
    async place(workspaceId, space) {
      const folder = folderOf(workspaceId, space);
      await putNew(client, { Bucket: bucket, Key: markOf(folder), Body: randomUUID() });
      return place(folder, (await readMark(folder)) ?? '');
    },
    async drop(workspaceId, keepSpace) {
      const own = folderOf(workspaceId);
      for await (const space of foldersIn(client, bucket, `${own}/`)) {
        if (space !== keepSpace) await remove(`${own}/${space}`);
      }
    },
    has: (workspaceId, space) => isTable(folderOf(workspaceId, space)),
    async clear(workspaceId, space) {
      const folder = folderOf(workspaceId, space);
      if (await isTable(folder)) return false;
      await remove(folder);
      return true;
    },
  };
}

/**
 * Puts an object unless it exists. Of two concurrent callers, the first wins, and its text stays unchanged.
 */
async function putNew(client: S3Client, object: { Bucket: string; Key: string; Body: string }) {
  try {
    await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'PreconditionFailed' && name !== 'ConditionalRequestConflict') throw error;
  }
}

async function isAny(client: S3Client, Bucket: string, Prefix: string): Promise<boolean> {
  const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }));
  return KeyCount > 0;
}

/** Yields folder names page by page. Concurrent removals don't disturb the list. */
async function* foldersIn(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<string> {
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter: '/' });
  for await (const { CommonPrefixes = [] } of pages) {
    for (const { Prefix: found = '' } of CommonPrefixes) yield found.slice(Prefix.length, -1);
  }
}
