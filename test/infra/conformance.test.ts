import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pinned = (path: string, name: string) => new RegExp(`const ${name} = '(.+)'`).exec(read(path))?.[1];

it('docs/reference/conformance.md names the versions and the calls of the lanes', () => {
  const page = read('docs/reference/conformance.md');
  const calls = [...read('test/lanes/clients/tour.ts').matchAll(/operation: '/g)].length;
  expect(page).toContain(
    `\`-g python\` | ${pinned('test/lanes/clients.ts', 'GENERATOR')} | lane: ${calls} of`,
  );
  expect(page).toContain(`conformance suite, version ${pinned('test/lanes/mcp.ts', 'SUITE')}.`);
  expect(page).toContain(`Python SDK ${pinned('test/lanes/mcp.ts', 'PYTHON_SDK')} `);
});
