import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { NotConfigured, Unreadable } from '../../../lib/errors.ts';
import { readRecognized } from '../../../lib/formats/recognized.ts';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { handleIndexMessage } from '../../../lib/indexing/handle-index-message.ts';
import { listFiles } from '../../../lib/indexing/list-files.ts';
import { indexMessageSchema } from '../../../lib/indexing/messages.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import {
  firstPending,
  pendingPartition,
  pendingRecognitions,
  recognitionRuns,
} from '../../../lib/indexing/recognize/schema.ts';
import { syncs } from '../../../lib/indexing/schema.ts';
import { sha256 } from '../../../lib/paths/hash.ts';
import type { PictureOfPage } from '../../../lib/ports/recognizer.ts';
import { citeAll } from '../../../lib/retrieval/cite/cite.ts';
import { fakeRecognizer } from '../../support/fakes/fake-recognizer.ts';
import { startPipeline, takeAll } from '../../support/pipeline.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { goldenDocument } from '../formats/samples.ts';

const pipeline = await startPipeline();
const { ports } = pipeline;
ports.embedder = undefined;
type Filled = Awaited<ReturnType<typeof pipeline.makeWorkspace>>;

/** Words that occur on no other page. */
const WORDS = ['zero', 'anteater', 'badger', 'capybara', 'dormouse', 'eland', 'ferret', 'gibbon'];
const readWords = ({ page }: PictureOfPage) => `The ${WORDS[page]} sleeps.`;

/** Pages 2 and 4 are images. */
const MIXED = makePdf(['Bears swim far.', '', 'Cats climb.', '']);

function list({ id }: Filled, state: 'skipped' | 'failed' | 'indexed') {
  return listFiles(ports.records, id, { state, limit: 100 }).then(({ items }) => items);
}

async function startedWorkspace(files: Record<string, string | Uint8Array>): Promise<Filled> {
  const workspace = await pipeline.makeWorkspace();
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
  return workspace;
}

/** Delivers each message for the index worker once, with this receive count. */
async function deliver(receiveCount: number): Promise<unknown> {
  const [message] = await ports.indexQueue.receive({ max: 1 });
  if (message === undefined) throw new Error('nothing waits');
  const body = indexMessageSchema.parse(JSON.parse(message.body));
  try {
    await handleIndexMessage(ports, body, { messageId: '1', receiveCount });
    await ports.indexQueue.delete([message.receipt]);
  } catch (error) {
    await ports.indexQueue.delete([message.receipt]);
    await ports.indexQueue.send([{ body }]);
    return error;
  }
}

describe('index without OCR', () => {
  it('lists images as unread, reads scans, and finds no text in either', async () => {
    ports.recognizer = undefined;
    const workspace = await startedWorkspace({
      'a.png': 'no picture at all', // unread files are not judged
      'scan.pdf': makePdf(['']),
      'b.md': 'bears',
    });
    expect(await workspace.sync()).toMatchObject({ status: 'ready', total: 1, newCount: 1, skippedCount: 2 });
    expect(await list(workspace, 'skipped')).toEqual([
      { path: 'a.png', size: 17, state: 'skipped', reason: 'no_text', kind: 'picture' },
      { path: 'scan.pdf', size: expect.any(Number), state: 'skipped', reason: 'no_text', kind: 'pdf' },
    ]);
    expect(
      await pendingRecognitions.list(ports.records, { partition: pendingPartition(workspace.id) }),
    ).toEqual({ items: [], cursor: undefined });
  });
});

