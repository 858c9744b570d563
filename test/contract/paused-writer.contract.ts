import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { commitMessages } from '../../lib/indexing/commit/commit.ts';
import { TABLE_LEASE_MS } from '../../lib/indexing/commit/only-writer.ts';
import { touchIndex } from '../../lib/indexing/enqueue.ts';
import type { CommitMessage } from '../../lib/indexing/messages.ts';
import { dumpIndex } from '../support/index-dump.ts';
import { startPipeline } from '../support/pipeline.ts';
import { whenDone } from '../support/temp-folder.ts';

const PROCESS = join(import.meta.dirname, '../support/processes/commit-process.ts');
const FILES = Array.from({ length: 12 }, (_, n) => `${n}.md`);

/** A commit worker that pauses itself at `place`; `resume` returns how it ended. */
async function startPaused(dataDir: string, messages: CommitMessage[], place: string, tables: string) {
  const file = join(dataDir, 'messages.json');
  await writeFile(file, JSON.stringify(messages));
  const child = spawn(process.execPath, [PROCESS, dataDir, file, place, tables], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  whenDone(async () => child.kill('SIGKILL'));
  const outcome = text(child.stdout);
  while (child.exitCode === null && !(await isStopped(child.pid ?? 0))) await sleep(20);
  return {
    /** Wakes the worker after the host has slept for longer than a lease, by the worker's clock. */
    async resume() {
      await writeFile(join(dataDir, 'slept-ms'), String(TABLE_LEASE_MS));
      child.kill('SIGCONT');
      if (child.exitCode === null) await once(child, 'exit');
      return outcome;
    },
  };
}

async function isStopped(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\s+T/m.test(status);
}

/** Folder of the tables, as seen by the paused worker and by the one that overtakes it. */
interface TwoPlaces {
  paused: string;
  other: string;
}
type Open = () => Promise<TwoPlaces>;

/** Two workers on one store. One is paused, and the other gets its messages again. */
async function makeScene(open: Open) {
  const places = await open();
  const pipeline = await startPipeline(lancedbVectors(places.other));
  const workspace = await pipeline.makeWorkspace();
  await workspace.write('first.md', 'a walrus');
  await workspace.sync();
  const write = (word: string) =>
    Promise.all(FILES.map((path) => workspace.write(path, `the ${word} of ${path}`)));
  const read = async () => {
    await touchIndex(pipeline.ports.touchQueue, workspace.id, FILES);
    return pipeline.takeResults();
  };
  const readRows = async () => {
    const { rows } = await dumpIndex(pipeline.dataDir, workspace.id, places.other);
    return (rows as { id: string; text: string }[]).map(({ id, text }) => [id, text]);
  };
  const startPausedAt = (place: string, messages: CommitMessage[]) =>
    startPaused(pipeline.dataDir, messages, place, places.paused);
  return { ...pipeline, workspace, write, read, readRows, startPausedAt };
}

/**
 * Checks the rows after a worker was paused at `place` past its lease while another worker committed newer
 * versions of its files.
 */
async function overtakenAt(open: Open, place: string) {
  const { ports, now, drain, write, read, readRows, startPausedAt } = await makeScene(open);
  await write('giraffe');
  const paused = await startPausedAt(place, await read());
  now.offsetMs += TABLE_LEASE_MS;
  await write('zebra');
  await commitMessages(ports, await read());
  const outcome = await paused.resume();
  await drain();
  return { outcome, rows: await readRows() };
}

/** The same, but the other worker committed the same messages again, and then the removal of the files. */
async function removedMeanwhile(open: Open) {
  const { ports, now, drain, write, read, readRows, workspace, startPausedAt } = await makeScene(open);
  await write('giraffe');
  const messages = await read();
  const paused = await startPausedAt('add', messages);
  now.offsetMs += TABLE_LEASE_MS;
  await commitMessages(ports, messages);
  await Promise.all(FILES.map((path) => rm(join(workspace.rootPath, path))));
  await commitMessages(ports, await read());
  const outcome = await paused.resume();
  await drain();
  return { outcome, rows: await readRows() };
}

/**
 * Shows that a writer that lost its lease on the tables does no harm. `open` returns two places of a new
 * folder.
 */
export function describePausedWriter(name: string, open: Open): void {
  describe(`${name}: worker that is paused past its lease`, () => {
    let scenes: Awaited<ReturnType<typeof overtakenAt>>[];
    beforeAll(async () => {
      const overtaken = ['open', 'add', 'records'].map((place) => overtakenAt(open, place));
      scenes = await Promise.all([...overtaken, removedMeanwhile(open)]);
    });

    it('leaves no duplicate or outdated row, wherever it was paused', async () => {
      const news = FILES.map((path) => [`${path}#0`, `the zebra of ${path}`]);
      const rows = [...news, ['first.md#0', 'a walrus']].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
      expect(scenes.slice(0, 3)).toEqual(Array(3).fill({ outcome: 'LeaseLost', rows }));
    });

    it('restores no row of a file that was removed in the meantime', async () => {
      expect(scenes[3]).toEqual({ outcome: 'LeaseLost', rows: [['first.md#0', 'a walrus']] });
    });
  });
}
