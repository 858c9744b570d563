import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from './listen.ts';

export type FakeWebdav = Awaited<ReturnType<typeof startFakeWebdav>>;

/** A WebDAV server (RFC 4918) with one user, a folder at `/dav`, and PROPFIND, GET, PUT, and DELETE. Ended after the test file. */
export async function startFakeWebdav() {
  const fake = {
    url: '',
    user: 'ann',
    password: 'owl secret',
    /** Contents by path below the folder. */
    files: new Map<string, Buffer>(),
    asked: [] as { method: string; url: string; authorization: string | undefined }[],
    /** Answers in place of the server, unless it returns false. */
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
  };
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const { authorization } = request.headers;
    fake.asked.push({ method, url, authorization });
    request.resume();
    if (fake.answer?.(request, response)) return;
    const expected = `Basic ${Buffer.from(`${fake.user}:${fake.password}`).toString('base64')}`;
    if (authorization !== expected) return void response.writeHead(401).end();
    const path = decodeURIComponent(url).slice('/dav/'.length);
    if (method === 'PROPFIND') return void propfind(fake.files, request, path, response);
    const bytes = fake.files.get(path);
    if (method === 'GET' && bytes !== undefined)
      return void response.writeHead(200, { etag: etagOf(bytes) }).end(bytes);
    response.writeHead(404).end();
  });
  fake.url = `${await listenHere(server)}/dav`;
  return fake;
}

function propfind(
  files: Map<string, Buffer>,
  request: IncomingMessage,
  path: string,
  response: ServerResponse,
) {
  if (request.headers.depth !== '1') return response.writeHead(403).end();
  const folder = path.replace(/\/$/, '');
  const below = [...files].filter(([name]) => folder === '' || name.startsWith(`${folder}/`));
  if (folder !== '' && below.length === 0) return response.writeHead(404).end();
  const rest = below.map(
    ([name, bytes]) => [name.slice(folder === '' ? 0 : folder.length + 1), bytes] as const,
  );
  const folders = new Set(rest.flatMap(([name]) => (name.includes('/') ? (name.split('/')[0] ?? '') : [])));
  const at = (name: string) => `/dav/${[folder, name].filter(Boolean).join('/')}`;
  return response
    .writeHead(207, { 'content-type': 'application/xml; charset=utf-8' })
    .end(
      multistatus([
        folderEntry(`${at('').replace(/\/$/, '')}/`),
        ...[...folders].map((name) => folderEntry(`${at(name)}/`)),
        ...rest.filter(([name]) => !name.includes('/')).map(([name, bytes]) => fileEntry(at(name), bytes)),
      ]),
    );
}

export function multistatus(entries: string[]): string {
  return `<?xml version="1.0"?>\n<D:multistatus xmlns:D="DAV:">${entries.join('')}</D:multistatus>`;
}

export function folderEntry(path: string): string {
  return entry(path, '<D:resourcetype><D:collection/></D:resourcetype>');
}

export function fileEntry(path: string, bytes: Buffer, etag = etagOf(bytes)): string {
  return entry(
    path,
    `<D:resourcetype/><D:getetag>${etag}</D:getetag><D:getcontentlength>${bytes.length}</D:getcontentlength>`,
  );
}

function entry(path: string, properties: string): string {
  const href = path.split('/').map(encodeURIComponent).join('/');
  const missing =
    '<D:propstat><D:prop><D:getlastmodified/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>';
  return `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>${missing}</D:response>`;
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
