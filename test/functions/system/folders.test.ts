import { mkdir, mkdtemp, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import type { Folder, Folders } from '../../../lib/workspaces/folder-schema.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const base = await tempFolder();
const [first, second, third] = [join(base, 'first'), join(base, 'second'), join(base, 'third')];
const outside = join(base, 'outside');
const DATA_DIR = join(second, 'mine/data');
let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let service: Service;

const ROOT = { sub: 'root', role: 'admin' };
const ANN = { sub: 'ann', role: 'member' };
const BOB = { sub: 'bob', role: 'member' };

beforeAll(async () => {
  for (const path of [
    'first/papers/2025',
    'first/notes',
    'first/.hidden',
    'outside/secret',
    'second/mine/data',
    'third',
  ])
    await mkdir(join(base, path), { recursive: true });
  await writeFile(join(first, 'file.txt'), '');
  await symlink(outside, join(first, 'out'));
  await symlink(join(first, 'notes'), join(first, 'within'));
  issuer = await startFakeIssuer();
  const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' };
  service = await startService({
    ...oidc,
    DATA_DIR,
    WORKSPACE_ROOTS: [first, second, third, join(base, 'absent')].join(','),
    LOG_LEVEL: 'error',
  });
});
afterAll(() => issuer.stop());

async function call<Body>(who: JWTPayload, method: string, path: string, body?: unknown) {
  return service.call<Body>(method, path, body, { authorization: `Bearer ${await issuer.sign(who)}` });
}

const ask = (path?: string, who: JWTPayload = ANN) =>
  call<Folders>(
    who,
    'GET',
    `/api/system/folders${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`,
  );

async function list(path?: string, who?: JWTPayload): Promise<Folders> {
  const { status, body } = await ask(path, who);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

const create = async (path: string, who: JWTPayload = ROOT) =>
  (await call<{ id: string }>(who, 'POST', '/api/workspaces', { path })).body.id;

const named = ({ folders }: Folders) => folders.map(({ name, state }) => `${name} ${state}`);

async function refusal(path: string, who?: JWTPayload) {
  const { status, headers } = await ask(path, who);
  return [status, headers['x-error-code']];
}

describe('GET /api/system/folders', () => {
  it('lists the roots that exist', async () => {
    expect(await list()).toEqual({
      folder: null,
      parent: null,
      folders: [
        { name: first, path: first, state: 'free' },
        { name: second, path: second, state: 'around' }, // the data folder is in it
        expect.objectContaining({ path: third }),
      ],
      isComplete: true,
    });
  });

  it('lists the folders in a folder, without files, links, and hidden folders', async () => {
    expect(await list(first)).toEqual({
      folder: { name: 'first', path: first, state: 'free' },
      parent: null,
      folders: [
        { name: 'notes', path: join(first, 'notes'), state: 'free' },
        { name: 'papers', path: join(first, 'papers'), state: 'free' },
      ],
      isComplete: true,
    });
    const inner = await list('papers'); // a relative path starts at the first root
    expect([inner.parent, named(inner)]).toEqual([first, ['2025 free']]);
  });

  it("leaves out the service's own folders, but shows the folders on the way to others", async () => {
    await mkdir(join(second, 'mine/papers'));
    expect(named(await list(second))).toEqual(['mine around']);
    expect(named(await list(join(second, 'mine')))).toEqual(['papers free']);
    for (const path of [DATA_DIR, join(DATA_DIR, 'objects')])
      expect(await refusal(path)).toEqual([400, 'path_outside_roots']);
  });

  it.each([
    ['the parent of a root', base],
    ['another folder of the host', '/etc'],
    ['the root folder of the host', '/'],
    ['a path that leaves a root', join(first, '..', 'outside')],
    ['a relative path that leaves the first root', '../outside'],
    ['a sibling whose name starts like the root', `${first}-and-more`],
    ['a link that leaves a root', join(first, 'out')],
    ['a folder behind such a link', join(first, 'out/secret')],
  ])('rejects %s', async (_which, path) => {
    const { status, headers, bytes } = await ask(path);
    expect([status, headers['x-error-code']]).toEqual([400, 'path_outside_roots']);
    expect(bytes.toString()).not.toContain('secret');
  });

  it.each([
    ['a tilde', '~'],
    ['a path that starts with a tilde', '~/papers'],
    ['NUL', 'a\0b'],
    ['a path over 4096 characters', 'x'.repeat(4097)],
  ])('rejects %s with 400', async (_which, path) => {
    expect((await ask(path)).status).toBe(400);
  });

  it('returns 404 for a missing folder and for a file', async () => {
    expect(await refusal(join(first, 'absent'))).toEqual([404, 'path_not_found']);
    expect((await ask(join(first, 'file.txt'))).status).toBe(404);
  });

  it('requires the role member', async () => {
    expect((await ask(first, { sub: 'eve', role: 'viewer' })).status).toBe(403);
  });
});

describe('list of folders with workspaces', () => {
  it('says which folder is a workspace, is inside one, or is around one', async () => {
    const root = await mkdtemp(join(third, 'w-'));
    await mkdir(join(root, 'team/taken/inside'), { recursive: true });
    await mkdir(join(root, 'team/other'));
    const id = await create(join(root, 'team/taken'));
    expect(named(await list(root))).toEqual(['team around']);
    const expected: Folder = {
      name: 'taken',
      path: join(root, 'team/taken'),
      state: 'workspace',
      workspaceId: id,
    };
    expect((await list(join(root, 'team'))).folders).toEqual([
      { name: 'other', path: join(root, 'team/other'), state: 'free' },
      expected,
    ]);
    expect(await list(expected.path)).toEqual({
      ...{ folder: expected, parent: join(root, 'team'), folders: [], isComplete: true },
    });
    expect((await list(join(expected.path, 'inside'))).folder).toMatchObject({
      state: 'inside',
      workspaceId: id,
    });
  });

  it("treats other users' workspaces, and their contents, as missing", async () => {
    const root = await mkdtemp(join(third, 'w-'));
    await mkdir(join(root, 'anns/secret'), { recursive: true });
    await mkdir(join(root, 'common'));
    const id = await create(join(root, 'anns'));
    const members = [{ subject: 'ann', role: 'member' }];
    await call(ROOT, 'PUT', `/api/workspaces/${id}/members`, members);
    expect(named(await list(root, ANN))).toEqual(['anns workspace', 'common free']);
    expect(named(await list(root, ROOT))).toEqual(['anns workspace', 'common free']);
    expect(named(await list(root, BOB))).toEqual(['common free']);
    const absent = await ask(join(root, 'absent'), BOB);
    for (const path of ['anns', 'anns/secret', 'anns/absent']) {
      const { status, body } = await ask(join(root, path), BOB);
      expect([status, body]).toEqual([absent.status, absent.body]);
    }
  });
});

describe('list of a large folder', () => {
  it('has a limit, and says that it is not complete', async () => {
    const root = await mkdtemp(join(third, 'large-'));
    for (let from = 0; from < 600; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => mkdir(join(root, `folder ${from + index}`))),
      );
    const listed = await list(root);
    expect([listed.folders.length, listed.isComplete]).toEqual([500, false]);
    expect(listed.folders[2]?.name).toBe('folder 2');
  });

  it('ends after a maximum of entries', async () => {
    const root = await mkdtemp(join(third, 'files-'));
    for (let from = 0; from < 100_000; from += 1000)
      await Promise.all(
        Array.from({ length: 1000 }, (_, index) => writeFile(join(root, `${from + index}`), '')),
      );
    const began = performance.now();
    expect(await list(root)).toMatchObject({ folders: [], isComplete: false });
    expect(performance.now() - began).toBeLessThan(5000);
  }, 120_000);
});

describe('list of a folder that is replaced by a link meanwhile', () => {
  it("never shows the link's target", async () => {
    const root = await mkdtemp(join(third, 'race-'));
    const [place, aside] = [join(root, 'a'), join(root, 'b')];
    await mkdir(join(place, 'inside/safe'), { recursive: true });
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        await rename(place, aside);
        await symlink(outside, place);
        await unlink(place);
        await rename(aside, place);
      }
    })();
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask(place)));
    isOver = true;
    await swapping;
    expect(answers.map(({ bytes }) => bytes.toString()).join()).not.toContain('secret');
    for (const { status } of answers) expect([200, 400, 404]).toContain(status);
  });
});
