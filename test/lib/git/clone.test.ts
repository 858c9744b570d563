import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { cloneWorkspace } from '../../../lib/git/clone.ts';
import type { Repositories } from '../../../lib/ports/repositories.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const HOUR_MS = 60 * 60 * 1000;
const caller: Caller = { id: 'local', role: 'admin', workspaceIds: null };
const QUEUE = { visibilityTimeoutSeconds: 1800 };
const STALE = '.wrs-00000000-0000-4000-8000-000000000001.tmp';

type Write = (url: string, folder: string) => Promise<void>;

/** Starts a service whose clones have the files of `write`. */
async function prepare(write: Write, time = Date.now()) {
  const root = await tempFolder();
  const database = openDatabase(await tempFolder());
  createQueues(database, [
    { name: 'touch', fifo: false, ...QUEUE },
    { name: 'commit', fifo: true, ...QUEUE },
  ]);
  const clone: Repositories['clone'] = async (url, folder) => {
    await write(url, folder);
    return url;
  };
  const ports = {
    records: sqliteRecords(database),
    clock: { now: () => time },
    touchQueue: sqliteQueue(database, 'touch'),
    selfApproval: async () => undefined,
    workspaceRoots: [root],
    repositories: { clone, pull: async () => undefined, status: async () => undefined },
  };
  const records = async () => (await workspaces.list(ports.records, { partition: 'WORKSPACE' })).items;
  const run = (rootPath: string, as = caller) =>
    cloneWorkspace(ports, as, { url: 'https://example.org/a/b', rootPath });
  return { root, run, records };
}

const writeOne: Write = (_url, folder) => writeFile(join(folder, 'a.txt'), 'a');

describe('cloneWorkspace', () => {
  it('moves the clone into place once it is complete', async () => {
    let seen: string[] = [];
    const { root, run, records } = await prepare(async (url, folder) => {
      await writeOne(url, folder);
      seen = await readdir(root);
    });
    const workspace = await run('deep/place');
    expect(seen).toEqual([expect.stringMatching(/^\.wrs-.*\.tmp$/)]);
    expect(await readdir(workspace.rootPath)).toEqual(['a.txt']);
    expect(await readdir(root)).toEqual(['deep']);
    expect(await records()).toEqual([workspace]);
  });

  it('leaves neither the folder nor the record of a failed clone', async () => {
    const { root, run, records } = await prepare(async (url, folder) => {
      await writeOne(url, folder);
      throw new UpstreamFailed('upstream_failed', 'gone');
    });
    await expect(run('place')).rejects.toMatchObject({ status: 502 });
    expect([await readdir(root), await records()]).toEqual([[], []]);
  });

  it('replaces no files that were added to the directory in the meantime', async () => {
    const { root, run } = await prepare(async (url, folder) => {
      await writeOne(url, folder);
      await mkdir(join(root, 'place'));
      await writeFile(join(root, 'place/mine.txt'), 'mine');
    });
    await expect(run('place')).rejects.toMatchObject({ status: 409 });
    expect(await readdir(root)).toEqual(['place']);
    expect(await readdir(join(root, 'place'))).toEqual(['mine.txt']);
  });

  it('rejects a directory that became another workspace in the meantime', async () => {
    let inner = false;
    const { root, run, records } = await prepare(async (url, folder) => {
      await writeOne(url, folder);
      if (inner) return;
      inner = true;
      await run('place/deeper');
    });
    await expect(run('place')).rejects.toMatchObject({ status: 409, message: /rootPath/ });
    expect(await records()).toHaveLength(1);
    expect(await readdir(root)).toEqual(['place']);
  });

  it('removes the folder that a clone killed an hour ago left, and no newer folder', async () => {
    const young = await prepare(writeOne);
    await mkdir(join(young.root, STALE, 'x'), { recursive: true });
    await young.run('place');
    expect(await readdir(young.root)).toContain(STALE);
    const old = await prepare(writeOne, Date.now() + HOUR_MS + 60_000);
    await mkdir(join(old.root, STALE, 'x'), { recursive: true });
    await old.run('place');
    expect(await readdir(old.root)).toEqual(['place']);
  });

  it('is denied for workspace-scoped callers before any request is sent', async () => {
    let asked = 0;
    const { run } = await prepare(async () => void asked++);
    await expect(run('place', { ...caller, workspaceIds: [] })).rejects.toMatchObject({ status: 403 });
    expect(asked).toBe(0);
  });
});
