import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Passage, PassageRow, PassageTable, ScoredPassage, Vectors } from '../../lib/ports/vectors.ts';

/** A unit vector of four dimensions that points mostly along one axis. */
function along(axis: number, other = 0, lean = 0): Float32Array {
  const vector = new Float32Array(4);
  vector[axis] = Math.sqrt(1 - lean * lean);
  if (lean > 0) vector[other] = lean;
  return vector;
}

function row(path: string, chunk: number, text: string, vector: Float32Array | null = null): PassageRow {
  const startLine = chunk * 10 + 1;
  const place = { startLine, endLine: startLine + 9, startChar: chunk * 100, endChar: chunk * 100 + 99 };
  return { path, chunk, fileHash: `hash of ${path}`, text, part: {}, context: '', ...place, vector };
}

const rowsFor = (path: string, count: number, text = 'text') =>
  Array.from({ length: count }, (_, chunk) => row(path, chunk, `${text} ${chunk}`, along(chunk % 4)));

/**
 * The contract of lib/ports/vectors.ts. `open` returns the same store each time, as other processes would see
 * it.
 */
export function describeVectors(name: string, open: () => Promise<Vectors>): void {
  describe(`${name}: Vectors`, () => {
    const run = Math.random().toString(36).slice(2);
    let counter = 0;
    let vectors: Vectors;
    let workspaceId: string;
    let table: PassageTable;
    beforeAll(async () => {
      vectors = await open();
    });
    beforeEach(async () => {
      workspaceId = `w${counter++}-${run}`;
      table = await vectors.open(workspaceId, 'space');
    });

    const paths = (found: ScoredPassage[]) => found.map(({ path }) => path);
    const find = async (query: string, limit = 10) => paths(await table.searchText(query, limit));
    const near = async (vector: Float32Array, limit = 10) => paths(await table.searchVector(vector, limit));

    it('returns empty results before the first write', async () => {
      expect(await table.count()).toBe(0);
      expect(await table.rowsOf('a')).toEqual([]);
      expect(await find('word')).toEqual([]);
      expect(await near(along(0))).toEqual([]);
      await table.write([], [{ path: 'a', keepBelow: 0 }]);
      await table.write([], []);
      await table.maintain();
      await vectors.drop(workspaceId);
      await vectors.drop(workspaceId, { keepSpace: 'space' });
      expect(await table.count()).toBe(0);
    });

    describe('has and clear', () => {
      it('distinguish an existing table from a missing one, and keep it', async () => {
        expect(await vectors.has(workspaceId, 'space')).toBe(false);
        expect(await vectors.clear(workspaceId, 'space')).toBe(true);
        expect(await vectors.has(workspaceId, 'space')).toBe(false);
        await table.write(rowsFor('a', 2), []);
        expect(await vectors.has(workspaceId, 'space')).toBe(true);
        expect(await vectors.has(workspaceId, 'other')).toBe(false);
        expect(await vectors.clear(workspaceId, 'space')).toBe(false);
        expect(await table.count()).toBe(2);
        await vectors.drop(workspaceId);
        expect(await vectors.has(workspaceId, 'space')).toBe(false);
        await table.write(rowsFor('a', 1), []);
        expect(await table.count()).toBe(1);
      });
    });

    describe('write', () => {
      it('stores the rows of a file in order and unchanged', async () => {
        const rows = rowsFor('a.pdf', 12).map((each) => ({ ...each, part: { page: each.chunk + 1 } }));
        await table.write([...rows.toReversed(), row('b', 0, 'other')], []);
        expect(await table.rowsOf('a.pdf')).toEqual(rows);
        expect(await table.rowsOf('b')).toEqual([row('b', 0, 'other')]);
        expect(await table.rowsOf('A.pdf')).toEqual([]);
      });

      it('writes the same rows when it is repeated', async () => {
        const trims = [{ path: 'a', keepBelow: 3 }];
        await table.write(rowsFor('a', 3), trims);
        await table.write(rowsFor('a', 3), trims);
        await table.write(rowsFor('a', 3), trims);
        expect(await table.rowsOf('a')).toEqual(rowsFor('a', 3));
        expect(await table.count()).toBe(3);
      });

      it('replaces a file by a shorter one in one commit', async () => {
        await table.write([...rowsFor('a', 5, 'old'), ...rowsFor('b', 5)], []);
        await table.write(rowsFor('a', 2, 'new'), [{ path: 'a', keepBelow: 2 }]);
        expect(await table.rowsOf('a')).toEqual(rowsFor('a', 2, 'new'));
        expect(await table.rowsOf('b')).toEqual(rowsFor('b', 5));
        expect(await find('old')).toEqual([]);
      });

      it('removes files, with and without writing rows of other files', async () => {
        await table.write([...rowsFor('a', 2), ...rowsFor('b', 2), ...rowsFor('c', 2)], []);
        await table.write(rowsFor('d', 1), [
          { path: 'a', keepBelow: 0 },
          { path: 'none', keepBelow: 0 },
        ]);
        expect(await table.count()).toBe(5);
        await table.write(
          [],
          [
            { path: 'b', keepBelow: 0 },
            { path: 'c', keepBelow: 1 },
          ],
        );
        expect([await table.rowsOf('b'), await table.rowsOf('c')]).toEqual([[], rowsFor('c', 1)]);
      });

      it('trims more files than one filter can name', async () => {
        const names = Array.from({ length: 450 }, (_, index) => `f${index}`);
        await table.write([...names.flatMap((path) => rowsFor(path, 2)), ...rowsFor('kept', 2)], []);
        await table.write(
          rowsFor('new', 1),
          names.map((path, index) => ({ path, keepBelow: index % 2 })),
        );
        expect(await table.count()).toBe(225 + 3);
        await table.write(
          [],
          names.map((path) => ({ path, keepBelow: 0 })),
        );
        expect(await table.count()).toBe(3);
      });

      it.each([
        ["it's"],
        ["'; DROP TABLE x; --"],
        ['a"b`c'],
        ['a\\b'],
        ['%'],
        ['a_b'],
        ['путь/中文 😀'],
        ['a#1'],
        ['x\ny'],
      ])('changes no file except %j', async (path) => {
        const others = [`${path}2`, `x${path}`, 'axb', 'a#'];
        await table.write([...rowsFor(path, 2), ...others.flatMap((other) => rowsFor(other, 1))], []);
        expect(await table.rowsOf(path)).toEqual(rowsFor(path, 2));
        await table.write(rowsFor(path, 1, 'new'), [{ path, keepBelow: 1 }]);
        expect(await table.rowsOf(path)).toEqual(rowsFor(path, 1, 'new'));
        await table.write([], [{ path, keepBelow: 0 }]);
        expect(await table.count()).toBe(others.length);
      });

      it('copies a file by its rows', async () => {
        await table.write(rowsFor('a', 3), []);
        const copies = (await table.rowsOf('a')).map((each) => ({ ...each, path: 'copy' }));
        await table.write(copies, [{ path: 'a', keepBelow: 0 }]);
        expect((await table.rowsOf('copy')).map(({ vector }) => vector)).toEqual([
          along(0),
          along(1),
          along(2),
        ]);
        expect(await near(along(1), 1)).toEqual(['copy']);
        expect(await table.count()).toBe(3);
      });
    });

    describe('passages', () => {
      const read = async () => {
        const found: Passage[] = [];
        for await (const some of table.passages()) found.push(...some);
        return found.sort((a, b) => (a.path === b.path ? a.chunk - b.chunk : a.path < b.path ? -1 : 1));
      };

      it('are empty before the first write', async () => {
        expect(await read()).toEqual([]);
      });

      it('include every passage once, complete, without vectors', async () => {
        const rows = [...rowsFor('a.pdf', 40), ...rowsFor('b', 3)].map((each) => ({
          ...each,
          part: { page: 7 },
        }));
        await table.write(rows.slice(0, 30), []);
        await table.write(rows.slice(30), []);
        await table.write(rows.slice(5, 10), []);
        expect(await read()).toEqual(rows.map(({ vector: _vector, ...passage }) => passage));
      });

      it('come in batches if there are thousands', async () => {
        await table.write(rowsFor('a', 12_000), []);
        const sizes: number[] = [];
        for await (const some of table.passages()) sizes.push(some.length);
        expect(sizes.length).toBeGreaterThan(1);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12_000);
      });

      it('exclude rows written during the read', async () => {
        await table.write(rowsFor('a', 3), []);
        const reading = table.passages()[Symbol.asyncIterator]();
        const first = await reading.next();
        await table.write(rowsFor('b', 3), [{ path: 'a', keepBelow: 0 }]);
        expect((first.value as Passage[]).map(({ path }) => path)).toEqual(['a', 'a', 'a']);
        expect((await reading.next()).done).toBe(true);
      });
    });

    describe('searchVector', () => {
      it('returns the nearest rows first, with decreasing scores, up to the limit', async () => {
        await table.write(
          [
            row('far', 0, 'x', along(1)),
            row('close', 0, 'x', along(0, 1, 0.6)),
            row('same', 0, 'x', along(0)),
          ],
          [],
        );
        const found = await table.searchVector(along(0), 2);
        expect(paths(found)).toEqual(['same', 'close']);
        expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Number.POSITIVE_INFINITY);
        expect(found[0]).toMatchObject({
          path: 'same',
          text: 'x',
          startLine: 1,
          endLine: 10,
          startChar: 0,
          endChar: 99,
          part: {},
          context: '',
        });
      });

      it('skips rows without a vector', async () => {
        await table.write([row('none', 0, 'word'), row('some', 0, 'word', along(2))], []);
        expect(await near(along(0))).toEqual(['some']);
        expect((await find('word')).sort()).toEqual(['none', 'some']);
      });

      it('accepts vectors in a table that was created without any', async () => {
        await table.write([row('a', 0, 'word')], []);
        expect(await near(along(0))).toEqual([]);
        await table.write([row('b', 0, 'word', along(0))], []);
        await table.write([row('a', 0, 'word', along(1))], []);
        expect(await near(along(1))).toEqual(['a', 'b']);
        await table.write([row('c', 0, 'word')], []);
        expect(await near(along(1))).toEqual(['a', 'b']);
        expect((await table.rowsOf('c'))[0]?.vector).toBeNull();
      });

      it('never compares vectors of different dimensions', async () => {
        await table.write([row('a', 0, 'word', along(0))], []);
        await table.write([row('b', 0, 'word', Float32Array.of(1, 0))], []);
        expect(await near(Float32Array.of(1, 0))).toEqual([]);
        expect(await near(along(0))).toEqual(['a']);
        expect((await table.rowsOf('b'))[0]?.vector).toBeNull();
      });
    });

    describe('scope', () => {
      const everywhere = [
        'a/x.md',
        'a/b/y.PDF',
        'a0.md',
        'a.md',
        "o'h/z.md",
        'ab/x.md',
        '%/x.md',
        'n.tar.gz',
      ];
      beforeEach(async () => {
        await table.write(
          everywhere.map((path) => row(path, 0, 'word', along(0))),
          [],
        );
      });

      it.each([
        [{ paths: ['a'] }, ['a/b/y.PDF', 'a/x.md']],
        [{ paths: ['a/x.md', 'a.md'] }, ['a.md', 'a/x.md']],
        [{ paths: ["o'h", 'none', '%'] }, ['%/x.md', "o'h/z.md"]],
        [{ paths: [] }, []],
        [{ extensions: ['pdf', 'gz'] }, ['a/b/y.PDF', 'n.tar.gz']],
        [{ paths: ['a', 'ab'], extensions: ['md'] }, ['a/x.md', 'ab/x.md']],
        [{ extensions: ["md' OR 'a' = 'a"] }, []],
        [{ files: ["o'h/z.md", 'a', 'none'] }, ["o'h/z.md"]],
        [{ files: ["x') OR ('a' = 'a", "\\'", '--', '%'] }, []],
        [{ files: [] }, []],
        [{ files: ['a.md', 'a/x.md', 'n.tar.gz'], paths: ['a'], extensions: ['md'] }, ['a/x.md']],
        [{}, everywhere.toSorted()],
      ])('%j limits both searches', async (scope, expected) => {
        expect(paths(await table.searchText('word', 20, scope)).sort()).toEqual(expected);
        expect(paths(await table.searchVector(along(0), 20, scope)).sort()).toEqual(expected);
      });

      it('finds a few files among the names of thousands', async () => {
        const files = Array.from({ length: 20_000 }, (_, at) => `other/${at}'.md`);
        const scope = { files: [...files, 'a.md'] };
        expect(paths(await table.searchText('word', 20, scope))).toEqual(['a.md']);
        expect(paths(await table.searchVector(along(0), 20, scope))).toEqual(['a.md']);
      });

      it('finds a renamed file by its new name only', async () => {
        const moved = (await table.rowsOf('a/x.md')).map((each) => ({ ...each, path: 'c/x.md' }));
        await table.write(moved, [{ path: 'a/x.md', keepBelow: 0 }]);
        expect(paths(await table.searchText('word', 20, { paths: ['c'] }))).toEqual(['c/x.md']);
        expect(paths(await table.searchText('word', 20, { paths: ['a/x.md'] }))).toEqual([]);
      });
    });

    describe('searchText', () => {
      beforeEach(async () => {
        await table.write(
          [
            row('src/files.ts', 0, 'export async function readFile(path) { return openHandle(path); }'),
            row('src/http.py', 0, 'def parse_request_body(raw): ...'),
            row('notes/coral.md', 0, 'Bleaching of corals follows heat stress. The reefs recovered slowly.'),
            row('notes/zh.md', 0, '珊瑚白化与海洋温度升高有关。'),
            row('docs/xml.md', 0, 'An XMLHttpRequest is sent; HTTP 404 means missing.'),
            row("o'hara/café.txt", 0, 'Über naïve Résumés'),
          ],
          [],
        );
      });

      it.each([
        ['read', 'src/files.ts'],
        ['readFile', 'src/files.ts'],
        ['readfile', 'src/files.ts'],
        ['open handle', 'src/files.ts'],
        ['request body', 'src/http.py'],
        ['parse_request_body', 'src/http.py'],
        ['parseRequestBody', 'src/http.py'],
        ['CORAL', 'notes/coral.md'],
        ['bleached reef', 'notes/coral.md'],
        ['珊瑚', 'notes/zh.md'],
        ['海洋温度', 'notes/zh.md'],
        ['404', 'docs/xml.md'],
        ['XMLHttpRequest', 'docs/xml.md'],
        ['uber resume', "o'hara/café.txt"],
        ["o'hara", "o'hara/café.txt"],
        ['cafe.txt', "o'hara/café.txt"],
      ])('finds %j', async (query, path) => {
        expect((await find(query))[0]).toBe(path);
      });

      it.each([[''], [' '], ['?!'], ['"'], ['😀'], ['zzzz'], ['(((('], ['-']])(
        'finds nothing for %j',
        async (query) => {
          expect(await find(query)).toEqual([]);
        },
      );

      it.each([
        ['"coral'],
        ['coral AND'],
        ['coral*'],
        ['+coral -heat'],
        ['text:coral'],
        ['coral) OR ('],
        ["coral' --"],
        ['coral\\'],
        ['coral~2'],
      ])('treats %j as words', async (query) => {
        expect((await find(query))[0]).toBe('notes/coral.md');
      });

      it('returns the best rows first, with decreasing scores, up to the limit', async () => {
        await table.write(
          [row('b', 0, 'whale '.repeat(3)), row('a', 0, `whale ${'filler words '.repeat(20)}`)],
          [],
        );
        const found = await table.searchText('whale', 10);
        expect(paths(found)).toEqual(['b', 'a']);
        expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Number.POSITIVE_INFINITY);
        expect(await find('whale', 1)).toEqual(['b']);
      });

      it('finds new rows but no replaced ones, before and after maintenance', async () => {
        await table.write([row('notes/coral.md', 0, 'Nothing but kelp.')], []);
        const look = async () => [await find('kelp'), await find('bleaching')];
        expect(await look()).toEqual([['notes/coral.md'], []]);
        await table.maintain();
        expect(await look()).toEqual([['notes/coral.md'], []]);
      });
    });

    describe('spaces and workspaces', () => {
      it('share no rows', async () => {
        const [space, other] = [
          await vectors.open(workspaceId, 'other'),
          await vectors.open(`${workspaceId}x`, 'space'),
        ];
        await table.write(rowsFor('a', 1), []);
        await space.write([row('b', 0, 'word', Float32Array.of(1, 0))], []);
        expect([await table.count(), await space.count(), await other.count()]).toEqual([1, 1, 0]);
        expect(paths(await space.searchVector(Float32Array.of(1, 0), 5))).toEqual(['b']);
        expect(await near(along(0))).toEqual(['a']);
      });

      it('are dropped together, without those of another workspace', async () => {
        const other = await vectors.open(`${workspaceId}x`, 'space');
        for (const each of [table, await vectors.open(workspaceId, 'two'), other])
          await each.write(rowsFor('a', 1), []);
        await vectors.drop(workspaceId);
        await vectors.drop(workspaceId);
        expect(await (await vectors.open(workspaceId, 'space')).count()).toBe(0);
        expect(await (await vectors.open(workspaceId, 'two')).count()).toBe(0);
        expect(await other.count()).toBe(1);
      });

      it('are dropped except for the space to keep', async () => {
        const two = await vectors.open(workspaceId, 'two');
        for (const each of [table, two]) await each.write(rowsFor('a', 1), []);
        await vectors.drop(workspaceId, { keepSpace: 'two' });
        expect(await (await vectors.open(workspaceId, 'space')).count()).toBe(0);
        expect(await (await vectors.open(workspaceId, 'two')).count()).toBe(1);
      });

      it('can be written again after they were dropped', async () => {
        await table.write(rowsFor('a', 2), []);
        await vectors.drop(workspaceId);
        const fresh = await vectors.open(workspaceId, 'space');
        await fresh.write([row('b', 0, 'word', Float32Array.of(1, 0))], []);
        expect(await fresh.count()).toBe(1);
        expect(paths(await fresh.searchVector(Float32Array.of(1, 0), 5))).toEqual(['b']);
      });
    });

    describe('reader in another process', () => {
      let reader: Vectors;
      const view = async () => {
        const seen = await reader.open(workspaceId, 'space');
        return [
          await seen.count(),
          paths(await seen.searchText('word', 5)),
          paths(await seen.searchVector(along(0), 5)),
        ];
      };
      beforeEach(async () => {
        reader = await open();
      });

      it('sees each commit', async () => {
        expect(await view()).toEqual([0, [], []]);
        await table.write([row('a', 0, 'word', along(0))], []);
        expect(await view()).toEqual([1, ['a'], ['a']]);
        await table.write([row('b', 0, 'word', along(0))], [{ path: 'a', keepBelow: 0 }]);
        expect(await view()).toEqual([1, ['b'], ['b']]);
      });

      it('sees that a workspace was dropped, and the writes afterwards', async () => {
        await table.write([row('a', 0, 'word', along(0))], []);
        expect(await view()).toEqual([1, ['a'], ['a']]);
        await vectors.drop(workspaceId);
        expect(await view()).toEqual([0, [], []]);
        table = await vectors.open(workspaceId, 'space');
        await table.write([row('c', 0, 'word', along(0))], []);
        expect(await view()).toEqual([1, ['c'], ['c']]);
      });

      it('sees the new rows if it reads only after a drop and a new write', async () => {
        await table.write(
          [row('a', 0, 'word', along(0)), row('b', 0, 'word', along(0))],
          [{ path: 'x', keepBelow: 0 }],
        );
        expect((await view())[0]).toBe(2);
        await vectors.drop(workspaceId);
        table = await vectors.open(workspaceId, 'space');
        await table.write([row('c', 0, 'word', along(0))], []);
        expect(await view()).toEqual([1, ['c'], ['c']]);
      });

      it('is never disturbed by a writer', async () => {
        await table.write([row('a', 0, 'word', along(0))], []);
        let writing = true;
        const writes = (async () => {
          for (let round = 0; round < 8; round++)
            await table.write([row('a', 0, 'word', along(0))], [{ path: 'a', keepBelow: 1 }]);
          await table.maintain();
          writing = false;
        })();
        let views = 0;
        while (writing || views === 0) {
          expect(await view()).toEqual([1, ['a'], ['a']]);
          views++;
        }
        await writes;
      });
    });
  });
}
