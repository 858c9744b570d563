import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../cli');

/** It imports types alone, and nothing of the service. */
const WORDS = "import { partLabel } from '../lib/passages/part-words.ts';";

it('imports of lib/ are of types, and of the words for a place: wrs is a client of the API', () => {
  const imports = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/^import ([^;]*?)from '[./]*\/lib\/[^']+';$/gms)]
      .filter(([whole]) => whole !== WORDS)
      .map(([, names = '']) => ({ file, names })),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter(({ names }) => !names.startsWith('type '))).toEqual([]);
});
