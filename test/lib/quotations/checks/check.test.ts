import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pageActivities } from '../../../../lib/activity/list.ts';
import { withSourceList } from '../../../../lib/api-contract/source-list.ts';
import { removeConversation } from '../../../../lib/conversations/change.ts';
import { conversations, messages } from '../../../../lib/conversations/schema.ts';
import { filesChangedIn } from '../../../../lib/indexing/enqueue.ts';
import { createNote } from '../../../../lib/notes/create.ts';
import { deleteNote, updateNote } from '../../../../lib/notes/notes.ts';
import { notes } from '../../../../lib/notes/schema.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { settleDocuments } from '../../../../lib/quotations/checks/settle-documents.ts';
import {
  brokenPartition,
  quotedFiles,
  quotesPartition,
  quotingPartition,
} from '../../../../lib/quotations/records/schema.ts';
import { keepAnswer, LOCAL } from '../../../support/cited-answer.ts';
import { startPipeline } from '../../../support/pipeline.ts';

const pipeline = await startPipeline();
const { ports, now, drain, makeWorkspace } = pipeline;
ports.embedder = undefined;
const { records, clock } = ports;
const changed = filesChangedIn({ records, queue: ports.touchQueue, clock });
const QUOTE = 'Owls hunt at night.';

let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeEach(async () => {
  workspace = await makeWorkspace();
  await save('owls.md', `# Owls\n\n${QUOTE}\n`);
});

/** Saves or removes a file, and lets the workers do everything that follows, including the second check. */
async function save(path: string, content?: string): Promise<void> {
  now.offsetMs += 2000;
  if (content === undefined) await rm(join(workspace.rootPath, path));
  else await workspace.write(path, content);
  await changed(workspace.id, [path]);
  await settle();
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await drain();
    now.offsetMs += 5000;
  }
  await drain();
}

async function tick(): Promise<void> {
  now.offsetMs += 61_000;
  await settleDocuments(ports);
  await settle();
}

let turns = 0;
/** Stores a chat answer that cites the file. */
async function answer() {
  const fileHash = await sha256(Buffer.from(`# Owls\n\n${QUOTE}\n`));
  const citation = { path: 'owls.md', startLine: 3, endLine: 3, quote: QUOTE, fileHash };
  return keepAnswer(ports, { id: `chat-${turns++}`, workspaceId: workspace.id }, [citation]);
}

function note(quote = QUOTE) {
  const source = { index: 1, path: 'owls.md', where: 'line 3', quote };
  const content = withSourceList('They hunt at night [1].', [source]);
  return createNote(ports, { workspaceId: workspace.id, title: 'Owls', content, type: 'manual' });
}

/** Returns the broken quotes of the workspace: the kind of their document, and the reason. */
async function broken(): Promise<string[]> {
  const query = { partition: brokenPartition(workspace.id), byIndex: true };
  const found: string[] = [];
  for await (const { document, path, quotes } of quotedFiles.all(records, query))
    for (const { broken: why } of quotes) if (why) found.push(`${document.kind} ${path} ${why.reason}`);
  return found.sort();
}

async function told(): Promise<string[]> {
  const { items } = await pageActivities(records, workspace.id, { limit: 100 });
  return items.filter(({ kind }) => kind === 'citations_broken').map(({ summary }) => summary);
}

async function storedAnswer({ key }: { key: string }): Promise<string> {
  return (await messages.get(records, { key, place: 1 }))?.parts ?? '';
}

