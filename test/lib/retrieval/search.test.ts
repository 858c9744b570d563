import { describe, expect, it, jest } from '@jest/globals';
import { readConfig } from '../../../lib/config.ts';
import { embeddingSpaceOf } from '../../../lib/passages/embedding-space.ts';
import { indexes } from '../../../lib/passages/search-space.ts';
import type { Embedder } from '../../../lib/ports/embedder.ts';
import type { Passage, PassageTable } from '../../../lib/ports/vectors.ts';
import { searchPassages } from '../../../lib/retrieval/search.ts';
import { openRecords } from '../../../lib/wiring/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const found = (path: string) =>
  ({ path, chunk: 0, score: 1, text: 'apes', context: '' }) as Passage & { score: number };

/** A table that finds `words` by keyword search and `meaning` by semantic search. */
function table({ count = 2 } = {}): PassageTable {
  return {
    searchText: async () => (count > 0 ? [found('words')] : []),
    dimensions: async () => undefined,
    searchVector: async () => (count > 0 ? [found('meaning')] : []),
    count: async () => count,
  } as unknown as PassageTable;
}

function embedder(embed: Embedder['embed'], model = 'm'): Embedder {
  return { model, batchSize: 1, embed };
}

const works = async () => [Float32Array.of(1)];
const fails = async () => {
  throw new Error('down');
};

/** Every pause after a failure is over between two searches. */
let time = 0;
const clock = {
  now() {
    time += 600_000;
    return time;
  },
};

async function search(
  space: string | undefined,
  ours: Embedder | undefined,
  { rows, deadlineMs, question = 'apes' }: { rows?: number; deadlineMs?: number; question?: string } = {},
) {
  const records = await openRecords(readConfig({ DATA_DIR: await tempFolder() }));
  if (space !== undefined) await indexes.put(records, { workspaceId: 'w', space, rows: 1, commits: 1 });
  const opened = jest.fn(async () => table({ count: rows }));
  const unused = { drop: async () => {}, has: async () => true, clear: async () => false };
  const vectors = { keepVersionsMs: 0, open: opened, ...unused };
  const result = await searchPassages({ records, vectors, embedder: ours, clock }, 'w', question, {
    deadlineMs,
  });
  const paths = result.passages.map(({ path }) => path);
  return { mode: result.mode, fellBack: result.fellBack, paths, opened: opened.mock.calls };
}

describe('searchPassages', () => {
  const space = embeddingSpaceOf({ model: 'm' });
  it.each([
    ['by keywords and vectors', space, embedder(works), 'hybrid', ['words', 'meaning']],
    ['by both in rows of the earlier layout', 'model-m', embedder(works), 'hybrid', ['words', 'meaning']],
    ['by keywords if the index has no vectors', 'lexical', embedder(works), 'lexical', ['words']],
    ['by keywords if the vectors are from another model', space, embedder(works, 'n'), 'lexical', ['words']],
    ['by keywords without an embedder', space, undefined, 'lexical', ['words']],
    ['by keywords if the embedder fails', space, embedder(fails), 'lexical', ['words']],
  ])('searches %s', async (_, indexed, ours, mode, paths) => {
    const fellBack = mode === 'hybrid' || !ours ? undefined : ours.embed === fails ? 'failed' : 'other-index';
    expect(await search(indexed, ours)).toEqual({ mode, fellBack, paths, opened: [['w', indexed]] });
  });

  it('does not open an index that was never created', async () => {
    expect(await search(undefined, embedder(works))).toMatchObject({ mode: 'none', paths: [], opened: [] });
  });

  it('distinguishes an empty index from an index without results', async () => {
    expect((await search(space, embedder(works), { rows: 0 })).mode).toBe('none');
  });

  it('sends whole characters, even if a long question is truncated within one', async () => {
    const asked: string[] = [];
    const ours = embedder(async (texts) => {
      asked.push(...texts);
      return works();
    });
    await search(space, ours, { question: `apes ${'a'.repeat(1994)}😀` });
    expect(asked.map((text) => [text.length, text.isWellFormed()])).toEqual([[2000, true]]);
  });

  it('does not wait for the embedder beyond the deadline', async () => {
    const slow = embedder(() => new Promise(() => {}));
    expect((await search(space, slow, { deadlineMs: 20 })).mode).toBe('lexical');
  });

  it("aborts the embedder's call when it no longer waits", async () => {
    let aborted = false;
    const slow = embedder((_, options) => {
      options?.signal?.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    });
    await search(space, slow, { deadlineMs: 20 });
    expect(aborted).toBe(true);
  });
});
