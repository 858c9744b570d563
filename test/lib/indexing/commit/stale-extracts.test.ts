import { describe, expect, it } from '@jest/globals';
import { extractKey, extractKeys } from '../../../../lib/formats/extract-key.ts';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { maintainTable } from '../../../../lib/indexing/commit/maintain.ts';
import {
  extractWalks,
  removeStaleExtracts,
  staleExtracts,
  stalePartition,
} from '../../../../lib/indexing/commit/stale-extracts.ts';
import { dropIndex } from '../../../../lib/indexing/enqueue.ts';
import { renewIndexes } from '../../../../lib/indexing/renew-indexes.ts';
import { readKnownFiles } from '../../../../lib/indexing/schema.ts';
import { type Held, LeaseLost } from '../../../../lib/leases/hold.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import {
  hashOfMail,
  KEPT_MINUTES,
  type MailWorkspace,
  mail,
  makeMailWorkspace,
} from '../../../support/mail-workspace.ts';
import { startPipeline, takeAll } from '../../../support/pipeline.ts';
import { killable } from '../../../support/processes/killable.ts';

const pipeline = await startPipeline();
const { ports, now, drain, takeResults } = pipeline;
const makeWorkspace = () => makeMailWorkspace(pipeline);

/** Creates a workspace whose removed text was read by a worker before, without a commit so far. */
async function removeAfterReading() {
  const workspace = await makeWorkspace();
  for (const word of ['heron', 'owl']) await workspace.save('a.eml', word);
  await workspace.pass(KEPT_MINUTES - 1);
  await workspace.write('a.eml', mail('heron'));
  await workspace.touch('a.eml');
  const late = await takeResults();
  await workspace.pass(3);
  return { workspace, late };
}

