import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hostilePaths } from '../support/samples/hostile-paths.ts';
import { type Answer, startService } from '../support/service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** `npm run test:long` sends ten thousand. */
const PATHS = Number(process.env.PATHS ?? 2000);
/** `PATHS_SEED=…` repeats a failure. */
const SEED = Number(process.env.PATHS_SEED ?? 20261121);
const AT_ONCE = 20;
const SENTINEL = 'the-text-that-no-answer-may-hold';

const base = await tempFolder();
const outside = join(base, 'outside');
await mkdir(join(outside, 'folder'), { recursive: true });
for (const name of ['secret.txt', 'folder/secret.txt']) await writeFile(join(outside, name), SENTINEL);
await mkdir(join(base, 'roots/w-and-more'), { recursive: true });
await writeFile(join(base, 'roots/secret.txt'), SENTINEL);
await writeFile(join(base, 'roots/w-and-more/secret.txt'), SENTINEL);
const service = await startService({
  DATA_DIR: join(await tempFolder(), 'data'),
  WORKSPACE_ROOTS: `${join(base, 'made')},${join(base, 'roots')}`,
});
const other = await makeWorkspace(service, join(base, 'roots/other'));
await writeFile(join(other.root, 'secret.txt'), SENTINEL);

/** Targets of an attacker in a workspace, restored after they were removed. */
async function furnish({ root }: TestWorkspace): Promise<void> {
  await furnishFolder(join(root, 'folder'));
  const links = {
    out: outside,
    'out-file': join(outside, 'secret.txt'),
    up: '..',
    dangling: join(outside, 'new'),
    loop: 'loop',
    in: 'folder',
  };
  const made = Object.entries(links).map(([name, target]) => symlink(target, join(root, name)));
  await Promise.allSettled(made);
}

/** A rename may have replaced the folder with a link, and the setup itself must not write outside. */
async function furnishFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true }).catch(() => {}); // another loop also sets up
  await writeFile(join(folder, 'a.txt'), 'a', { flag: 'wx' }).catch(() => {});
}

/**
 * For a query: encoded, or (`raw`) with its own percent signs for the server to decode. Lone surrogates as
 * CESU.
 */
function encodePath(path: string, raw: boolean): string {
  return [...path]
    .map((character) => {
      if (!character.isWellFormed()) return '%ED%A0%80';
      return raw && character === '%' ? '%' : encodeURIComponent(character);
    })
    .join('');
}

type Send = (workspace: TestWorkspace, path: string, turn: number) => Promise<Answer>;

function get(route: string): Send {
  return ({ id }, path, turn) =>
    service.call('GET', `/api/files/${route}?workspaceId=${id}&path=${encodePath(path, turn % 2 === 0)}`);
}

function post(route: string, fields: (path: string) => Record<string, unknown>, method = 'POST'): Send {
  return ({ id }, path) => service.call(method, `/api/files/${route}`, { workspaceId: id, ...fields(path) });
}

const upload: Send = ({ id }, path, turn) => {
  const form = new FormData();
  const asName = turn % 2 === 0;
  form.append('workspaceId', id);
  form.append('path', asName ? '' : path);
  form.append('file', new Blob(['x']), asName ? path : 'x.txt');
  return service.call('POST', '/api/files/upload', form);
};

const uploadIds: string[] = [];

const largeUpload: Send = async (workspace, path, turn) => {
  const answer = await post('uploads', (it) => ({ path: it, size: 1 }))(workspace, path, turn);
  if (answer.status !== 201) return answer;
  const { uploadId, url, headers } = answer.body as {
    uploadId: string;
    url: string;
    headers: Record<string, string>;
  };
  uploadIds.push(uploadId);
  return service.call('PUT', url.slice(service.url.length), 'x', headers);
};

