import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { withSourceList } from '../../../../lib/api-contract/source-list.ts';
import { filesChangedIn } from '../../../../lib/indexing/enqueue.ts';
import { createNote } from '../../../../lib/notes/create.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { checkCitations } from '../../../../lib/quotations/checks/check-citations.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { startPipeline } from '../../../support/pipeline.ts';
import { whenDone } from '../../../support/temp-folder.ts';

const { ports, now, drain, makeWorkspace } = await startPipeline();
ports.embedder = undefined;
const { records, clock } = ports;
const changed = filesChangedIn({ records, queue: ports.touchQueue, clock });
const QUOTE = 'Owls hunt at night.';
const TEXT = `# Owls\n\n${QUOTE}\n`;
const CITED = { index: 1, path: 'owls.md', startLine: 3, quote: QUOTE };

let files: Awaited<ReturnType<typeof makeWorkspace>>;
beforeEach(async () => {
  files = await makeWorkspace();
  await save('owls.md', TEXT);
});

/** Saves a file, or removes it. */
async function save(path: string, content?: string): Promise<void> {
  now.offsetMs += 2000;
  if (content === undefined) await rm(join(files.rootPath, path));
  else await files.write(path, content);
  await changed(files.id, [path]);
  for (let round = 0; round < 3; round++) {
    await drain();
    now.offsetMs += 5000;
  }
}

async function check(citation: Partial<typeof CITED> & { fileHash?: string } = {}, noteId?: string) {
  const workspace = await workspaces.get(records, { id: files.id });
  if (workspace === undefined) throw new Error('no workspace');
  const body = { citations: [{ ...CITED, ...citation }], ...(noteId !== undefined && { noteId }) };
  const [found] = await checkCitations(ports, workspace, body);
  return found;
}

const fileHash = await sha256(Buffer.from(TEXT));

describe('checkCitations', () => {
  it('searches for the quote of a path that is too long for a record', async () => {
    const path = `${'deep/'.repeat(300)}owls.md`;
    expect(await check({ path })).toMatchObject({ state: 'deleted', place: { path: 'owls.md' } });
    expect(await check({ path, fileHash })).toMatchObject({ state: 'moved', place: { path: 'owls.md' } });
  });

  it('reports a citation as valid while its file contains the quote', async () => {
    expect(await check({ fileHash })).toEqual({ state: 'holds' });
    await save('owls.md', `# All owls\n\nThey are birds.\n\n${QUOTE}\n`);
    expect(await check({ fileHash })).toEqual({ state: 'holds' });
  });

  it('finds the new path of a moved file by its bytes', async () => {
    await save('birds/night.md', TEXT);
    await save('owls.md');
    const place = { path: 'birds/night.md', startLine: 3, endLine: 3, fileHash };
    expect(await check({ fileHash })).toEqual({ state: 'moved', place });
  });

  it('reports a file as deleted or changed, and another file that contains the quote', async () => {
    await save('owls.md', '# Owls\n\nOwls hunt by day.\n');
    expect(await check({ fileHash })).toEqual({ state: 'changed' });
    await save('owls.md');
    expect(await check({ fileHash })).toEqual({ state: 'deleted' });
    await save('birds.md', `Of birds.\n\n${QUOTE}\n`);
    expect(await check()).toMatchObject({ state: 'deleted', place: { path: 'birds.md', startLine: 3 } });
  });

  it('uses the repaired citation of a note that was made from the answer', async () => {
    const cite = (path: string) =>
      withSourceList('They hunt at night [1].', [{ index: 1, path, where: 'line 3', quote: QUOTE }]);
    const fields = { workspaceId: files.id, title: 'Owls', type: 'manual' as const };
    const { id } = await createNote(ports, { ...fields, content: cite('birds.md') });
    expect(await check({}, id)).toEqual({ state: 'holds' });
    await save('birds.md', `Of birds.\n\n${QUOTE}\n`);
    await save('owls.md');
    expect(await check({}, id)).toMatchObject({ state: 'updated', place: { path: 'birds.md' } });
    expect(await check({ index: 2 }, id)).toMatchObject({ state: 'deleted', place: { path: 'birds.md' } });
  });

  it('reads no file outside the workspace', async () => {
    const quote = 'A secret of the host that nobody else knows.';
    const outside = `${files.rootPath}-outside.md`;
    await writeFile(outside, quote);
    whenDone(() => rm(outside));
    expect(await check({ path: `../${basename(outside)}`, quote })).toEqual({ state: 'deleted' });
  });
});