describe('index with OCR', () => {
  let workspace: Filled;
  let recognizer: ReturnType<typeof fakeRecognizer>;
  beforeAll(async () => {
    ports.recognizer = undefined;
    workspace = await startedWorkspace({
      'a.png': goldenDocument('apes.png'),
      'mixed.pdf': MIXED,
      'b.md': 'x',
    });
    await workspace.sync();
    recognizer = fakeRecognizer(readWords);
    ports.recognizer = recognizer;
  });

  it('reads files without text in the next sync, page by page and each page once', async () => {
    await workspace.sync();
    expect(recognizer.asked).toEqual([
      { format: 'picture', page: 1 },
      { format: 'pdf', page: 2 },
      { format: 'pdf', page: 4 },
    ]);
    expect(await workspace.found('anteater')).toEqual(['a.png']);
    expect(await workspace.found('badger')).toEqual(['mixed.pdf']);
    expect(await workspace.found('bears')).toEqual(['mixed.pdf']);
    expect(await list(workspace, 'skipped')).toEqual([]);
    expect(await list(workspace, 'indexed')).toMatchObject([
      { path: 'a.png', recognition: { pages: 1, pagesRead: 1, waiting: false } },
      { path: 'b.md' },
      { path: 'mixed.pdf', recognition: { pages: 2, pagesRead: 2, waiting: false } },
    ]);
  });

  it('cites OCR text at its page as verified, and marks it as OCR text', async () => {
    const [passage] = await (await workspace.table()).searchText('dormouse', 1);
    if (passage === undefined) throw new Error('not found');
    const place = { ...workspace, name: 'w', createdAt: '' };
    const [citation] = await citeAll(ports, place, [{ index: 1, passage, claim: 'The dormouse sleeps.' }]);
    expect(citation).toMatchObject({
      page: 4,
      recognized: true,
      quote: 'The dormouse sleeps.',
      verified: true,
    });
    const [other] = await (await workspace.table()).searchText('bears', 1);
    expect(other?.part).toEqual({ page: 1 });
  });

  it('reads nothing again for a sync without changes, or for a copy', async () => {
    recognizer.asked.length = 0;
    expect(await workspace.sync()).toMatchObject({ unchangedCount: 3, newCount: 0, updatedCount: 0 });
    await workspace.write('copy.png', goldenDocument('apes.png'));
    expect(await workspace.sync()).toMatchObject({ newCount: 1 });
    expect(await workspace.found('anteater')).toEqual(['a.png', 'copy.png']);
    expect(recognizer.asked).toEqual([]);
  });

  it('reads pages again with another OCR engine, and finds the earlier text until then', async () => {
    const other = fakeRecognizer(({ page }) => `A ${WORDS[page]} and a yak.`, 'fake@2');
    ports.recognizer = other;
    await workspace.sync();
    expect(other.asked.length).toBe(3);
    expect(await workspace.found('yak')).toEqual(['a.png', 'copy.png', 'mixed.pdf']);
    expect(await workspace.found('sleeps')).toEqual([]);
  });

  it('keeps its text when OCR is disabled, except for an image that changes', async () => {
    ports.recognizer = undefined;
    expect(await workspace.sync()).toMatchObject({ removedCount: 0, failedCount: 0 });
    await workspace.write('a.png', goldenDocument('station-zh.png'));
    await workspace.sync();
    expect(await workspace.found('yak')).toEqual(['copy.png', 'mixed.pdf']);
    expect(await list(workspace, 'skipped')).toMatchObject([{ path: 'a.png', reason: 'no_text' }]);
  });
});

