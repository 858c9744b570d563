import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const files = globSync('web/**/*.{ts,tsx}', { cwd: root }).filter((file) => file !== 'web/vite.config.ts');

/** Returns the file's imports: files of the repository by their path. */
function importsOf(file: string): string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name));
}

function faults(looked: string[], isWrong: (name: string) => boolean): string[] {
  return looked.flatMap((file) =>
    importsOf(file)
      .filter(isWrong)
      .map((name) => `${file}: ${name}`),
  );
}

/** Returns the first cycle from a file back to itself, including dynamically imported files. */
function circle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, way: string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...way, file]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const file of graph.keys()) {
    const found = walk(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('console', () => {
  it('uses only the API, and of lib only the API contract and the messages of error codes', () => {
    expect(files.length).toBeGreaterThan(50);
    const isForeign = (name: string) =>
      /^(functions|lib|infra|cli|test|node:)/.test(name) &&
      !/^lib\/(error-messages\/.*\.json|api-contract\/.*\.ts)$/.test(name);
    expect(faults(files, isForeign)).toEqual([]);
    expect(faults(files, (name) => name.startsWith('..'))).toEqual([]);
  });

  it("has parts that don't depend on features", () => {
    const parts = files.filter((file) => file.startsWith('web/parts/'));
    expect(faults(parts, (name) => /^web\/(?!parts|api)/.test(name))).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(circle(new Map(files.map((file) => [file, importsOf(file)])))).toBeUndefined();
  });

  /** Without these, a page is still complete, in English and without colors. */
  it('waits for the service with every dynamically imported part', () => {
    const later = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/(.*)\bimport\('([^']+)'\)/g)].map(
        ([, before = '', name = '']) => ({
          isWaited: /(fetchPart|page|with(FirstUse)?Catalog)\(\s*\(\) => $/.test(before),
          name,
        }),
      ),
    );
    expect(later.length).toBeGreaterThan(40);
    expect(
      later
        .filter(({ isWaited }) => !isWaited)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      '../../lib/error-messages/zh-CN.json',
      './color-apart.ts',
      './zh-CN/first-use.ts',
      './zh-CN/first.ts',
      './zh-CN/later.ts',
    ]);
  });

  it('is checked by a test that detects violations', () => {
    const graph = [
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['d', 'b']],
    ] as const;
    expect(circle(new Map(graph.map(([file, next]) => [file, [...next]])))).toEqual(['b', 'c', 'b']);
    expect(faults(files, (name) => name === 'react').length).toBeGreaterThan(10);
    expect(faults(files, (name) => name === 'web/api/client.ts').length).toBeGreaterThan(5);
  });
});
