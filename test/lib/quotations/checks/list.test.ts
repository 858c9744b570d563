import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../../lib/access/caller.ts';
import { changeConversation } from '../../../../lib/conversations/change.ts';
import { messages } from '../../../../lib/conversations/schema.ts';
import { filesChangedIn } from '../../../../lib/indexing/enqueue.ts';
import { createNote } from '../../../../lib/notes/create.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { countCitations } from '../../../../lib/quotations/checks/count.ts';
import { listBrokenCitations } from '../../../../lib/quotations/checks/list.ts';
import { repairCitation } from '../../../../lib/quotations/checks/repair.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { keepAnswer, LOCAL } from '../../../support/cited-answer.ts';
import { startPipeline } from '../../../support/pipeline.ts';

const { ports, now, drain, makeWorkspace } = await startPipeline();
ports.embedder = undefined;
const { records, clock } = ports;
const changed = filesChangedIn({ records, queue: ports.touchQueue, clock });
const QUOTES = ['Owls hunt at night.', 'They hear a mouse under the snow.', 'The barn owl lives in towers.'];
const TEXT = `# Owls\n\n${QUOTES.join('\n\n')}\n`;
const ANN = { ...LOCAL, id: 'ann', role: 'member' } as Caller;
const BOB = { ...LOCAL, id: 'bob', role: 'member' } as Caller;

let scene = 0;
let files: Awaited<ReturnType<typeof makeWorkspace>>;
beforeEach(async () => {
  scene += 1;
  files = await makeWorkspace();
  await save('owls.md', TEXT);
});

async function save(path: string, content: string): Promise<void> {
  now.offsetMs += 2000;
  await files.write(path, content);
  await changed(files.id, [path]);
  for (let round = 0; round < 3; round++) {
    await drain();
    now.offsetMs += 5000;
  }
}

/** Conversations of all workspaces have different IDs. */
const idOf = (id: string) => `${id}-${scene}`;

async function answer(id: string, caller: Caller = ANN) {
  const fileHash = await sha256(Buffer.from(TEXT));
  const citations = QUOTES.map((quote, at) => {
    return { path: 'owls.md', startLine: 3 + 2 * at, endLine: 3 + 2 * at, quote, fileHash };
  });
  return keepAnswer(ports, { id: idOf(id), workspaceId: files.id, caller }, citations);
}

async function workspace() {
  const found = await workspaces.get(records, { id: files.id });
  if (found === undefined) throw new Error('no workspace');
  return found;
}

async function list(caller: Caller, page: { limit?: number; cursor?: string } = {}) {
  return listBrokenCitations(ports, caller, await workspace(), { limit: 100, ...page });
}

async function repair(caller: Caller, id: string) {
  return repairCitation(ports, caller, await workspace(), id);
}

const named = async (caller: Caller) =>
  (await list(caller)).items
    .map(({ document, citation }) => `${document.id.replace(new RegExp(`-${scene}$`), '')} ${citation.index}`)
    .sort();