describe('long scan', () => {
  /** Takes longer per page than a step allows. */
  const slow = (recognized: (page: PictureOfPage) => string) =>
    fakeRecognizer((page) => {
      pipeline.now.offsetMs += 20_000;
      return recognized(page);
    });

  it('runs in steps between other messages, and reports its progress', async () => {
    ports.recognizer = slow(readWords);
    const workspace = await startedWorkspace({ 'scan.pdf': makePdf(['', '', '']) });
    const before = await workspace.sync(); // all of it is drained
    expect(before).toMatchObject({ status: 'ready', skippedCount: 1 });
    expect(await workspace.found('capybara')).toEqual(['scan.pdf']);
    await workspace.write('scan.pdf', makePdf(['', '', '', '']));
    pipeline.now.offsetMs += 100;
    const { startSync } = await import('../../../lib/indexing/sync.ts');
    await startSync(pipeline.syncPorts(), workspace.id);
    const readPlace = async () => (await readIndexState(ports.records, workspace.id)).recognizing;
    for (let messages = 0; messages < 2; messages++) await deliver(1); // scan, files
    expect(await readPlace()).toEqual({ path: 'scan.pdf', pages: 4, pagesRead: 0 });
    for (let messages = 0; messages < 2; messages++) await deliver(1); // two steps
    const recognizing = { path: 'scan.pdf', pages: 4, pagesRead: 2 };
    expect(await readIndexState(ports.records, workspace.id)).toMatchObject({ recognizing });
    await syncs.delete(ports.records, { workspaceId: workspace.id }); // as of an upload before the first sync
    expect(await readIndexState(ports.records, workspace.id)).toMatchObject({ status: 'idle', recognizing });
    await pipeline.drain();
    expect(await workspace.found('dormouse')).toEqual(['scan.pdf']);
    expect(await readPlace()).toBeUndefined();
  });

  it('repeats at most one page if it is killed at any line, and skips a page that kills it each time', async () => {
    const deadly = slow((page) => {
      if (page.page === 2) throw new Error('killed');
      return readWords(page);
    });
    ports.recognizer = deadly;
    const workspace = await startedWorkspace({ 'scan.pdf': makePdf(['', '', '', '']) });
    const { startSync } = await import('../../../lib/indexing/sync.ts');
    await startSync(pipeline.syncPorts(), workspace.id);
    for (let messages = 0; messages < 3; messages++) await deliver(1); // scan, files, the first page
    expect(await deliver(1)).toMatchObject({ message: 'killed' });
    expect(await deliver(2)).toMatchObject({ message: 'killed' });
    expect(await deliver(3)).toBeUndefined();
    await pipeline.drain();
    expect(deadly.asked.map(({ page }) => page)).toEqual([1, 2, 2, 3, 4]);
    expect(await workspace.found('anteater')).toEqual(['scan.pdf']);
    expect(await workspace.found('badger')).toEqual([]);
    expect(await workspace.found('dormouse')).toEqual(['scan.pdf']);
  });

  it('accepts a duplicate step once', async () => {
    const twice = slow(readWords);
    ports.recognizer = twice;
    const workspace = await startedWorkspace({ 'scan.pdf': makePdf(['', '', '']) });
    const { startSync } = await import('../../../lib/indexing/sync.ts');
    await startSync(pipeline.syncPorts(), workspace.id);
    for (let messages = 0; messages < 2; messages++) await deliver(1);
    const step = (await recognitionRuns.get(ports.records, { workspaceId: workspace.id }))?.step ?? 0;
    await ports.indexQueue.send([{ body: { kind: 'recognize', workspaceId: workspace.id, step } }]);
    await pipeline.drain();
    expect(twice.asked.map(({ page }) => page)).toEqual([1, 2, 3]);
  });
});

describe('OCR step', () => {
  /** Starts a scan of which only the scan message and the file were handled. */
  async function waitingScan(pages: number): Promise<Filled> {
    const workspace = await startedWorkspace({ 'scan.pdf': makePdf(new Array(pages).fill('')) });
    const { startSync } = await import('../../../lib/indexing/sync.ts');
    await startSync(pipeline.syncPorts(), workspace.id);
    for (let messages = 0; messages < 2; messages++) await deliver(1);
    return workspace;
  }
  const readRun = ({ id }: Filled) => recognitionRuns.get(ports.records, { workspaceId: id });

  it('leaves no reader waiting if its record is stored while the step runs', async () => {
    ports.recognizer = fakeRecognizer(readWords);
    const workspace = await waitingScan(1);
    const run = await readRun(workspace);
    if (run === undefined) throw new Error('nothing waits');
    // Restores the record, as if its message had been faster.
    await recognitionRuns.put(ports.records, { ...run, step: run.step - 1, active: false });
    ports.recognizer = fakeRecognizer(async (page) => {
      await recognitionRuns.put(ports.records, run);
      return readWords(page);
    });
    await pipeline.drain();
    expect(await readRun(workspace)).toMatchObject({ step: run.step + 1, active: false });
  });

  it('continues once if two workers process it', async () => {
    let workspace: Filled;
    const twice = fakeRecognizer(async (page) => {
      pipeline.now.offsetMs += 20_000;
      if (twice.asked.length === 1)
        await handleIndexMessage(ports, message(), { messageId: '2', receiveCount: 2 });
      return readWords(page);
    });
    ports.recognizer = twice;
    workspace = await waitingScan(4);
    const step = (await readRun(workspace))?.step ?? 0;
    const message = () => ({ kind: 'recognize' as const, workspaceId: workspace.id, step });
    await deliver(1);
    const next = await takeAll(ports.indexQueue);
    expect(next.map(({ body }) => JSON.parse(body).step)).toEqual([step + 1]);
    await ports.indexQueue.send([{ body: { ...message(), step: step + 1 } }]);
    await pipeline.drain();
    expect(await workspace.found('dormouse')).toEqual(['scan.pdf']);
  });

  it('stores nothing for a workspace that is deleted while the step reads', async () => {
    let workspace: Filled;
    ports.recognizer = fakeRecognizer(async (page) => {
      await commitMessages(ports, [{ kind: 'drop', workspaceId: workspace.id }]);
      return readWords(page);
    });
    workspace = await waitingScan(2);
    await deliver(1);
    expect(await readRun(workspace)).toBeUndefined();
    const hash = await sha256(makePdf(['', '']));
    expect(await readRecognized(ports.objects, { workspaceId: workspace.id, hash }, 'fake@1')).toEqual({});
    await pipeline.drain();
  });
});

