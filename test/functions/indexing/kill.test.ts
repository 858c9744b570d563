import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { dumpIndex } from '../../support/index-dump.ts';
import { writeNotes } from '../../support/samples/notes-tree.ts';
import { startService } from '../../support/service.ts';
import { createWorkspace, syncWorkspace } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** `npm run test:long` kills fifty times; the default test suite a few times. */
const KILLS = Number(process.env.KILLS ?? 3);
/** Needs more than one batch. */
const FILES = 250;

describe('sync whose process is killed repeatedly', () => {
  let provider: FakeOpenai;
  let root: string;

  beforeAll(async () => {
    provider = await startFakeOpenai();
    root = await tempFolder();
    await writeNotes(join(root, 'tree'), FILES);
    await cp(join(root, 'tree'), join(root, 'calm'), { recursive: true });
  });
  afterAll(() => provider.stop());

  it(
    `leaves exactly the rows of an undisturbed sync (${KILLS} kills)`,
    async () => {
      const environment = {
        EMBEDDING_BASE_URL: provider.url,
        EMBEDDING_API_KEY: 'test',
        WORKSPACE_ROOTS: root,
      };
      const calm = await calmRun(environment);
      const disturbed = await disturbedRun(environment);
      expect(disturbed.files).toEqual(calm.files);
      expect(disturbed.rows).toEqual(calm.rows);
      expect(calm.rows.length).toBeGreaterThan(FILES);
    },
    180_000 + KILLS * 5_000,
  );

  async function calmRun(environment: Record<string, string>) {
    const service = await startService(environment);
    const workspaceId = await createWorkspace(service, 'calm');
    await syncWorkspace(service, workspaceId);
    await service.stop();
    return dumpIndex(service.dataDir, workspaceId);
  }

  async function disturbedRun(environment: Record<string, string>) {
    const DATA_DIR = await tempFolder();
    const first = await startService({ ...environment, DATA_DIR });
    const workspaceId = await createWorkspace(first, 'tree');
    await first.call('POST', `/api/workspaces/${workspaceId}/sync`);
    await sleep(Math.random() * 300);
    await first.kill();
    for (let kills = 1; kills < KILLS; kills++) {
      const service = await startService({ ...environment, DATA_DIR });
      await sleep(Math.random() * 300);
      await service.kill();
    }
    const last = await startService({ ...environment, DATA_DIR });
    const state = await syncWorkspace(last, workspaceId);
    expect(state).toMatchObject({ status: 'ready', failedCount: 0, done: FILES });
    await syncWorkspace(last, workspaceId);
    await last.stop();
    return dumpIndex(DATA_DIR, workspaceId);
  }
});
