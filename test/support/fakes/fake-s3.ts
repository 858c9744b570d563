import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from './listen.ts';

export type FakeS3 = Awaited<ReturnType<typeof startFakeS3>>;

const PAGE = 20;

/** The bucket `owls` of an S3 service: ListObjectsV2 in pages of 20, and GetObject, without checked signatures. */
export async function startFakeS3() {
  const fake = {
    url: '',
    accessKeyId: 'AKOWL',
    files: new Map<string, Buffer>(),
    asked: [] as { method: string; url: string; authorization: string | undefined }[],
    /** Answers in place of the service, unless it returns false. */
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
  };
  const server = createServer((request, response) => {
    const { method = '', url: asked = '' } = request;
    fake.asked.push({ method, url: asked, authorization: request.headers.authorization });
    if (fake.answer?.(request, response)) return;
    const url = new URL(asked, 'http://x');
    const credential = url.searchParams.get('X-Amz-Credential') ?? '';
    if (!credential.startsWith(`${fake.accessKeyId}/`)) return void response.writeHead(403).end();
    const key = decodeURIComponent(url.pathname).slice('/owls/'.length);
    if (key === '') return void response.end(listPage(fake.files, url.searchParams));
    const bytes = fake.files.get(key);
    if (bytes === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { etag: etagOf(bytes) }).end(bytes);
  });
  fake.url = await listenHere(server);
  return fake;
}

function listPage(files: Map<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, Math.min(PAGE, Number(query.get('max-keys') ?? PAGE)));
  const isTruncated = page.length < keys.length;
  return listBucketResult(
    page.map((key) => [key, files.get(key) ?? Buffer.alloc(0)]),
    isTruncated ? { isTruncated, next: page.at(-1) ?? '' } : {},
  );
}

export function listBucketResult(
  objects: [key: string, bytes: Buffer][],
  { isTruncated = false, next }: { isTruncated?: boolean; next?: string } = {},
): string {
  const contents = objects.map(
    ([key, bytes]) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`,
  );
  const token = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`;
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