describe('the stored text of a version that no file has any longer', () => {
  it.each([
    ['was replaced', (workspace: MailWorkspace) => workspace.save('a.eml', 'owl')],
    ['was removed', (workspace: MailWorkspace) => workspace.remove('a.eml')],
    [
      'can no longer be read',
      async (workspace: MailWorkspace) => {
        await workspace.write('a.eml', Buffer.alloc(60 * 1024 * 1024));
        await workspace.touch('a.eml');
        await drain();
      },
    ],
  ])('is deleted when the file %s, after the longest answer that may quote it', async (_how, change) => {
    const workspace = await makeWorkspace();
    await workspace.save('a.eml', 'heron');
    await change(workspace);
    await workspace.pass(KEPT_MINUTES - 1);
    expect(await workspace.stored('heron')).toContain('heron');
    await workspace.pass(3);
    for (const key of extractKeys(workspace.id, await hashOfMail('heron')))
      expect(await ports.objects.getBytes(key)).toBeUndefined();
  });

  it('is deleted even in a workspace that is constantly changing', async () => {
    const workspace = await makeWorkspace();
    await workspace.save('a.eml', 'heron');
    await workspace.save('a.eml', 'owl');
    for (let time = 0; time < 70; time++) {
      now.offsetMs += 60_000;
      await workspace.write('b.md', `note ${time}`);
      await workspace.touch('b.md');
      await drain();
    }
    expect(await workspace.stored('heron')).toBeUndefined();
    expect(await workspace.stored('owl')).toContain('owl');
  });

  it('is kept while a copy has the same version, and deleted with the last copy', async () => {
    const workspace = await makeWorkspace();
    await workspace.save('a.eml', 'heron');
    await workspace.save('b.eml', 'heron');
    await workspace.save('a.eml', 'owl');
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.stored('heron')).toContain('heron');
    await workspace.remove('b.eml');
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.stored('heron')).toBeUndefined();
  });

  it('is kept while a file without text, which is indexed by its name, has that version', async () => {
    const workspace = await makeWorkspace();
    const blank = 'From: a@example.org\r\nContent-Type: text/plain\r\n\r\n \r\n';
    for (const path of ['a.eml', 'b.eml']) await workspace.write(path, blank);
    await workspace.touch('');
    await drain();
    const hash = await sha256(Buffer.from(blank));
    const [file] = (await readKnownFiles(ports.records, workspace.id, ['b.eml'])).values();
    expect(file).toMatchObject({ hash });
    await workspace.save('a.eml', 'owl');
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await ports.objects.getBytes(extractKey(workspace.id, hash))).toBeDefined();
  });

  it('is kept when the file returns to that version in the meantime', async () => {
    const workspace = await makeWorkspace();
    for (const word of ['heron', 'owl', 'heron']) await workspace.save('a.eml', word);
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.stored('heron')).toContain('heron');
    expect(await workspace.stored('owl')).toBeUndefined();
  });

  it('is extracted again if a worker that had read the file commits after the removal', async () => {
    const { workspace, late } = await removeAfterReading();
    expect(await workspace.stored('heron')).toBeUndefined();
    await commitMessages(ports, late);
    expect(await drain()).toBeLessThan(10);
    expect(await workspace.stored('heron')).toContain('heron');
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.stored('heron')).toContain('heron');
  });

  it('is stored again after the clock was set back to before its removal', async () => {
    const workspace = await makeWorkspace();
    for (const word of ['heron', 'owl']) await workspace.save('a.eml', word);
    await workspace.pass(KEPT_MINUTES + 3);
    now.offsetMs -= 60 * 60_000;
    await workspace.save('b.eml', 'heron');
    now.offsetMs += 60 * 60_000;
    expect(await workspace.stored('heron')).toContain('heron');
  });

  it('is extracted again for a copy of a file that has not been indexed again yet', async () => {
    const { workspace, late } = await removeAfterReading();
    await commitMessages(ports, late);
    const [again] = await takeAll(ports.indexQueue);
    await workspace.write('b.eml', mail('heron'));
    await workspace.touch('b.eml');
    await drain();
    await workspace.write('a.eml', mail('robin'));
    await ports.indexQueue.send([{ body: JSON.parse(again?.body ?? '') }]);
    await drain();
    expect(await workspace.stored('heron')).toContain('heron');
    const files = await readKnownFiles(ports.records, workspace.id, ['a.eml', 'b.eml']);
    expect([...files.values()].map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  it('is deleted if the file changed before its text was committed', async () => {
    const workspace = await makeWorkspace();
    await workspace.write('a.eml', mail('heron'));
    await workspace.touch('a.eml');
    const late = await takeResults();
    await workspace.save('a.eml', 'owl');
    await commitMessages(ports, late);
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.stored('heron')).toBeUndefined();
    expect(await workspace.stored('owl')).toContain('owl');
  });

  it('is stored again by the next sync if the removal reached the store too late to be noticed', async () => {
    const workspace = await makeWorkspace();
    for (const word of ['heron', 'owl', 'heron']) await workspace.save('a.eml', word);
    const hash = await hashOfMail('heron');
    const [dueAt, removedAt] = ['2026-01-01T00:00:00.000Z', 1];
    await staleExtracts.put(ports.records, { workspaceId: workspace.id, hash, dueAt, removedAt });
    await ports.objects.delete(extractKey(workspace.id, hash));
    await workspace.pass(KEPT_MINUTES + 3);
    await workspace.sync();
    expect(await workspace.stored('heron')).toContain('heron');
    expect(await staleExtracts.get(ports.records, { workspaceId: workspace.id, hash })).toBeUndefined();
  });

  it('is deleted with its workspace, as are its pending removals', async () => {
    const workspace = await makeWorkspace();
    for (const word of ['heron', 'owl']) await workspace.save('a.eml', word);
    await dropIndex(ports.commitQueue, workspace.id);
    await drain();
    expect(await workspace.keys()).toEqual([]);
    const left = await ports.records.query({ partition: stalePartition(workspace.id) });
    expect(left.records).toEqual([]);
    expect(await extractWalks.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
  });
});

describe('stored text left by killed workers', () => {
  const OLD = Array.from({ length: 30 }, (_, index) => String(index).padStart(64, '0'));
  const makeOld = async () => {
    const workspace = await makeWorkspace();
    await workspace.save('a.eml', 'heron');
    await workspace.save('b.eml', 'owl');
    await workspace.pass(KEPT_MINUTES + 3);
    await extractWalks.delete(ports.records, { workspaceId: workspace.id });
    for (const hash of OLD) await ports.objects.put(extractKey(workspace.id, hash), Buffer.from('old'));
    return workspace;
  };

  it('is deleted once per workspace, even in an unused one, without deleting anything else', async () => {
    const workspace = await makeOld();
    await ports.records.delete({ partition: 'INDEX_RENEWAL', sort: 'latest' });
    for (let tick = 0; tick < 3; tick++) await renewIndexes(ports);
    await drain();
    expect(await workspace.keys()).toHaveLength(OLD.length + 4);
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.keys()).toHaveLength(4);
    const walk = await extractWalks.get(ports.records, { workspaceId: workspace.id });
    expect(walk).toMatchObject({ after: null, walkedAt: expect.any(Number) });
  });

  it('is not marked by a walk that lost its lease while reading', async () => {
    const workspace = await makeOld();
    let isHeld = true;
    const keys = async function* (prefix: string, after?: string) {
      for await (const page of ports.objects.keys(prefix, after)) {
        isHeld = false;
        yield page;
      }
    };
    const requireHeld = () => {
      if (!isHeld) throw new LeaseLost();
    };
    const paged = { ...ports, objects: { ...ports.objects, keys } };
    const walk = removeStaleExtracts(paged, { requireHeld } as Held, workspace.id);
    await expect(walk).rejects.toThrow(LeaseLost);
    const [hash = ''] = OLD;
    expect(await staleExtracts.get(ports.records, { workspaceId: workspace.id, hash })).toBeUndefined();
    expect(await extractWalks.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
  });

  it('is found by a walk that continues where the previous one was killed', async () => {
    const workspace = await makeOld();
    let asked: string[] = [];
    const keys = async function* (prefix: string, after?: string) {
      const all = (await Array.fromAsync(ports.objects.keys(prefix, after))).flat();
      for (let start = 0; start < all.length; start += 4) {
        if (asked.length === 5) throw new Error('killed');
        asked.push(all[start] ?? '');
        yield all.slice(start, start + 4);
      }
    };
    const paged = { ...ports, objects: { ...ports.objects, keys } };
    const maintain = () =>
      maintainTable(paged, { workspaceId: workspace.id, space: 'fake', askedAt: ports.clock.now() });
    await expect(maintain()).rejects.toThrow('killed');
    const first = asked;
    asked = [];
    await maintain();
    expect(asked[0]).toBe(extractKey(workspace.id, OLD[20] ?? ''));
    expect(first).toHaveLength(5);
    await workspace.pass(KEPT_MINUTES + 3);
    expect(await workspace.keys()).toHaveLength(4);
  });
});

it('the removal of stored text adds no call to a commit of text files, and three calls to a commit of documents', async () => {
  const costs = async (path: string, words: string[]) => {
    const workspace = await makeWorkspace();
    let calls = 0;
    for (const word of words) {
      await workspace.write(path, mail(word));
      await workspace.touch(path);
      const results = await takeResults();
      const counted = killable(ports, ['records', 'objects']);
      await commitMessages(counted.ports, results);
      calls = counted.calls();
    }
    await drain();
    return calls;
  };
  const text = await costs('a.md', ['heron', 'owl']);
  expect((await costs('a.eml', ['heron', 'owl'])) - text).toBe(3);
});
