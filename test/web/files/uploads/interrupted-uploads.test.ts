import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  dropUpload,
  findAgain,
  keepUpload,
  readInterrupted,
} from '../../../../web/files/uploads/interrupted-uploads.ts';

const kept: Record<string, string> = {};
const methods = {
  getItem: (name: string) => kept[name] ?? null,
  setItem: (name: string, text: string) => {
    if (isFull) throw new DOMException('', 'QuotaExceededError');
    kept[name] = text;
  },
  removeItem: (name: string) => delete kept[name],
};
let isFull = false;
/** The storage of a tab: its keys are the stored entries. */
const sessionStorage = new Proxy(kept, {
  get: (_kept, name) => methods[name as keyof typeof methods],
});
Object.assign(globalThis, { sessionStorage });

const file = (name: string, size: number, lastModified = 1) => ({ name, size, lastModified }) as File;

beforeEach(() => {
  isFull = false;
  for (const key of Object.keys(kept)) delete kept[key];
});

describe('uploads stored in a tab', () => {
  it('are listed by workspace until they finish', () => {
    keepUpload('w', { path: 'a/b.bin', file: file('b.bin', 9) });
    keepUpload('w', { path: 'a/b.bin', file: file('b.bin', 9), uploadId: 'u' });
    keepUpload('other', { path: 'c.bin', file: file('c.bin', 9) });
    expect(readInterrupted('w')).toEqual([{ path: 'a/b.bin', size: 9, lastModified: 1, uploadId: 'u' }]);
    dropUpload('w', 'a/b.bin');
    expect(readInterrupted('w')).toEqual([]);
    expect(readInterrupted('other')).toHaveLength(1);
  });

  it("are empty if the browser can't store more", () => {
    isFull = true;
    keepUpload('w', { path: 'a', file: file('a', 1) });
    expect(readInterrupted('w')).toEqual([]);
  });
});

describe('findAgain', () => {
  const cutOff = [
    { path: 'a/b.bin', size: 9, lastModified: 1, uploadId: 'one' },
    { path: 'c/b.bin', size: 9, lastModified: 1, uploadId: 'two' },
    { path: 'd.bin', size: 5, lastModified: 1 },
  ];

  it("resumes at the file's path, whether its folder is dropped again or only the file is chosen", () => {
    const dropped = [
      { path: 'c/b.bin', file: file('b.bin', 9) },
      { path: 'b.bin', file: file('b.bin', 9) },
      { path: 'd.bin', file: file('d.bin', 5) },
    ];
    const { again, rest } = findAgain(dropped, cutOff);
    expect(again.map(({ path, uploadId }) => [path, uploadId])).toEqual([
      ['c/b.bin', 'two'],
      ['a/b.bin', 'one'],
      ['d.bin', undefined],
    ]);
    expect(rest).toEqual([]);
  });

  it.each([
    ['another size', file('d.bin', 6)],
    ['a later change', file('d.bin', 5, 2)],
    ['another name', file('od.bin', 5)],
  ])('treats a file with %s as another file', (_what, chosen) => {
    const { again, rest } = findAgain([{ path: chosen.name, file: chosen }], cutOff);
    expect(again).toEqual([]);
    expect(rest).toHaveLength(1);
  });
});
