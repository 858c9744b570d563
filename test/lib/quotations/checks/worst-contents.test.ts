import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { filesChangedIn } from '../../../../lib/indexing/enqueue.ts';
import { checkCitations } from '../../../../lib/quotations/checks/check-citations.ts';
import { type Workspace, workspaces } from '../../../../lib/workspaces/schema.ts';
import { startPipeline } from '../../../support/pipeline.ts';

const { ports, now, drain, makeWorkspace } = await startPipeline();
ports.embedder = undefined;
const { records, clock } = ports;
const BYTES = 5_000_000;
const fill = (piece: string) => piece.repeat(Math.ceil(BYTES / piece.length));
const CONTENTS: Record<string, string> = {
  'zeros.txt': fill('0 '),
  'letters.md': fill('a '),
  'line.txt': fill('owls hunt at night '),
  'rows.csv': fill('2024-01-01;12;12;12;12\n'),
  'decomposed.txt': fill('e\u0301 '),
  'divided.txt': fill('a-\n'),
};
/** Nearly everywhere: the texts differ at the end, in the middle, or at the beginning. */
const nearly = (piece: string) => {
  const text = piece.repeat(Math.ceil(390 / piece.length)).slice(0, 390);
  return [`${text}1`, `${text.slice(0, 200)}1${text.slice(200)}`, `1${text}`];
};

let workspace: Workspace;
beforeAll(async () => {
  const files = await makeWorkspace();
  for (const [path, content] of Object.entries(CONTENTS)) await files.write(path, content);
  now.offsetMs += 2000;
  await files.write('small.txt', '0 '.repeat(20_000));
  await filesChangedIn({ records, queue: ports.touchQueue, clock })(files.id, ['small.txt']);
  await drain();
  workspace = (await workspaces.get(records, { id: files.id })) as Workspace;
});

/** A search took 6,000 of them on the main thread. The remaining time is mostly the decoding of the file. */
const MOST_MS = 250;

/**
 * Milliseconds of processor time of this thread, from reading the file. Other work of the thread, such as garbage collection, may
 * add to it, never take away from it, so a time over the limit is measured again, twice at most.
 */
async function measure(quotes: string[], path: string, again = 2): Promise<{ ms: number; answers: unknown }> {
  await utimes(join(workspace.rootPath, path), again, again); // otherwise it stays in memory
  const before = process.threadCpuUsage();
  const answers = await check(quotes, path);
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1000;
  return ms > MOST_MS && again > 0 ? measure(quotes, path, again - 1) : { ms, answers };
}

const check = (quotes: string[], path: string) =>
  checkCitations(ports, workspace, {
    citations: quotes.map((quote, at) => ({ index: at + 1, path, startLine: 1, quote })),
  });

describe('checkCitations', () => {
  it.each(Object.keys(CONTENTS))('uses little CPU time for quotes that nearly match %s', async (path) => {
    const piece = (CONTENTS[path] ?? '').slice(0, 23);
    await check(['owls'], 'small.txt'); // compiles the code
    const { ms, answers } = await measure(nearly(piece), path);
    expect(answers).toHaveLength(3);
    expect(ms).toBeLessThan(MOST_MS);
  });

  it('uses little CPU time for many quotes', async () => {
    const quotes = Array.from({ length: 500 }, (_, at) => `${'0 '.repeat(195)}${at}`);
    const { ms, answers } = await measure(quotes, 'zeros.txt');
    expect(answers).toHaveLength(500);
    expect(ms).toBeLessThan(MOST_MS);
  });
});