async function quotedRecords(): Promise<number> {
  const counts = [quotesPartition, quotingPartition].map((partition) =>
    records.count({ partition: partition(workspace.id) }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

describe('a quote of an answer and of a note', () => {
  it('is reported as broken when its file no longer contains it, and the owners are notified once', async () => {
    await answer();
    await note();
    await tick();
    expect(await broken()).toEqual([]);
    await save('owls.md', '# Owls\n\nOwls hunt by day.\n');
    expect(await broken()).toEqual(['answer owls.md changed', 'note owls.md changed']);
    expect(await told()).toEqual(['2 citations of owls.md no longer hold']);
    await save('owls.md', '# Owls\n\nOwls hunt at noon.\n');
    expect(await told()).toHaveLength(1);
  });

  it.each([
    ['only a longer word of its file contains it', `# Owls\n\nB${QUOTE}\n`],
    ['it is struck out', `# Owls\n\n~~${QUOTE}~~\n`],
  ])('is reported as broken when %s', async (_, text) => {
    await answer();
    await save('owls.md', text);
    expect(await broken()).toEqual(['answer owls.md changed']);
  });

  it('is reported as broken when its file is deleted, but not after the file is restored', async () => {
    await answer();
    await save('owls.md');
    expect(await broken()).toEqual(['answer owls.md deleted']);
    await save('owls.md', `Now first: ${QUOTE}`);
    expect(await broken()).toEqual([]);
  });

  it('stays valid if lines move and line breaks differ', async () => {
    await answer();
    await save('owls.md', 'A line.\n\nAnother.\n\nAll owls: Owls hunt\nat night.\n');
    expect(await broken()).toEqual([]);
    const query = { partition: quotesPartition(workspace.id) };
    const [found] = (await quotedFiles.list(records, query)).items;
    expect(found?.quotes[0]).toMatchObject({ startLine: 5, endLine: 6 });
  });

  it('is updated in the document when its file is moved', async () => {
    const conversation = await answer();
    const { id } = await note();
    await tick(); // the note's quote is found, so its file is known
    await rename(join(workspace.rootPath, 'owls.md'), join(workspace.rootPath, 'birds.md'));
    now.offsetMs += 2000;
    await changed(workspace.id, ['owls.md', 'birds.md']);
    await settle();
    expect(await broken()).toEqual([]);
    expect(await told()).toEqual([]);
    expect(await storedAnswer(conversation)).not.toContain('owls.md');
    expect(await storedAnswer(conversation)).toContain('"filename":"birds.md"');
    const kept = await notes.get(records, { workspaceId: workspace.id, id });
    expect(kept?.content).toContain('- [1] `birds.md`, line 3\n  > Owls hunt at night.');
    await save('birds.md', 'Nothing.');
    expect(await broken()).toEqual(['answer birds.md changed', 'note birds.md changed']);
  });

  it('is watched for each sentence that cites the passage, and follows its sentence to a new location', async () => {
    const other = 'They hear mice.';
    const text = `# Owls\n\n${QUOTE}\n\n${other}\n`;
    await save('owls.md', text);
    const claimOf = (quote: string, line: number) => {
      const place = { startLine: line, endLine: line, quote };
      return { ...place, text: quote, support: 'full' as const, checks: [] };
    };
    const claims = [claimOf(QUOTE, 3), claimOf(other, 5)];
    const place = { path: 'owls.md', startLine: 3, endLine: 3, quote: QUOTE };
    const cited = { ...place, fileHash: await sha256(Buffer.from(text)), support: 'full' as const, claims };
    const conversation = await keepAnswer(ports, { id: 'claims', workspaceId: workspace.id }, [cited]);
    await rename(join(workspace.rootPath, 'owls.md'), join(workspace.rootPath, 'birds.md'));
    now.offsetMs += 2000;
    await changed(workspace.id, ['owls.md', 'birds.md']);
    await settle();
    const [, citation] = JSON.parse(await storedAnswer(conversation));
    expect(citation.data).toMatchObject({ path: 'birds.md', startLine: 3, support: 'full' });
    expect(citation.data.claims).toMatchObject(claims);
    await save('birds.md', text.replace(other, 'Edited.'));
    expect(await broken()).toEqual(['answer birds.md changed']);
    await rename(join(workspace.rootPath, 'birds.md'), join(workspace.rootPath, 'late.md'));
    now.offsetMs += 2000;
    await changed(workspace.id, ['birds.md', 'late.md']);
    await settle();
    expect(await broken()).toEqual(['answer late.md changed']);
  });

  it('is repaired when its file appears elsewhere much later', async () => {
    const conversation = await answer();
    await save('owls.md');
    expect(await broken()).toEqual(['answer owls.md deleted']);
    await save('archive/owls.md', `# Owls\n\n${QUOTE}\n`);
    expect(await broken()).toEqual([]);
    expect(await storedAnswer(conversation)).toContain('archive/owls.md');
    const { items } = await pageActivities(records, workspace.id, { limit: 100 });
    expect(items.filter(({ kind }) => kind === 'citations_moved')).toMatchObject([
      { summary: '1 citation of owls.md moved to archive/owls.md', details: { documents: 1 } },
    ]);
  });

  it('is not moved to a copy that appears long after its file was deleted', async () => {
    const conversation = await answer();
    await save('owls.md');
    now.offsetMs += 2 * 60 * 60_000;
    await save('2026/owls.md', `# Owls\n\n${QUOTE}\n`);
    await tick();
    expect(await broken()).toEqual(['answer owls.md deleted']);
    expect(await storedAnswer(conversation)).not.toContain('2026');
  });

  it('also moves in the note of a report whose file was deleted before the first check', async () => {
    const source = { index: 1, path: 'owls.md', where: 'line 3', quote: QUOTE };
    const content = withSourceList('They hunt at night [1].', [source]);
    const hash = await sha256(Buffer.from(`# Owls\n\n${QUOTE}\n`));
    const fields = {
      workspaceId: workspace.id,
      title: 'Owls',
      content,
      type: 'brief' as const,
      runId: 'run',
    };
    const { id } = await createNote(ports, fields, new Map([['owls.md', hash]]));
    await save('owls.md');
    await tick();
    expect(await broken()).toEqual(['note owls.md deleted']);
    await save('archive/night.md', `# Owls\n\n${QUOTE}\n`);
    expect(await broken()).toEqual([]);
    const kept = await notes.get(records, { workspaceId: workspace.id, id });
    expect(kept?.content).toContain('`archive/night.md`');
  });

  it('is not moved to a copy that existed before its file was deleted', async () => {
    await save('2024/owls.md', `# Owls\n\n${QUOTE}\n`);
    const conversation = await answer();
    await tick();
    await save('owls.md');
    await tick();
    expect(await broken()).toEqual(['answer owls.md deleted']);
    expect(await storedAnswer(conversation)).not.toContain('2024');
  });

  it('is not moved to a copy when its file was edited', async () => {
    await answer();
    await save('copy.md', `# Owls\n\n${QUOTE}\n`);
    await save('owls.md', 'Edited.');
    expect(await broken()).toEqual(['answer owls.md changed']);
  });
});

describe('a document that changes', () => {
  it('has no broken quotes after its deletion', async () => {
    const conversation = await answer();
    const { id } = await note();
    await save('owls.md', 'Edited.');
    expect(await broken()).toHaveLength(2);
    await deleteNote(ports, LOCAL, id);
    const head = await conversations.get(records, conversation);
    if (head) await removeConversation(records, head);
    expect([await broken(), await quotedRecords()]).toEqual([[], 0]);
  });

  it('has only the quotes of its new text', async () => {
    const { id } = await note();
    await updateNote(ports, LOCAL, id, { content: 'No source.' });
    expect(await quotedRecords()).toBe(0);
  });

  it('is not reported for a quote that was removed while its record was left', async () => {
    const { id } = await note();
    await notes.delete(records, { workspaceId: workspace.id, id }); // as if killed right after
    await save('owls.md', 'Edited.');
    expect([await broken(), await told()]).toEqual([[], []]);
  });
});

describe('the scheduler tick', () => {
  it('finds a file that changed before the quotes of an answer were stored', async () => {
    await save('owls.md', 'Edited.');
    await answer();
    expect(await broken()).toEqual([]);
    await tick();
    expect(await broken()).toEqual(['answer owls.md changed']);
  });
});