const ENDPOINTS: Record<string, Send> = {
  browse: get('browse'),
  read: get('read'),
  raw: get('raw'),
  write: post('write', (path) => ({ path, content: 'x' })),
  upload,
  delete: post('delete', (path) => ({ path }), 'DELETE'),
  'delete by query': ({ id }, path) =>
    service.call('DELETE', `/api/files/delete?workspaceId=${id}&path=${encodePath(path, true)}`),
  'rename from': post('rename', (path) => ({ oldPath: path, newPath: 'folder/taken', overwrite: true })),
  'rename to': post('rename', (path) => ({ oldPath: 'folder/a.txt', newPath: path, overwrite: true })),
  mkdir: post('mkdir', (path) => ({ path })),
  uploads: largeUpload,
  workspaces: (_workspace, path) => service.call('POST', '/api/workspaces', { path }),
};

/**
 * A path that each endpoint must accept, among the malicious ones, to prove that the attack reaches the
 * files.
 */
const PLAIN: Record<string, string> = { browse: 'folder', mkdir: 'new/one', workspaces: 'new' };
const PLAIN_EVERY = 50;

/** Returns names, contents, and link targets of everything outside the attacked workspaces. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const lines = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (path === join(base, 'made') || path.startsWith(join(base, 'roots/attacked-'))) return [];
      if (entry.isDirectory()) return [path, ...(await snapshot(path))];
      if (entry.isSymbolicLink()) return [`${path} → ${await readlink(path)}`];
      return [
        `${path} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
      ];
    }),
  );
  return lines.flat().sort();
}

function problemOf(name: string, path: string, { status, bytes }: Answer): string[] {
  const text = bytes.toString();
  const where = `${name} ${JSON.stringify(path.slice(0, 200))}: ${status} ${text.slice(0, 200)}`;
  if (status >= 500) return [`failed: ${where}`];
  if (text.includes(SENTINEL)) return [`read outside: ${where}`];
  if (status >= 400 && text.includes(base)) return [`told where it lies: ${where}`];
  return [];
}

async function attack(names: string[], workspaces: TestWorkspace[]) {
  const paths = fc.sample(hostilePaths(outside), { numRuns: PATHS, seed: SEED });
  const problems: string[] = [];
  const statuses: Record<string, number> = {};
  let next = 0;
  const attackOnce = async (turn: number) => {
    const own = Math.floor(turn / names.length);
    const [name = '', workspace = other] = [names[turn % names.length], workspaces[turn % names.length]];
    const path = own % PLAIN_EVERY === 0 ? (PLAIN[name] ?? 'folder/a.txt') : (paths[turn] ?? '');
    if (turn % 4 === 0 || /^(rename|delete)/.test(name)) await furnish(workspace);
    const answer = await ENDPOINTS[name]?.(workspace, path, own);
    if (answer === undefined) throw new Error(`no endpoint ${name}`);
    problems.push(...problemOf(name, path, answer));
    const key = `${name} ${answer.status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  };
  const loop = async () => {
    for (let turn = next++; turn < paths.length; turn = next++) await attackOnce(turn);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return { problems, statuses };
}

async function uploadsEnded(): Promise<void> {
  for (const id of uploadIds) {
    for (let turn = 0; turn < 2000; turn++) {
      const { body } = await service.call<{ status: string }>('GET', `/api/files/uploads/${id}`);
      if (body.status === 'done' || body.status === 'failed') break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

describe('malicious paths', () => {
  it(`neither read nor write outside their workspace, nor cause a failure, in ${PATHS} attempts (PATHS_SEED=${SEED})`, async () => {
    const names = Object.keys(ENDPOINTS);
    const workspaces: TestWorkspace[] = [];
    for (const index of names.keys())
      workspaces.push(await makeWorkspace(service, join(base, `roots/attacked-${index}`)));
    await Promise.all(workspaces.map(furnish));
    const before = await snapshot(base);
    const { problems, statuses } = await attack(names, workspaces);
    await uploadsEnded();
    expect(problems.slice(0, 20)).toEqual([]);
    expect(await snapshot(base)).toEqual(before);
    // The attack reached the file system: every endpoint rejected some paths and accepted others.
    const reached = (pattern: RegExp) =>
      names.filter((name) =>
        Object.keys(statuses).some((key) => key.startsWith(`${name} `) && pattern.test(key)),
      );
    expect(reached(/ 20\d$/)).toEqual(names);
    expect(reached(/ 400$/)).toEqual(names);
    expect(service.output()).not.toMatch(/unhandled|request failed/i);
  }, 180_000);
});
