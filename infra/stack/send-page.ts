import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { cacheControl, type PageFile } from '../local/page-files.ts';

/** Milliseconds to keep files of an older page, because open tabs still request them. */
const KEPT_MS = 7 * 24 * 3_600_000;
const START = '/index.html';

/**
 * Uploads the missing files of a page; the file that names the others comes last. Files of older pages stay
 * for a week after a page last named them. An upload that stops at any line can be run again.
 */
export async function sendPage(
  s3: S3Client,
  Bucket: string,
  files: Map<string, PageFile>,
  now = Date.now(),
): Promise<{ sent: number; removed: number }> {
  const paths = [...files.keys()].sort((a, b) => Number(a === START) - Number(b === START));
  let sent = 0;
  for (const path of paths) sent += Number(await send(s3, Bucket, path, files.get(path) as PageFile));
  let removed = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
    const old = Contents.flatMap(({ Key = '' }) => (files.has(`/${Key}`) ? [] : Key));
    for (const key of old) removed += Number(await age(s3, Bucket, key, now));
  }
  return { sent, removed };
}

/** Uploads one file. Returns false if the bucket already has it. */
async function send(s3: S3Client, Bucket: string, path: string, file: PageFile): Promise<boolean> {
  const Key = path.slice(1);
  const Metadata = { hash: file.etag.replaceAll('"', '') };
  const found = await describe(s3, Bucket, Key);
  if (found?.Metadata?.hash === Metadata.hash && found.Metadata.left === undefined) return false;
  const [Body, ContentType, CacheControl] = [file.bytes.identity, file.type, cacheControl(file)];
  await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl, Metadata }));
  return true;
}

/** Records since when no page names the file. If that is long enough, removes the file and returns true. */
async function age(s3: S3Client, Bucket: string, Key: string, now: number): Promise<boolean> {
  const found = await describe(s3, Bucket, Key);
  if (found === undefined) return false;
  const { Metadata = {}, ContentType, CacheControl } = found;
  if (Metadata.left === undefined) {
    const changed = { ContentType, CacheControl, Metadata: { ...Metadata, left: String(now) } };
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    const MetadataDirective = 'REPLACE';
    await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, MetadataDirective, ...changed }));
    return false;
  }
  if (Number(Metadata.left) > now - KEPT_MS) return false;
  await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  return true;
}

async function describe(
  s3: S3Client,
  Bucket: string,
  Key: string,
): Promise<HeadObjectCommandOutput | undefined> {
  return s3.send(new HeadObjectCommand({ Bucket, Key })).catch((error: { name?: string }) => {
    if (error.name === 'NotFound') return undefined;
    throw error;
  });
}