describe('unrecognizable page', () => {
  it('has no text if the page exceeds the limits, or the image is broken or too large by its header', async () => {
    const bomb = Buffer.from(goldenDocument('apes.png'));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    ports.recognizer = fakeRecognizer(() => {
      throw new Unreadable('size', 'reading it takes more than 120 seconds');
    });
    const workspace = await startedWorkspace({
      'a.png': goldenDocument('apes.png'),
      'bomb.png': bomb,
      'text.png': 'no picture',
      'icon.bmp': Buffer.from('\0\0\x01\0'),
    });
    await workspace.sync();
    expect(await list(workspace, 'skipped')).toMatchObject([{ path: 'a.png', reason: 'no_text' }]);
    expect(await list(workspace, 'failed')).toMatchObject([
      { path: 'bomb.png', reason: 'size' },
      { path: 'icon.bmp', reason: 'broken' },
      { path: 'text.png', reason: 'broken' },
    ]);
  });

  it('waits while OCR is missing, and continues with the next sync', async () => {
    ports.recognizer = fakeRecognizer(() => {
      throw new NotConfigured('not_configured', 'tesseract.wasm is not the file that was installed');
    });
    const workspace = await startedWorkspace({ 'a.png': goldenDocument('apes.png') });
    await workspace.sync();
    expect(await firstPending(ports.records, workspace.id)).toMatchObject({ path: 'a.png', pagesRead: 0 });
    ports.recognizer = fakeRecognizer(readWords);
    await workspace.sync();
    expect(await workspace.found('anteater')).toEqual(['a.png']);
    expect(await firstPending(ports.records, workspace.id)).toBeUndefined();
  });

  it('is forgotten with its file', async () => {
    ports.recognizer = fakeRecognizer(() => {
      throw new NotConfigured('not_configured', 'away');
    });
    const workspace = await startedWorkspace({ 'a.png': goldenDocument('apes.png') });
    await workspace.sync();
    await rm(join(workspace.rootPath, 'a.png'));
    ports.recognizer = fakeRecognizer(readWords);
    await workspace.sync();
    expect(await firstPending(ports.records, workspace.id)).toBeUndefined();
    expect(await list(workspace, 'indexed')).toEqual([]);
  });
});

it("blank page among pages with text doesn't make a sync read the file again", async () => {
  ports.recognizer = fakeRecognizer(() => '');
  const workspace = await startedWorkspace({ 'book.pdf': makePdf(['Bears swim far.', '', 'Cats climb.']) });
  await workspace.sync();
  expect(await workspace.sync()).toMatchObject({ unchangedCount: 1, updatedCount: 0 });
  expect(await workspace.found('bears')).toEqual(['book.pdf']);
});
