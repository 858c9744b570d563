import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { whenDone } from '../temp-folder.ts';

export interface FakeFile {
  path: string;
  size: number;
  /** Its bytes; the same at every call. */
  read(from: number, to: number): Buffer;
  /** True for a file in the large file store, which is listed with a sha256 and served by the other host. */
  lfs: boolean;
}

/**
 * The faults of a file. A number says how often the fault occurs before the file recovers; Infinity means
 * forever.
 */
interface FileFaults {
  /** The connection is closed in the middle. */
  cut?: number;
  /** One byte differs. */
  corrupt?: number;
  /** The response ends early, with a matching length. */
  short?: number;
  /** There are more bytes than listed, which is noticed only in a response up to the end. */
  long?: number;
  /** Responds with 503. */
  unavailable?: number;
  /** Milliseconds between chunks of 64 KB. */
  paceMs?: number;
}

export interface FakeRepo {
  files: FakeFile[];
  faults: Map<string, FileFaults>;
  /** Required to read the repository, which is gated, or otherwise indistinguishable from a missing one. */
  token?: string;
  gated?: boolean;
  /** The repository's new name. Hugging Face responds with a redirect within its host. */
  renamedTo?: string;
  commit: string;
  revisions: string[];
  description?: string;
}

export interface FakeHub {
  url: string;
  /** `owner/name` → repository; one list for datasets and models. */
  repos: Map<string, FakeRepo>;
  /** Requests for a file's bytes, and the number of bytes sent, by its path. */
  served: Map<string, { requests: number; bytes: number }>;
  counts: { lists: number; files: number; cdn: number; limited: number };
  /** True if the other host ever received a credential. */
  leaked: boolean;
  /** How many more requests for files are answered before a 429, and how long the 429 lasts. */
  limit: { left: number; seconds: number };
  /** Requests for files while the limit was active. */
  impatient: number;
  pageSize: number;
  /** Listed names that aren't in `files`. */
  extraPaths: string[];
  /** The delay before every response. */
  delayMs: number;
  /** Responds to Range with the whole file. */
  ignoreRange: boolean;
  stop(): Promise<void>;
}

const PIECE = 64 * 1024;

export function fakeRepo(files: FakeFile[], fields: Partial<FakeRepo> = {}): FakeRepo {
  const commit = createHash('sha1')
    .update(files.map(({ path }) => path).join())
    .digest('hex');
  return {
    files,
    faults: new Map(),
    commit,
    revisions: ['main', 'master', 'refs/pr/1', 'v1.0', commit],
    ...fields,
  };
}

/** Bytes that differ per file and position, generated on request. */
export function fakeFile(path: string, size: number, lfs = size > 1_000_000): FakeFile {
  const seed = createHash('sha256').update(path).digest();
  const block = Buffer.alloc(PIECE);
  for (let at = 0; at < PIECE; at += 32) seed.copy(block, at);
  const read = (from: number, to: number) => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, size) - from));
    for (let at = 0; at < bytes.length; ) {
      const place = from + at;
      const piece = block.subarray(place % PIECE);
      piece.copy(bytes, at);
      const blockStart = place - (place % PIECE);
      if (blockStart >= from && blockStart + 6 <= from + bytes.length)
        bytes.writeUIntBE(blockStart / PIECE, blockStart - from, 6);
      else for (let i = 0; i < 6; i++) mark(bytes, from, blockStart, i);
      at += piece.length;
    }
    return bytes;
  };
  return { path, size, lfs, read };
}

/** The first six bytes of each block are its number, even if a range begins or ends within them. */
function mark(bytes: Buffer, from: number, blockStart: number, index: number): void {
  const at = blockStart + index - from;
  if (at >= 0 && at < bytes.length) bytes[at] = Math.floor(blockStart / PIECE / 2 ** (8 * (5 - index))) % 256;
}

export function textFile(path: string, text: string, lfs = false): FakeFile {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, lfs, read: (from, to) => Buffer.from(bytes.subarray(from, to)) };
}

const hashes = new WeakMap<FakeFile, { sha256: string; git: string }>();

