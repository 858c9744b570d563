import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { maintainTable, REST_MS } from '../../../../lib/indexing/commit/maintain.ts';
import { asOnlyWriter, TABLE_LEASE_MS } from '../../../../lib/indexing/commit/only-writer.ts';
import { touchIndex } from '../../../../lib/indexing/enqueue.ts';
import { LeaseLost } from '../../../../lib/leases/hold.ts';
import { indexes } from '../../../../lib/passages/search-space.ts';
import type { PassageTable } from '../../../../lib/ports/vectors.ts';
import { startPipeline } from '../../../support/pipeline.ts';

const { ports, now, drain, takeResults, makeWorkspace } = await startPipeline();
const SPACE = 'fake';

/** Starts writers of one workspace, which record the active writer. */
function startWriters(workspaceId: string) {
  const order: string[] = [];
  let atWork = 0;
  let most = 0;
  const write = (name: string, more: { goesFirst?: boolean; waitMs?: number } = {}) =>
    asOnlyWriter(ports, { workspaceId, ...more }, async () => {
      most = Math.max(most, ++atWork);
      order.push(name);
      await sleep(20);
      atWork -= 1;
    });
  return { order, write, most: () => most };
}

describe('asOnlyWriter', () => {
  it('allows one writer at a time per workspace, while writers of other workspaces can work', async () => {
    const { write, most, order } = startWriters('one');
    const other = startWriters('other');
    await Promise.all([...['a', 'b', 'c', 'd'].map((name) => write(name)), other.write('x')]);
    expect([most(), order.sort(), other.order]).toEqual([1, ['a', 'b', 'c', 'd'], ['x']]);
  });

  it('starts no further commit before waiting maintenance', async () => {
    const { write, order } = startWriters('queue');
    const commits = async () => {
      for (let n = 0; n < 30; n++) await write('commit');
    };
    const committing = commits();
    await sleep(50);
    const before = order.length;
    await write('maintenance', { goesFirst: true });
    const after = order.indexOf('maintenance');
    await committing;
    expect(after - before).toBeLessThan(20); // 30 commits take 0.6 s, and a check comes every 0.25 s
    expect(order.filter((name) => name === 'commit')).toHaveLength(30);
  });

  it('waits until the lease of a dead holder expires, and throws if that takes too long', async () => {
    const { write, order } = startWriters('dead');
    void asOnlyWriter(ports, { workspaceId: 'dead' }, () => new Promise(() => {}));
    await sleep(20);
    await expect(write('too early', { waitMs: 100 })).rejects.toThrow('Another worker');
    now.offsetMs += TABLE_LEASE_MS;
    await write('later');
    expect(order).toEqual(['later']);
  });

  it('refuses a write by a holder that was paused past its lease, even after the next holder finished', async () => {
    const { write } = startWriters('paused');
    const resume = Promise.withResolvers<void>();
    const paused = asOnlyWriter(ports, { workspaceId: 'paused' }, async (held) => {
      held.requireHeld();
      await resume.promise;
      held.requireHeld();
    });
    await sleep(20);
    now.offsetMs += TABLE_LEASE_MS;
    await write('next');
    resume.resolve();
    await expect(paused).rejects.toThrow(LeaseLost);
  });

  it('releases the tables when the work throws', async () => {
    const failing = asOnlyWriter(ports, { workspaceId: 'thrown' }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await startWriters('thrown').write('at once', { waitMs: 0 });
  });
});

describe('the rows of a workspace', () => {
  it('are stored once, even if their message is delivered twice at the same time', async () => {
    const workspace = await makeWorkspace();
    await workspace.write('first.md', 'a giraffe'); // the table exists
    await touchIndex(ports.touchQueue, workspace.id, ['first.md']);
    await drain();
    const paths = Array.from({ length: 20 }, (_, n) => `${n}.md`);
    for (const path of paths) await workspace.write(path, `the giraffe of ${path}`);
    await touchIndex(ports.touchQueue, workspace.id, paths);
    const results = await takeResults();
    await Promise.all([1, 2, 3].map(() => commitMessages(ports, results)));
    expect(await (await workspace.table()).count()).toBe(21);
  });
});

describe('maintenance', () => {
  /** Tables that only count their maintenance. */
  function counting() {
    const counted = { times: 0 };
    const table = { maintain: async () => counted.times++ < 0 } as Partial<PassageTable> as PassageTable;
    return { counted, maintaining: { ...ports, vectors: { ...ports.vectors, open: async () => table } } };
  }

  it('runs once for all requests made before it started, and again for later requests', async () => {
    const workspaceId = 'often asked';
    await indexes.put(ports.records, { workspaceId, space: SPACE });
    const { counted, maintaining } = counting();
    const askedAt = ports.clock.now();
    now.offsetMs += 10;
    for (let n = 0; n < 5; n++) await maintainTable(maintaining, { workspaceId, space: SPACE, askedAt });
    expect(counted.times).toBe(1);
    now.offsetMs += 10;
    await maintainTable(maintaining, { workspaceId, space: SPACE, askedAt: ports.clock.now() });
    expect(counted.times).toBe(2);
  });

  it('lets commits run first before it restarts, if it killed its worker', async () => {
    const workspaceId = 'too large';
    const { counted, maintaining } = counting();
    const aliveAt = ports.clock.now();
    const asked = { workspaceId, space: SPACE, askedAt: aliveAt };
    const died = { [SPACE]: { beganAt: aliveAt - 15 * 60_000, aliveAt } };
    await indexes.put(ports.records, { workspaceId, space: SPACE, maintaining: died });
    await expect(maintainTable(maintaining, asked)).rejects.toThrow('Commits go first');
    now.offsetMs += REST_MS;
    await maintainTable(maintaining, asked);
    expect(counted.times).toBe(1);
    expect(await indexes.get(ports.records, { workspaceId })).toMatchObject({ maintaining: {} });
  });

  it('restarts immediately if its worker was killed early, and reports that it continues', async () => {
    const workspaceId = 'killed soon';
    await indexes.put(ports.records, { workspaceId, space: SPACE });
    const { counted, maintaining } = counting();
    const table = { maintain: () => new Promise<boolean>(() => {}) } as Partial<PassageTable> as PassageTable;
    const endless = { ...ports, vectors: { ...ports.vectors, open: async () => table } };
    const asked = { workspaceId, space: SPACE, askedAt: ports.clock.now() };
    void maintainTable(endless, asked);
    await sleep(50);
    const begun = await indexes.get(ports.records, { workspaceId });
    expect(begun).toMatchObject({ maintaining: { [SPACE]: { aliveAt: expect.any(Number) } } });
    now.offsetMs += 60_000; // dead, and its lease has expired
    await maintainTable(maintaining, asked);
    expect(counted.times).toBe(1);
  });

  it('does nothing for a deleted workspace, and leaves nothing behind', async () => {
    const { counted, maintaining } = counting();
    await maintainTable(maintaining, { workspaceId: 'gone', space: SPACE, askedAt: ports.clock.now() });
    expect(counted.times).toBe(0);
    expect(await indexes.get(ports.records, { workspaceId: 'gone' })).toBeUndefined();
  });

  it('fails its own message, but no commit', async () => {
    const workspace = await makeWorkspace();
    await workspace.write('a.md', 'a giraffe');
    await touchIndex(ports.touchQueue, workspace.id, ['a.md']);
    await drain();
    const broken = { ...ports.vectors, open: () => Promise.reject(new Error('broken')) };
    const asked = { workspaceId: workspace.id, space: SPACE, askedAt: ports.clock.now() };
    await expect(maintainTable({ ...ports, vectors: broken }, asked)).rejects.toThrow('broken');
    await workspace.write('b.md', 'a walrus');
    await touchIndex(ports.touchQueue, workspace.id, ['b.md']);
    await drain();
    expect(await workspace.found('walrus')).toEqual(['b.md']);
  });
});
