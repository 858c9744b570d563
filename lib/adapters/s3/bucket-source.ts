import { readPieces } from '../../async/join-pieces.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { RemoteSource, SourceChanges } from '../../ports/file-source.ts';
import { readXmlTree, type XmlElement } from '../../text/xml.ts';
import { fileList, filesOfList, type PlainFile, pathOfFile } from '../outbound/listed-files.ts';
import { type ChosenSourceRules, chosenSourceClient, type SourceClient } from '../outbound/source-client.ts';

export interface BucketSettings extends ChosenSourceRules {
  /** The URL of another service with the same API. The default is Amazon's service in the region. */
  endpoint?: string | undefined;
  region: string;
  bucket: string;
  /** The beginning of the keys, such as `papers/`. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const NAME = 'The S3 service';
const DENIED = 'Check the bucket and the access key, and that it may list the bucket and read its objects.';
const FAILED = 'Check the endpoint, the region, and the bucket.';
/** Pages of a list, which have 1,000 objects each in all but unusual lists. */
const MAX_PAGES = 200;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const EXPIRES_SECONDS = 900;
/** Storage classes whose objects have to be restored first. */
const OFFLINE = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * The objects of an S3 bucket. The SDK only signs the URLs; the requests are those of every source, so that addresses are
 * checked, no redirect is followed, and bodies have limits.
 */
export function bucketSource(settings: BucketSettings): RemoteSource {
  const client = bucketClient(settings);
  const signer = openSigner(settings);
  const base = `${endpointOf(settings)}/${settings.bucket}/`;
  const keyOf = (path: string[]) => settings.prefix + path.join('/');
  return {
    get requests() {
      return client.requests;
    },
    changes: (_position, { signal }) => listAll(settings, client, signer, signal),
    filesOf: (objects) =>
      filesOfList(objects, (path) => base + keyOf(path).split('/').map(encodeURIComponent).join('/')),
    async open(file, { signal }) {
      return client.pieces({ url: await (await signer).object(keyOf(pathOfFile(file))) }, signal);
    },
  };
}

/** Checks, for a person who waits, that a bucket can be listed. Throws UpstreamFailed. */
export async function checkBucket(settings: BucketSettings, signal: AbortSignal): Promise<void> {
  const url = await (await openSigner(settings)).list(undefined, 1);
  await readPage(bucketClient(settings, 2), url, signal);
}

function bucketClient({ proxy, mayBePrivate, isPublic, ...settings }: BucketSettings, maxTries?: number) {
  const rules = { proxy, mayBePrivate, ...(isPublic && { isPublic }) };
  const about = { name: NAME, denied: DENIED, failed: FAILED, baseUrl: endpointOf(settings) };
  return chosenSourceClient({ ...rules, ...about, maxTries });
}

function endpointOf({ endpoint, region }: Pick<BucketSettings, 'endpoint' | 'region'>): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return endpoint?.replace(/\/+$/, '') ?? `https://s3.${region}.${domain}`;
}

type Signer = Awaited<ReturnType<typeof openSigner>>;

/** Loads the SDK, which only workspaces with such a source need. */
async function openSigner({ endpoint, region, bucket, prefix, ...credentials }: BucketSettings) {
  const [{ ListObjectsV2Command, S3Client }, { getSignedUrl }, { signGet }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
    import('./sign-get.ts'),
  ]);
  const { accessKeyId, secretAccessKey } = credentials;
  const client = new S3Client({
    ...{ region, endpoint: endpointOf({ endpoint, region }), forcePathStyle: endpoint !== undefined },
    credentials: { accessKeyId, secretAccessKey },
    responseChecksumValidation: 'WHEN_REQUIRED', // otherwise, the URLs have a parameter that other services don't know
  });
  const sign = signGet(client, bucket);
  return {
    async list(token: string | undefined, maxKeys = 1000): Promise<URL> {
      const page = { Prefix: prefix, MaxKeys: maxKeys, ContinuationToken: token };
      const command = new ListObjectsV2Command({ ...page, Bucket: bucket, EncodingType: 'url' });
      return new URL(await getSignedUrl(client, command, { expiresIn: EXPIRES_SECONDS }));
    },
    async object(key: string): Promise<URL> {
      return new URL(await sign(key, EXPIRES_SECONDS));
    },
  };
}

async function listAll(
  { prefix }: BucketSettings,
  client: SourceClient,
  opening: Promise<Signer>,
  signal: AbortSignal,
): Promise<SourceChanges> {
  const files = fileList(NAME);
  const signer = await opening;
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { objects, next } = await readPage(client, await signer.list(token), signal);
    for (const { key, ...object } of objects) {
      if (!key.startsWith(prefix)) throw unreadable();
      // Keys that end in a slash are folders.
      if (!key.endsWith('/')) files.add({ ...object, path: key.slice(prefix.length).split('/') });
    }
    if (next === undefined) return { position: '', isWhole: true, objects: files.objects(), removed: [] };
    token = next;
  }
  throw new UpstreamFailed('source_too_large', `${NAME} returned more than ${MAX_PAGES} pages of objects.`);
}

interface Page {
  objects: (Omit<PlainFile, 'path'> & { key: string })[];
  /** Where the next page starts; undefined after the last one. */
  next: string | undefined;
}

/** Throws for a page that isn't complete: a missing object must never look like a deleted one. */
async function readPage(client: SourceClient, url: URL, signal: AbortSignal): Promise<Page> {
  const bytes = await readPieces(await client.pieces({ url }, signal), MAX_PAGE_BYTES, unreadable);
  const root = readXmlTree(bytes.toString().replace(/^\s*<\?xml[^>]*\?>/, ''));
  if (root?.name !== 'ListBucketResult') throw unreadable();
  const isEncoded = textOf(root, 'EncodingType') === 'url';
  const decode = (text: string) => (isEncoded ? decodeKey(text) : text);
  const objects = root.children
    .filter(({ name }) => name === 'Contents')
    .map((element) => readObject(element, decode));
  const isTruncated = textOf(root, 'IsTruncated');
  const next = textOf(root, 'NextContinuationToken');
  if (isTruncated === 'false') return { objects, next: undefined };
  if (isTruncated !== 'true' || !next) throw unreadable();
  return { objects, next };
}

function readObject(element: XmlElement, decode: (text: string) => string): Page['objects'][number] {
  const [key, version, size] = ['Key', 'ETag', 'Size'].map((name) => textOf(element, name));
  if (!key || !version || !/^\d{1,15}$/.test(size ?? '')) throw unreadable();
  const decoded = decode(key);
  // In a URL, such names mean another object.
  const isUnnamable = decoded.split('/').some((name) => name === '.' || name === '..');
  const isOffline = isUnnamable || OFFLINE.has(textOf(element, 'StorageClass') ?? '');
  return { key: decoded, version, size: Number(size), ...(isOffline && { isOffline }) };
}

function textOf({ children }: XmlElement, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text;
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw unreadable();
  }
}

function unreadable(): UpstreamFailed {
  return new UpstreamFailed(
    'source_failed',
    `${NAME} didn't return a complete list of objects, so nothing was removed. ${FAILED}`,
  );
}