describe('listBrokenCitations', () => {
  it('returns the document, the citation, the reason, and the location of the same quote', async () => {
    await answer('a');
    await save('owls.md', TEXT.replace(QUOTES[0] ?? '', 'Owls sleep.'));
    await save('birds.md', `Other birds.\n\n${QUOTES[0]}\n`);
    const { items } = await list(ANN);
    expect(items).toMatchObject([
      {
        document: { kind: 'answer', id: idOf('a'), title: `When, in ${idOf('a')}?` },
        citation: { index: 1, path: 'owls.md', startLine: 3, quote: QUOTES[0] },
        reason: 'changed',
        suggestion: { path: 'birds.md', startLine: 3, endLine: 3 },
      },
    ]);
  });

  it("returns other users' conversations only while they are shared, and all notes", async () => {
    await answer('a');
    const sources = `- [1] \`owls.md\`, line 3\n  > ${QUOTES[0]}`;
    const note = { workspaceId: files.id, title: 'N', content: `T [1]\n\n## Sources\n\n${sources}` };
    const { id } = await createNote(ports, { ...note, type: 'manual' });
    await save('owls.md', 'Edited.');
    expect(await named(ANN)).toEqual([`${id} 1`, 'a 1', 'a 2', 'a 3'].sort());
    expect(await named(BOB)).toEqual([`${id} 1`]);
    await changeConversation(records, ANN, idOf('a'), { shared: true });
    expect(await named(BOB)).toHaveLength(4);
    await changeConversation(records, ANN, idOf('a'), { shared: false });
    expect(await named(BOB)).toEqual([`${id} 1`]);
  });

  it('returns each citation once over pages of any size, even within one document', async () => {
    await answer('a');
    await answer('b');
    await answer('c', BOB);
    await save('owls.md', 'Edited.');
    for (const limit of [1, 2, 4, 6, 7]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(ANN, { limit, ...(cursor !== undefined && { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
    }
  });

  it('refuses an invalid cursor', async () => {
    await expect(list(ANN, { cursor: 'none' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('repairCitation', () => {
  it('makes the answer cite the other location, only for the repaired citation', async () => {
    const { key } = await answer('a');
    await save('owls.md', 'Edited.');
    await save('birds.md', `Other birds.\n\n${QUOTES[1]}\n`);
    const { items } = await list(ANN);
    const second = items.find(({ citation }) => citation.index === 2);
    const repaired = await repair(ANN, second?.id ?? '');
    expect(repaired).toMatchObject({ citation: { index: 2, path: 'birds.md', startLine: 3 } });
    expect(await named(ANN)).toEqual(['a 1', 'a 3']);
    const stored = await messages.get(records, { key, place: 1 });
    const paths = (JSON.parse(stored?.parts ?? '[]') as { type: string; data?: { path: string } }[]).flatMap(
      ({ type, data }) => (type === 'data-citation' ? data?.path : []),
    );
    expect(paths).toEqual(['owls.md', 'birds.md', 'owls.md']);
    await save('birds.md', 'Edited too.');
    expect(await named(ANN)).toEqual(['a 1', 'a 2', 'a 3']);
  });

  it('accepts only a file with all quotes of the citation, and drops the judgment', async () => {
    const claims = [0, 1].map((at) => {
      const place = { startLine: 3 + 2 * at, endLine: 3 + 2 * at, quote: QUOTES[at] ?? '' };
      return { ...place, text: 'A sentence.', support: 'full' as const, checks: [] };
    });
    const fileHash = await sha256(Buffer.from(TEXT));
    const place = { path: 'owls.md', startLine: 3, endLine: 3, quote: QUOTES[0] ?? '', fileHash };
    const cited = { ...place, support: 'full' as const, claims };
    const { key } = await keepAnswer(ports, { id: idOf('c'), workspaceId: files.id, caller: ANN }, [cited]);
    await save('owls.md', TEXT.replace(QUOTES[1] ?? '', 'Edited.'));
    const [one, ...more] = (await list(ANN)).items;
    expect([one?.citation.quote, more]).toEqual([QUOTES[1], []]);
    await save('one.md', `Nothing else.\n\n${QUOTES[1]}\n`);
    await expect(repair(ANN, one?.id ?? '')).rejects.toMatchObject({ code: 'repair_not_found' });
    await save('two.md', `All.\n\nNew.\n\n${QUOTES[1]}\n\n${QUOTES[0]}\n`);
    expect(await repair(ANN, one?.id ?? '')).toMatchObject({ citation: { path: 'two.md', startLine: 5 } });
    const stored = await messages.get(records, { key, place: 1 });
    expect(JSON.parse(stored?.parts ?? '[]')[1].data).toMatchObject({
      ...{ path: 'two.md', startLine: 7, support: 'unjudged' },
      claims: [
        { startLine: 7, support: 'unjudged' },
        { startLine: 5, support: 'unjudged' },
      ],
    });
    expect(await named(ANN)).toEqual([]);
  });

  it.each([
    ['Total: 5', 'All in all.\n\nTotal: 5\n'],
    ['12 owls live here.', 'In another country 512 owls live here.'],
    [
      'Owls are safe for children.',
      'It is not true that owls are safe for children. Owls are safe for nobody.',
    ],
  ])('does not replace %j by %j', async (quote, text) => {
    await save('owls.md', quote);
    const fileHash = await sha256(Buffer.from(quote));
    const cited = { path: 'owls.md', startLine: 1, endLine: 1, quote, fileHash };
    await keepAnswer(ports, { id: idOf('s'), workspaceId: files.id, caller: ANN }, [cited]);
    await save('owls.md', 'Edited.');
    await save('other.md', text);
    const [item] = (await list(ANN)).items;
    expect(item).toMatchObject({ reason: 'changed' });
    expect(item?.suggestion).toBeUndefined();
  });

  it("refuses citations that can't be repaired, are valid again, or belong to others", async () => {
    await answer('a');
    await save('owls.md', 'Edited.');
    const [first] = (await list(ANN)).items;
    const id = first?.id ?? '';
    await expect(repair(ANN, id)).rejects.toMatchObject({ code: 'repair_not_found' });
    await expect(repair(BOB, id)).rejects.toMatchObject({ code: 'broken_citation_not_found' });
    await changeConversation(records, ANN, idOf('a'), { shared: true });
    await expect(repair(BOB, id)).rejects.toMatchObject({ code: 'owner_only' });
    await expect(repair(ANN, 'none')).rejects.toMatchObject({ code: 'broken_citation_not_found' });
    await save('owls.md', TEXT);
    await expect(repair(ANN, id)).rejects.toMatchObject({ code: 'broken_citation_not_found' });
  });
});

describe('countCitations', () => {
  it('counts the broken citations of a file, and of all files in a folder', async () => {
    await answer('one');
    await answer('two', BOB);
    await save('birds/far/tits.md', '# Tits\n\nTits eat seeds.\n');
    const hash = await sha256(Buffer.from('# Tits\n\nTits eat seeds.\n'));
    const citation = {
      path: 'birds/far/tits.md',
      startLine: 3,
      endLine: 3,
      quote: 'Tits eat seeds.',
      fileHash: hash,
    };
    await keepAnswer(ports, { id: idOf('three'), workspaceId: files.id, caller: ANN }, [citation]);
    const count = (path: string) => countCitations(records, files.id, path);
    expect(await count('owls.md')).toEqual({ citations: 6, documents: 2, isWhole: true });
    expect(await count('birds')).toEqual({ citations: 1, documents: 1, isWhole: true });
    for (const path of ['bird', 'birds/far/tits', 'owls', 'none.md'])
      expect(await count(path)).toEqual({ citations: 0, documents: 0, isWhole: true });
  });
});
