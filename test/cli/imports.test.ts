import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../cli');

it('imports of lib/ are of types alone: wrs is a client of the API', () => {
  const imports = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(resolve(root, file), 'utf8').matchAll(/^import ([^;]*?)from '[./]*\/lib\/[^']+';$/gms),
    ].map(([, names = '']) => ({ file, names })),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter(({ names }) => !names.startsWith('type '))).toEqual([]);
});
