import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../cli');

/** It imports only types, and no code of the service. */
const PART_LABEL = "import { partLabel } from '../lib/passages/part-label.ts';";

it('imports only types and location labels from lib/, because wrs is a client of the API', () => {
  const imports = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/^import ([^;]*?)from '[./]*\/lib\/[^']+';$/gms)]
      .filter(([whole]) => whole !== PART_LABEL)
      .map(([, names = '']) => ({ file, names })),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter(({ names }) => !names.startsWith('type '))).toEqual([]);
});
