import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../../../infra/local/service-file.ts';
import { lancedbVectors } from '../../../../lib/adapters/lancedb/vectors.ts';
import { cleanQuietTables, pendingCleanings } from '../../../../lib/indexing/commit/cleaning.ts';
import { dropIndex, touchIndex } from '../../../../lib/indexing/enqueue.ts';
import { KEEP_VERSIONS_MS } from '../../../../lib/ports/vectors.ts';
import { startPipeline, takeAll } from '../../../support/pipeline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const folder = await tempFolder();
// The store uses the system's clock. Here, each replaced version is old.
const vectors = { ...lancedbVectors(folder, { keepVersionsMs: 0 }), keepVersionsMs: KEEP_VERSIONS_MS };
const pipeline = await startPipeline(vectors);
const { ports, now, drain, makeWorkspace } = pipeline;
const MINUTE_MS = 60_000;

async function bytesBelow(path: string): Promise<number> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const versionsOf = (id: string) =>
  readdirSync(join(folder, id), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.manifest'),
  ).length;

/** Lets the time pass minute by minute, as the tick does. Returns how often maintenance was requested. */
async function pass(minutes: number): Promise<number> {
  let asked = 0;
  for (let minute = 0; minute < minutes; minute++) {
    now.offsetMs += MINUTE_MS;
    await cleanQuietTables(ports);
    asked += (await ports.maintainQueue.depth()).waiting;
    await drain();
  }
  return asked;
}

/** Creates a workspace with a file that was saved ten times, which isn't enough for maintenance. */
async function makeBusy() {
  const workspace = await makeWorkspace();
  const save = async (text: string) => {
    now.offsetMs += 100;
    await workspace.write('a.md', `${text} `.repeat(2000));
    await touchIndex(ports.touchQueue, workspace.id, ['a.md']);
    await drain();
  };
  for (let time = 0; time < 10; time++) await save(`giraffe number ${time}`);
  return Object.assign(workspace, { save });
}

const pending = () => pendingCleanings.list(ports.records, { partition: 'TABLE_CLEANING', limit: 10 });

describe('a table that is no longer written', () => {
  it('keeps its old versions while a reader may use them, and deletes them afterwards', async () => {
    const workspace = await makeBusy();
    const { id } = workspace;
    const [versions, bytes] = [versionsOf(id), await bytesBelow(join(folder, id))];
    expect(versions).toBeGreaterThanOrEqual(10);
    expect(await pass(KEEP_VERSIONS_MS / MINUTE_MS)).toBe(0);
    expect(versionsOf(id)).toBe(versions);
    expect(await pass(2)).toBe(1);
    await pass(2 * (KEEP_VERSIONS_MS / MINUTE_MS) + 10);
    expect(versionsOf(id)).toBe(1);
    expect(await bytesBelow(join(folder, id))).toBeLessThan(bytes / 2);
    expect(await workspace.found('giraffe')).toEqual(['a.md']);
  });

  it('is not maintained again afterward', async () => {
    await makeBusy();
    await pass(100);
    expect((await pending()).items).toEqual([]);
    expect(await pass(100)).toBe(0);
  });

  it('counts as unused only after its latest write', async () => {
    const { id, save } = await makeBusy();
    for (let time = 0; time < 3; time++) {
      expect(await pass(15)).toBe(0);
      await save(`owl ${time}`);
    }
    const versions = versionsOf(id);
    await pass(80);
    expect(versionsOf(id)).toBeLessThan(versions);
  });
});

it('the cleanup processes a hundred tables per tick, longest unused first', async () => {
  const dueAt = (at: number) => new Date(ports.clock.now() - 1_000_000 + at).toISOString();
  await pendingCleanings.putMany(
    ports.records,
    Array.from({ length: 130 }, (_, at) => ({ workspaceId: `w${at}`, space: 's', dueAt: dueAt(at) })),
  );
  const asked = async () => {
    await cleanQuietTables(ports);
    return (await takeAll(ports.maintainQueue)).map(({ body }) => JSON.parse(body).workspaceId);
  };
  const first = await asked();
  expect(first).toHaveLength(100);
  expect(new Set(first)).toEqual(new Set(Array.from({ length: 100 }, (_, at) => `w${at}`)));
  expect(await asked()).toHaveLength(30);
  expect(await asked()).toEqual([]);
});

it('the cleanup forgets the tables of a deleted workspace', async () => {
  const { id } = await makeBusy();
  expect((await pending()).items).toHaveLength(1);
  await dropIndex(ports.commitQueue, id);
  await drain();
  expect((await pending()).items).toEqual([]);
});

it('the cleanup keeps versions for longer than any function runs', () => {
  const { functions } = readServiceFile(resolve(import.meta.dirname, '../../../../serverless.yml'));
  const longest = Math.max(...functions.map(({ timeoutSeconds }) => timeoutSeconds));
  expect(longest).toBe(900);
  expect(KEEP_VERSIONS_MS).toBeGreaterThan((longest + 60) * 1000);
});
