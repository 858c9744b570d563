import { describe, expect, it } from '@jest/globals';
import { alreadyThere, hasMost } from '../../../../web/files/uploads/already-there.ts';
import { hasSameBytes } from '../../../../web/files/uploads/same-bytes.ts';

const dropped = ['a.md', 'z.md', 'b/c/d.md', 'b/c/e.md', 'new/f.md', 'folder'].map((path) => ({
  path,
  file: new File(['12345'], path),
}));
const entry = (path: string, size: number, type: 'file' | 'directory' = 'file') => ({ path, size, type });
const lists: Record<string, ReturnType<typeof entry>[]> = {
  '': [entry('a.md', 5), entry('folder', 5, 'directory')],
  'b/c': [entry('b/c/d.md', 6), entry('b/c/e.md', 5)],
};

describe('alreadyThere', () => {
  it('reads each folder once, and compares only files with the same name and size', async () => {
    const asked: string[] = [];
    const compared: string[] = [];
    const listed = async (folder: string) => {
      asked.push(folder);
      return lists[folder] ?? [];
    };
    const isSame = async ({ path }: { path: string }) => {
      compared.push(path);
      return path === 'a.md';
    };
    const there = await alreadyThere(dropped, listed, isSame);
    expect(there).toEqual({ same: new Set(['a.md']), other: ['b/c/d.md', 'b/c/e.md', 'folder'] });
    expect(asked).toEqual(['', 'b/c', 'new']);
    expect(compared).toEqual(['a.md', 'b/c/e.md']);
  });
});

describe('hasMost', () => {
  it.each([
    [['a.md', 'b/c/e.md', 'z.md', 'new/f.md'], true],
    [['a.md', 'b/c/d.md', 'z.md'], false],
  ])('returns for %j: %s', async (paths, isMost) => {
    const some = dropped.filter(({ path }) => paths.includes(path));
    expect(await hasMost(some, async (folder) => lists[folder] ?? [])).toBe(isMost);
  });
});

describe('hasSameBytes', () => {
  const streamOf = (...pieces: string[]) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });

  it.each([
    ['compares equal files in chunks', ['ab', 'cde'], true],
    ['finds a different letter', ['ab', 'xde'], false],
    ['finds a shorter file', ['ab', 'cd'], false],
    ['finds a longer file', ['ab', 'cde', 'f'], false],
    ['compares with an empty file', [], false],
  ])('%s', async (_what, pieces, isSame) => {
    expect(await hasSameBytes(new Blob(['abcde']), streamOf(...pieces))).toBe(isSame);
  });

  it('treats two empty files as equal', async () => {
    expect(await hasSameBytes(new Blob([]), streamOf())).toBe(true);
  });

  it('stops reading at the first difference', async () => {
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new TextEncoder().encode('x'));
        },
      },
      { highWaterMark: 0 },
    );
    expect(await hasSameBytes(new Blob(['abcde']), stream)).toBe(false);
    expect(pulled).toBe(1);
  });
});
