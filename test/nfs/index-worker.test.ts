import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { touchChanged, touchIndex, touchWorkspace } from '../../lib/indexing/enqueue.ts';
import { walk } from '../../lib/indexing/scan/walk.ts';
import { indexedFiles } from '../../lib/indexing/schema.ts';
import type { Records } from '../../lib/ports/records.ts';
import { startBroughtCommands } from '../support/brought-commands.ts';
import { startPipeline } from '../support/pipeline.ts';
import { atPace, countCalls, forgetCaches, sharedFolder, sumOf } from './hosts.ts';

const { ports, drain, makeWorkspace, now } = await startPipeline();
ports.embedder = undefined;

/** A workspace whose files change on the first host, while the second one indexes them. */
async function indexedElsewhere() {
  const { first, second } = await sharedFolder();
  const workspace = await makeWorkspace(second);
  const write = async (path: string, text: string) => {
    await mkdir(join(first, path, '..'), { recursive: true });
    await writeFile(join(first, path), text);
  };
  const touch = async (...paths: string[]) => {
    await touchIndex(ports.touchQueue, workspace.id, paths);
    await drain();
  };
  const found = (words: string) => workspace.found(words);
  return { id: workspace.id, first, write, touch, found };
}

describe('index worker on another host', () => {
  it('reads a file written in place, and one that replaced a file', async () => {
    const { write, touch, found, first } = await indexedElsewhere();
    await write('a.md', 'a giraffe');
    await write('b.md', 'a giraffe');
    await touch('a.md', 'b.md');
    expect(await found('giraffe')).toEqual(['a.md', 'b.md']);
    await write('a.md', 'a walrus on the ice');
    await write('new', 'a walrus on the ice');
    await rename(join(first, 'new'), join(first, 'b.md'));
    await touch('a.md', 'b.md');
    expect(await found('walrus')).toEqual(['a.md', 'b.md']);
    expect(await found('giraffe')).toEqual([]);
  });

  it('finds a file and a folder that were missing before', async () => {
    const { write, touch, found, first } = await indexedElsewhere();
    for (const path of ['a.md', 'deep/down/b.md']) await write(path, 'a giraffe');
    await touch('a.md', 'deep');
    for (const path of ['a.md', 'deep']) await rm(join(first, path), { recursive: true });
    await touch('a.md', 'deep', 'deep/down/b.md');
    expect(await found('giraffe')).toEqual([]);
    for (const path of ['a.md', 'deep/down/b.md']) await write(path, 'a giraffe');
    await touch('a.md', 'deep/down/b.md');
    expect(await found('giraffe')).toEqual(['a.md', 'deep/down/b.md']);
  });

  it('forgets deleted files, and files that an ignore file has come to exclude', async () => {
    const { write, touch, found, first, id } = await indexedElsewhere();
    for (const path of ['a.md', 'b.md', 'c.md']) await write(path, 'a giraffe');
    await write('.gitignore', 'x\n');
    await touch('');
    await rm(join(first, 'a.md'));
    await write('.gitignore', 'x\nb.md\n');
    await touchChanged(ports, id, ['a.md', '.gitignore']);
    now.offsetMs += 3000;
    await drain();
    expect(await found('giraffe')).toEqual(['c.md']);
  });
});

/** Prints a line without the location in this file that console.error would add. */
function say(what: string): void {
  process.stderr.write(`${what}\n`);
}

const FOLDERS = 100;
const FILES_EACH = 100;

describe('command over 10,000 files on NFS', () => {
  it('is followed by calls only for the files that it changed', async () => {
    const { first, second } = await sharedFolder();
    const { id } = await makeWorkspace(second);
    await atPace('0s', '0s', () => fill(first, id));
    const { commands } = await startBroughtCommands();
    const run = (script: string) =>
      commands.run({
        script,
        workspaceId: id,
        cwd: first,
        writable: [first],
        timeoutMs: 60_000,
        maxOutputBytes: 1000,
      });
    await atPace('0s', '0s', () => run('true')); // transfers the files
    const counts: Record<string, number> = {};
    const records = counted(ports.records);
    ports.records = records;
    const measure = async (what: string, host: 'first' | 'second', work: () => Promise<unknown>) => {
      await forgetCaches();
      const [started, before] = [performance.now(), records.calls];
      counts[what] = sumOf(await countCalls(host, work));
      const [ms, reads] = [Math.round(performance.now() - started), records.calls - before];
      say(`${what}: ${counts[what]} calls of the file system, ${reads} of the records, ${ms} ms`);
    };
    let changed: string[] | undefined;
    await measure('the command', 'first', async () => {
      ({ changed } = await run('echo a walrus > 7/7.md; rm 8/8.md; mv 9/9.md moved.md'));
    });
    expect(changed?.toSorted()).toEqual(['7/7.md', '8/8.md', '9/9.md', 'moved.md']);
    await measure('the touch after it', 'second', async () => {
      await touchChanged(ports, id, changed);
      await drain();
    });
    await measure('a look', 'second', async () => {
      await touchWorkspace(ports, id);
      now.offsetMs += 3000;
      await drain();
    });
    expect(await indexedFiles.get(ports.records, { workspaceId: id, path: '8/8.md' })).toBeUndefined();
    expect(counts['the touch after it']).toBeLessThan(100);
    expect(counts['a look']).toBeGreaterThan(FOLDERS * FILES_EACH);
  });
});

/** Writes files, with the records that an index worker would have stored a second ago. */
async function fill(root: string, workspaceId: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    await mkdir(join(root, String(folder)));
    const names = Array.from({ length: FILES_EACH }, (_, file) => `${folder}/${file}.md`);
    await Promise.all(names.map((name) => writeFile(join(root, name), `the giraffe of ${name}`)));
  }
  const { files } = await walk(root);
  const read = {
    hash: 'x',
    chunks: 1,
    space: 'lexical',
    table: '',
    embedded: true,
    format: 'text',
    formatVersion: 1,
    givenUp: false,
  };
  const records = files.map((file) => ({ workspaceId, ...file, ...read, readAt: Date.now() + 1000 }));
  for (let start = 0; start < records.length; start += 1000)
    await indexedFiles.putMany(ports.records, records.slice(start, start + 1000));
}

/** Records that count the calls to them. */
function counted(records: Records): Records & { calls: number } {
  const all = { ...records, calls: 0 };
  for (const [name, call] of Object.entries(records))
    Object.assign(all, {
      [name]: (...args: never[]) => {
        all.calls++;
        return (call as (...args: never[]) => unknown)(...args);
      },
    });
  return all;
}
