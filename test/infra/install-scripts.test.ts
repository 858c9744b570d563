import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
const { packages } = readJson<{ packages: Record<string, { name?: string; hasInstallScript?: boolean }> }>(
  'package-lock.json',
);

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}

function nameAt(place: string): string {
  return packages[place]?.name ?? place.replace(/^.*node_modules\//, '');
}

describe('package.json', () => {
  // npm 12 runs no script that is not allowed here, and warns of each that is not decided.
  it('allows or refuses each install script of the lock file, and names no other package', () => {
    const places = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(places.map(nameAt))].sort());
  });

  it('lets only node run its script, which fetches the Node that every other script runs on', () => {
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node']);
  });
});

describe('package-lock.json', () => {
  it("leaves out the vector library's own embeddings, 300 MB that nothing uses", () => {
    expect(Object.keys(packages)).toContain('node_modules/@lancedb/lancedb');
    const names = Object.keys(packages).map(nameAt);
    expect(names.filter((name) => /^(@huggingface\/|@img\/|onnxruntime|sharp$)/.test(name))).toEqual([]);
  });
});