export function hashesOf(file: FakeFile): { sha256: string; git: string } {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${file.size}\0`);
  for (let at = 0; at < file.size; at += 1024 * 1024) {
    const bytes = file.read(at, Math.min(at + 1024 * 1024, file.size));
    sha256.update(bytes);
    git.update(bytes);
  }
  const found = { sha256: sha256.digest('hex'), git: git.digest('hex') };
  hashes.set(file, found);
  return found;
}

/**
 * Both hubs' public protocols (Hugging Face: https://huggingface.co/docs/hub/api; ModelScope as its own client speaks
 * it) on one port, and the host of large files on another.
 */
export async function startFakeHub(repos: Record<string, FakeRepo> = {}): Promise<FakeHub> {
  const hub: FakeHub = {
    url: '',
    repos: new Map(Object.entries(repos)),
    served: new Map(),
    counts: { lists: 0, files: 0, cdn: 0, limited: 0 },
    leaked: false,
    limit: { left: Number.POSITIVE_INFINITY, seconds: 1 },
    impatient: 0,
    pageSize: 1000,
    extraPaths: [],
    delayMs: 0,
    ignoreRange: false,
    stop: async () => {},
  };
  const cdn = await listen(async (request, response) => {
    hub.leaked ||= 'authorization' in request.headers || 'cookie' in request.headers;
    hub.counts.cdn += 1;
    const url = new URL(request.url ?? '', 'http://cdn');
    const file = hub.repos
      .get(url.searchParams.get('repo') ?? '')
      ?.files.find(({ path }) => path === url.searchParams.get('path'));
    const repo = hub.repos.get(url.searchParams.get('repo') ?? '');
    if (file === undefined || repo === undefined) return end(response, 404, '');
    await sendFile(hub, repo, file, request, response);
  });
  const main = await listen((request, response) => answer(hub, cdn.url, request, response));
  hub.url = main.url;
  hub.stop = async () => {
    for (const { server } of [main, cdn]) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  };
  whenDone(hub.stop);
  return hub;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function listen(listener: Listener): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    listener(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const A_API = /^\/api\/(dataset|model|space)s\/([^/]+\/[^/]+)\/(revision|tree|refs)(?:\/([^/]+))?$/;
const A_FILE = /^(?:\/(?:datasets|spaces))?\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/;
const B_API = /^\/api\/v1\/(dataset|model)s\/([^/]+\/[^/]+)(?:\/(revisions|repo|repo\/tree|repo\/files))?$/;

async function answer(
  hub: FakeHub,
  cdn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (hub.delayMs > 0) await pause(hub.delayMs);
  const url = new URL(request.url ?? '', hub.url);
  const b = B_API.exec(url.pathname);
  if (b !== null) return answerB(hub, { url, request, response, name: b[2] ?? '', what: b[3], type: b[1] });
  const api = A_API.exec(url.pathname);
  if (api !== null) {
    const [, type, name = '', what, revision] = api;
    return answerA(hub, {
      url,
      request,
      response,
      name,
      what,
      type,
      revision: decodeURIComponent(revision ?? ''),
    });
  }
  const file = A_FILE.exec(url.pathname);
  if (file === null) return end(response, 404, 'no such page');
  const [, name = '', , path = ''] = file;
  await resolveA(
    hub,
    cdn,
    { url, request, response, name },
    path.split('/').map(decodeURIComponent).join('/'),
  );
}

interface Visit {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  name: string;
  what?: string | undefined;
  type?: string | undefined;
  revision?: string;
}

function end(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/**
 * Rejects as Hugging Face does: a private repository and a missing one look alike, but a gated one doesn't.
 */
function refuseA(hub: FakeHub, { request, response, name, url, revision }: Visit): FakeRepo | undefined {
  const repo = hub.repos.get(name);
  const known = repo?.token === undefined || request.headers.authorization === `Bearer ${repo.token}`;
  if (repo === undefined || (!known && !repo.gated)) {
    end(response, 401, { error: 'Invalid username or password.' }, { 'x-error-code': 'RepoNotFound' });
    return undefined;
  }
  if (!known) {
    end(response, 403, { error: 'gated' }, { 'x-error-code': 'GatedRepo' });
    return undefined;
  }
  if (repo.renamedTo !== undefined) {
    const location = (url.pathname + url.search).replace(name, repo.renamedTo);
    response.writeHead(307, { location }).end();
    return undefined;
  }
  if (revision !== undefined && revision !== '' && !repo.revisions.includes(revision)) {
    end(response, 404, { error: 'revision' }, { 'x-error-code': 'RevisionNotFound' });
    return undefined;
  }
  return repo;
}

async function answerA(hub: FakeHub, visit: Visit): Promise<void> {
  const { response, name, what, url } = visit;
  const repo = refuseA(hub, visit);
  if (repo === undefined) return;
  const { files, commit, revisions, description = 'a fake' } = repo;
  if (what === 'refs') return end(response, 200, { branches: revisions.map((name) => ({ name })), tags: [] });
  if (what === 'revision') {
    const siblings = files.map(({ path, size }) => ({ rfilename: path, size }));
    const lastModified = '2026-01-02T03:04:05.000Z';
    const gated = repo.gated ? 'manual' : false;
    return end(response, 200, {
      id: name,
      sha: commit,
      description,
      lastModified,
      gated,
      siblings,
    });
  }
  hub.counts.lists += 1;
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const all = [{ type: 'directory', path: 'a-directory', oid: 'x', size: 0 }, ...files.map(entryA)];
  all.push(...hub.extraPaths.map((path) => ({ type: 'file', path, oid: '0'.repeat(40), size: 1 })));
  const to = from + hub.pageSize;
  const next = new URL(url);
  next.searchParams.set('cursor', String(to));
  const more = to < all.length;
  end(response, 200, all.slice(from, to), more ? { link: `<${next.href}>; rel="next"` } : {});
}

function entryA(file: FakeFile) {
  const { sha256, git } = hashesOf(file);
  const { path, size } = file;
  const lfs = file.lfs ? { lfs: { oid: sha256, size, pointerSize: 134 } } : {};
  return { type: 'file', path, size, oid: file.lfs ? '1'.repeat(40) : git, ...lfs };
}

/** Returns true if the rate is over its limit and the response was sent. */
function isLimited(hub: FakeHub, response: ServerResponse): boolean {
  if (hub.limit.left > 0) {
    hub.limit.left -= 1;
    return false;
  }
  const { seconds } = hub.limit;
  hub.counts.limited += 1;
  if (hub.counts.limited === 1) setTimeout(() => (hub.limit.left = Number.POSITIVE_INFINITY), seconds * 1000);
  else hub.impatient += 1;
  const headers = {
    ratelimit: `"resolvers";r=0;t=${seconds}`,
    'ratelimit-policy': '"fixed window";"resolvers";q=1;w=300',
  };
  end(response, 429, { error: 'too many' }, headers);
  return true;
}

async function resolveA(hub: FakeHub, cdn: string, visit: Visit, path: string): Promise<void> {
  const { request, response, name } = visit;
  const repo = refuseA(hub, visit);
  if (repo === undefined) return;
  hub.counts.files += 1;
  if (isLimited(hub, response)) return;
  const file = repo.files.find((one) => one.path === path);
  if (file === undefined) return end(response, 404, { error: 'entry' }, { 'x-error-code': 'EntryNotFound' });
  const { sha256, git } = hashesOf(file);
  const etag = `"${file.lfs ? sha256 : git}"`;
  const common = { 'x-repo-commit': repo.commit, 'x-linked-etag': etag, 'x-linked-size': String(file.size) };
  if (file.lfs) {
    const location = `${cdn}/f?${new URLSearchParams({ repo: name, path })}`;
    response.writeHead(302, { location, ...common }).end();
    return;
  }
  for (const [header, value] of Object.entries({ ...common, etag })) response.setHeader(header, value);
  await sendFile(hub, repo, file, request, response);
}

async function answerB(hub: FakeHub, visit: Visit): Promise<void> {
  const { url, request, response, name, what, type } = visit;
  const repo = hub.repos.get(name);
  const known = repo?.token === undefined || request.headers.cookie === `m_session_id=${repo.token}`;
  if (repo === undefined || !known) return failB(response, repo ? 403 : 404);
  const good = (Data: unknown) => end(response, 200, { Code: 200, Success: true, Message: '', Data });
  if (what === 'revisions') {
    const Branches = repo.revisions.map((Revision) => ({ Revision }));
    return good({ RevisionMap: { Branches, Tags: [] } });
  }
  if (what === undefined)
    return good({ Id: 7, Description: repo.description ?? 'a fake', LastUpdatedDate: 1767323045 });
  if (what === 'repo') return fileB(hub, repo, visit);
  hub.counts.lists += 1;
  const rows = [{ Name: 'd', Path: 'd', Type: 'tree', Size: 0 }, ...repo.files.map(rowB)];
  const size = Number(url.searchParams.get('PageSize'));
  const from = (Number(url.searchParams.get('PageNumber')) - 1) * size;
  const Files = type === 'dataset' ? rows.slice(from, from + size) : rows;
  good({ Files, LatestCommitter: { Id: repo.commit } });
}

function failB(response: ServerResponse, Code: number): void {
  end(response, Code, { Code, Success: false });
}

function rowB(file: FakeFile) {
  const { path, size } = file;
  return { Name: path, Path: path, Type: 'blob', Size: size, Sha256: hashesOf(file).sha256 };
}

async function fileB(hub: FakeHub, repo: FakeRepo, { url, request, response }: Visit): Promise<void> {
  hub.counts.files += 1;
  if (isLimited(hub, response)) return;
  const file = repo.files.find(({ path }) => path === url.searchParams.get('FilePath'));
  if (file === undefined) return failB(response, 404);
  await sendFile(hub, repo, file, request, response);
}

async function sendFile(
  hub: FakeHub,
  repo: FakeRepo,
  file: FakeFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const served = hub.served.get(file.path) ?? { requests: 0, bytes: 0 };
  hub.served.set(file.path, served);
  served.requests += 1;
  const faults = repo.faults.get(file.path) ?? {};
  if (takeFault(faults, 'unavailable')) return end(response, 503, 'unavailable');
  const toEnd = !/-\d+$/.test(request.headers.range ?? '');
  const more = toEnd && takeFault(faults, 'long') ? 10 : 0;
  const size = file.size + more - (takeFault(faults, 'short') ? 10 : 0);
  const span = startAnswer(hub, file, size, request, response);
  if (span === undefined) return;
  const middle = span.from + Math.floor((span.to - span.from) / 2);
  const cutAt = takeFault(faults, 'cut') ? middle : Number.POSITIVE_INFINITY;
  const corruptAt = takeFault(faults, 'corrupt') ? middle : -1;
  await sendBytes(file, response, { ...span, cutAt, corruptAt, paceMs: faults.paceMs ?? 0, served });
}

/** Sends the head of the response, and returns the bytes that follow. */
function startAnswer(
  hub: FakeHub,
  file: FakeFile,
  size: number,
  request: IncomingMessage,
  response: ServerResponse,
): { from: number; to: number } | undefined {
  if (response.getHeader('etag') === undefined) response.setHeader('etag', `"${hashesOf(file).sha256}"`);
  const stale = request.headers['if-range'] ?? response.getHeader('etag');
  const asked = hub.ignoreRange || stale !== response.getHeader('etag') ? '' : request.headers.range;
  const range = /^bytes=(\d+)-(\d*)$/.exec(asked ?? '');
  const from = Number(range?.[1] ?? 0);
  const to = Math.min(size, range?.[2] ? Number(range[2]) + 1 : size);
  if (range !== null && from >= size) {
    end(response, 416, '', { 'content-range': `bytes */${size}` });
    return undefined;
  }
  response.setHeader('content-length', to - from);
  if (range !== null) response.setHeader('content-range', `bytes ${from}-${to - 1}/${size}`);
  response.writeHead(range === null ? 200 : 206);
  return { from, to };
}

function takeFault(faults: FileFaults, name: Exclude<keyof FileFaults, 'paceMs'>): boolean {
  const left = faults[name] ?? 0;
  if (left > 0) faults[name] = left - 1;
  return left > 0;
}

interface Sending {
  from: number;
  to: number;
  cutAt: number;
  corruptAt: number;
  paceMs: number;
  served: { bytes: number };
}

async function sendBytes(file: FakeFile, response: ServerResponse, sending: Sending): Promise<void> {
  const { from, to, cutAt, corruptAt, paceMs, served } = sending;
  const step = paceMs > 0 ? PIECE : 4 * PIECE;
  for (let at = from; at < Math.min(to, cutAt) && !response.destroyed; at += step) {
    const bytes = bytesOf(file, at, Math.min(at + step, to), corruptAt);
    served.bytes += bytes.length;
    if (!response.write(bytes)) await drained(response);
    if (paceMs > 0) await pause(paceMs);
  }
  if (cutAt < to)
    response.socket?.destroySoon(); // sent data arrives, so that the loss doesn't depend on chance
  else response.end();
}

/** Returns zeros after the file's end. */
function bytesOf(file: FakeFile, from: number, to: number, corruptAt: number): Buffer {
  const rest = Buffer.alloc(Math.max(0, to - Math.max(from, file.size)));
  const read = file.read(from, to);
  const bytes = rest.length > 0 || read.length === 0 ? Buffer.concat([read, rest]) : read;
  const at = corruptAt - from;
  if (at >= 0 && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      done();
    };
    response.on('drain', go).on('close', go);
  });
}
