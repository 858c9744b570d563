import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControl, type PageFile } from './page-files.ts';

export type PageFiles = Map<string, PageFile>;

export interface Page {
  /** Undefined while the files are being built. */
  files(): PageFiles | undefined;
  headers: Record<string, string>;
}

/** Paths that don't belong to the console: the API, well-known names, and the bytes of signed URLs. */
const OTHERS = /^\/(api|\.well-known|objects)(\/|$)/;

/** Shown while the page is being built. It needs no other file, and refreshes without a script. */
const WAITING = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<meta name="color-scheme" content="light dark"><title>Workspace Research</title>
<p>The console is being built. This page reloads until it is ready. The API is available.</p></html>
`;

/**
 * Serves the console's page and its files; returns whether it handled the request. Returns the page for every
 * URL that isn't a file, and 404 for a missing file of an older build.
 */
export function answerPage(
  page: Page,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): boolean {
  const path = decode(url.pathname);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || path === undefined || OTHERS.test(path.toLowerCase())) return false;
  const found = page.files();
  if (found === undefined) sendWaiting(page, request, response);
  else {
    const file = found.get(path) ?? (path.startsWith('/assets/') ? undefined : found.get('/index.html'));
    if (file === undefined) return false;
    sendFile(page, request, response, file);
  }
  return true;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
      .replaceAll('\\', '/')
      .replace(/\/{2,}/g, '/');
  } catch {
    return undefined;
  }
}

function sendWaiting({ headers: always }: Page, request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(503, { ...always, ...headers, 'retry-after': '1' });
  response.end(request.method === 'HEAD' ? undefined : WAITING);
}

function sendFile(page: Page, request: IncomingMessage, response: ServerResponse, file: PageFile): void {
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''), file);
  const body = file.bytes[encoding] ?? Buffer.alloc(0);
  const headers = {
    ...page.headers,
    'content-type': file.type,
    'cache-control': cacheControl(file),
    etag: file.etag,
    vary: 'accept-encoding',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  };
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function chooseEncoding(accepted: string, { bytes }: PageFile): 'identity' | 'br' | 'gzip' {
  const names = accepted.split(',').map((each) => each.trim());
  const takes = (name: string) =>
    names.some((each) => each.split(';')[0] === name && !/;\s*q=0(\.0*)?$/.test(each));
  if (bytes.br !== undefined && takes('br')) return 'br';
  return bytes.gzip !== undefined && takes('gzip') ? 'gzip' : 'identity';
}
