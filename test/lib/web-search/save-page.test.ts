import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { provenancesOf } from '../../../lib/documents/provenance.ts';
import { Conflict } from '../../../lib/errors.ts';
import { sha256 } from '../../../lib/paths/hash.ts';
import { type FetchedPage, savePage } from '../../../lib/web-search/save-page.ts';
import { requireWorkspace } from '../../../lib/workspaces/access.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startTokenRig } from '../../support/tokens.ts';
import { touchQueue } from '../../support/tool-context.ts';

const URL = 'https://owls.example/a/b.html?x=1';

const WORKSPACE = {
  ...{ id: '00000000-0000-7000-8000-000000000001', name: 'w', rootPath: '/w' },
  createdAt: '2026-11-30T00:00:00.000Z',
};

async function start() {
  const rootPath = await tempFolder();
  const queue = touchQueue();
  const { ports } = await startTokenRig();
  const workspace = { ...WORKSPACE, rootPath };
  const page = async (text: string): Promise<FetchedPage> => {
    const bytes = Buffer.from(text);
    const fetchedAt = '2026-11-30T12:00:00.000Z';
    return {
      url: URL,
      finalUrl: `${URL}&to=2`,
      extension: 'html',
      bytes,
      hash: await sha256(bytes),
      fetchedAt,
    };
  };
  const save = async (text: string) => savePage({ ...ports, touchQueue: queue }, workspace, await page(text));
  const names = () => readdir(join(rootPath, 'sources/web'));
  return { rootPath, queue, ports, save, names, page };
}

describe('savePage', () => {
  it('writes the bytes, stores the origin, and notifies the index', async () => {
    const { rootPath, queue, ports, save, page } = await start();
    const path = await save('<p>Owls</p>');
    const { hash } = await page('<p>Owls</p>');
    expect(path).toMatch(/^sources\/web\/owls-example-a-b-html-[0-9a-f]{8}-[0-9a-f]{8}\.html$/);
    expect(await readFile(join(rootPath, path), 'utf8')).toBe('<p>Owls</p>');
    expect(queue.touched).toEqual([path]);
    expect(await provenancesOf(ports.records, WORKSPACE, [{ path, fileHash: hash }])).toEqual(
      new Map([
        [
          hash,
          { workspaceId: WORKSPACE.id, hash, url: `${URL}&to=2`, fetchedAt: '2026-11-30T12:00:00.000Z' },
        ],
      ]),
    );
    expect(await provenancesOf(ports.records, { id: 'other' }, [{ path, fileHash: hash }])).toEqual(
      new Map(),
    );
  });

  it('lets searches look up the origin of a page that was moved later', async () => {
    const { ports, save, page } = await start();
    await workspaces.create(ports.records, WORKSPACE);
    await save('<p>Owls</p>');
    const moved = [{ path: 'owls.html', fileHash: (await page('<p>Owls</p>')).hash }];
    const now = await requireWorkspace(ports.records, WORKSPACE.id);
    expect((await provenancesOf(ports.records, now, moved)).size).toBe(1);
    expect((await provenancesOf(ports.records, WORKSPACE, moved)).size).toBe(0);
  });

  it('writes the same contents once, and others next to them', async () => {
    const { save, names } = await start();
    const first = await save('<p>Owls</p>');
    expect(await save('<p>Owls</p>')).toBe(first);
    expect(await save('<p>Owls, updated</p>')).not.toBe(first);
    expect(await names()).toHaveLength(2);
  });

  it("keeps a person's edit, and never replaces it", async () => {
    const { rootPath, save } = await start();
    const first = await save('<p>Owls</p>');
    await writeFile(join(rootPath, first), 'edited');
    const second = await save('<p>Owls</p>');
    expect(second).not.toBe(first);
    expect(await readFile(join(rootPath, first), 'utf8')).toBe('edited');
    await writeFile(join(rootPath, second), 'edited too');
    await expect(save('<p>Owls</p>')).rejects.toThrow(Conflict);
  });
});
