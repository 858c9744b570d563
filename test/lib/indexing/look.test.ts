import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { touchChanged, touchWorkspace } from '../../../lib/indexing/enqueue.ts';
import { handleIndexMessage } from '../../../lib/indexing/handle-index-message.ts';
import { indexedFiles } from '../../../lib/indexing/schema.ts';
import type { OutgoingMessage } from '../../../lib/ports/queue.ts';
import { startPipeline } from '../../support/pipeline.ts';

const { ports, drain, makeWorkspace, embedder } = await startPipeline();
const delivery = { messageId: '', receiveCount: 1 };

/** Requests a scan, and returns the messages that were sent for it. */
async function touch(workspaceId: string, clock = ports.clock): Promise<OutgoingMessage[]> {
  const { touchQueue, sent } = recordingQueue();
  await touchWorkspace({ records: ports.records, touchQueue, clock }, workspaceId);
  return sent;
}

function recordingQueue() {
  const sent: OutgoingMessage[] = [];
  const send = async (messages: OutgoingMessage[]) => void sent.push(...messages);
  return { touchQueue: { ...ports.touchQueue, send }, sent };
}

async function look(workspaceId: string): Promise<void> {
  embedder.embeddedTexts = 0;
  await handleIndexMessage(ports, { kind: 'look', workspaceId }, delivery);
  await drain();
}

describe('touchWorkspace', () => {
  it('sends one message for many calls, with a delay', async () => {
    const { id } = await makeWorkspace();
    const sent = await Promise.all(Array.from({ length: 20 }, () => touch(id)));
    expect(sent.flat()).toEqual([{ groupId: id, body: { kind: 'look', workspaceId: id }, delaySeconds: 2 }]);
  });

  it('sends another message once the scan has started', async () => {
    const { id } = await makeWorkspace();
    expect(await touch(id)).toHaveLength(1);
    await look(id);
    expect(await touch(id)).toHaveLength(1);
  });

  it('sends another message after a minute if the first was lost', async () => {
    const { id } = await makeWorkspace();
    const { now } = ports.clock;
    await touch(id, { now: () => now() - 61_000 });
    expect(await touch(id)).toHaveLength(1);
  });
});

describe('touchChanged', () => {
  async function sentFor(changed: string[] | undefined) {
    const { id } = await makeWorkspace();
    const { touchQueue, sent } = recordingQueue();
    await touchChanged({ records: ports.records, touchQueue, clock: ports.clock }, id, changed);
    return sent.map(({ body }) => body);
  }
  const many = Array.from({ length: 101 }, (_, n) => `${n}.md`);

  it('requests the changed paths, and sends no request without changes', async () => {
    const paths = ['a.md', 'moved/to', 'gone'];
    expect(await sentFor(paths)).toEqual([expect.objectContaining({ kind: 'touch', paths })]);
    expect(await sentFor(many.slice(1))).toEqual([expect.objectContaining({ kind: 'touch' })]);
    expect(await sentFor([])).toEqual([]);
  });

  it.each([
    ['are not known', undefined],
    ['are too many', many],
    ['include an ignore file', ['a.md', 'deep/.gitignore']],
    ['turn a folder into a virtual environment', ['env/pyvenv.cfg']],
    ['include one that is too long for a record', ['x'.repeat(1001)]],
  ])('requests a scan if the paths %s', async (_case, changed) => {
    expect(await sentFor(changed)).toEqual([expect.objectContaining({ kind: 'look' })]);
  });
});

describe('scan of a workspace', () => {
  it('finds new, changed, and deleted files, and embeds no other files again', async () => {
    const workspace = await makeWorkspace();
    for (const name of ['kept', 'changed', 'gone'])
      await workspace.write(`${name}.md`, `a giraffe in ${name}`);
    await workspace.sync();
    await new Promise((done) => setTimeout(done, 50));
    await workspace.write('changed.md', 'a walrus instead');
    await workspace.write('deep/new.md', 'a walrus too');
    await rm(join(workspace.rootPath, 'gone.md'));
    await look(workspace.id);
    expect(embedder.embeddedTexts).toBe(2);
    expect(await workspace.found('walrus')).toEqual(['changed.md', 'deep/new.md']);
    expect(await workspace.found('giraffe')).toEqual(['kept.md']);
  });

  it('leaves files without vectors to the next sync', async () => {
    const workspace = await makeWorkspace();
    await workspace.write('a.md', 'an otter');
    embedder.fail = true;
    await workspace.sync();
    embedder.fail = false;
    await look(workspace.id);
    expect(embedder.embeddedTexts).toBe(0);
  });

  it.each([
    ['was dead-lettered', { givenUp: true }, 0],
    ['failed before its times were read', { givenUp: false, ctimeMs: 0 }, 1],
  ])('handles a file that %s', async (_, fields, embedded) => {
    const workspace = await makeWorkspace();
    await workspace.write('a.md', 'a heron');
    await workspace.sync();
    const id = { workspaceId: workspace.id, path: 'a.md' };
    const known = await indexedFiles.get(ports.records, id);
    if (known === undefined) throw new Error('a.md is not indexed');
    const failed = { ...known, hash: '', mtimeMs: 0, error: 'indexing it failed repeatedly', ...fields };
    await indexedFiles.put(ports.records, failed);
    await look(workspace.id);
    expect(embedder.embeddedTexts).toBe(embedded);
  });

  it('treats a missing root as no deletion', async () => {
    const workspace = await makeWorkspace();
    await writeFile(join(workspace.rootPath, 'a.md'), 'a badger');
    await workspace.sync();
    await rm(workspace.rootPath, { recursive: true });
    await look(workspace.id);
    expect(await workspace.found('badger')).toEqual(['a.md']);
  });
});
