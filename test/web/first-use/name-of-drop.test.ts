import { describe, expect, it } from '@jest/globals';
import { freeName, nameDrop } from '../../../web/first-use/name-of-drop.ts';

const DAY = new Date(2026, 10, 6, 23, 59);

function drop(...paths: string[]) {
  const file = new File([], 'any');
  const { folder, files } = nameDrop(
    paths.map((path) => ({ path, file })),
    DAY,
  );
  return [folder, ...files.map(({ path }) => path)];
}

describe('nameDrop', () => {
  it('uses a single folder as the workspace, with its contents', () => {
    expect(drop('owls/a.md', 'owls/sub/b.pdf')).toEqual(['owls', 'a.md', 'sub/b.pdf']);
    expect(drop('论文/一.md')).toEqual(['论文', '一.md']);
  });

  it('names several files, or folders, after the day, and a single file by its name', () => {
    expect(drop('a.md', 'b.md')).toEqual(['files-2026-11-06', 'a.md', 'b.md']);
    expect(drop('one/a.md', 'two/a.md')).toEqual(['files-2026-11-06', 'one/a.md', 'two/a.md']);
    expect(drop('one/a.md', 'b.md')).toEqual(['files-2026-11-06', 'one/a.md', 'b.md']);
    expect(drop('annual report.v2.pdf')).toEqual(['annual report.v2', 'annual report.v2.pdf']);
    expect(drop('README')).toEqual(['README', 'README']);
  });

  it("never returns a folder that can't be a workspace", () => {
    expect(drop('.git/config')).toEqual(['git', 'config']);
    expect(drop('.../a')).toEqual(['files-2026-11-06', 'a']);
    expect(drop('.env')).toEqual(['env', '.env']);
    expect(drop('a\\b\u0001.txt')[0]).toBe('a b');
    expect(drop(`${'x'.repeat(300)}/a`)[0]).toBe('x'.repeat(80));
  });
});

it('nameDrop reports whether the person must choose a name, and finds an unused name', () => {
  const file = new File([], 'any');
  const isUnnamed = (...paths: string[]) =>
    nameDrop(
      paths.map((path) => ({ path, file })),
      DAY,
    ).isUnnamed;
  expect([isUnnamed('owls/a.md'), isUnnamed('a.md'), isUnnamed('a.md', 'b.md')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(freeName('My files', ['owls'])).toBe('My files');
  expect(freeName('My files', ['My files', 'My files 2'])).toBe('My files 3');
});
