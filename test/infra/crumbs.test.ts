import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { crumbsOf } from './crumbs/find.ts';

const root = resolve(import.meta.dirname, '../..');

/** Exceptions, each with its reason. */
const REASONS: Record<string, string> = {
  'infra/local/worker-thread.ts': 'a program: the pool starts it by its path, and imports only its types',
  'web/languages/en/first.ts': "each language's folder contains its lists",
  'lib/records/versions.ts': 'how records change between releases, which the docs explain',
};

async function crumbsIn(files: Record<string, string>): Promise<string[]> {
  const folder = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return crumbsOf(folder).map(({ file }) => file);
}

const SHORT = 'export const short = 1;\n';
const BEGIN = { 'lib/a/begin.ts': "import { short } from './short.ts';\n", 'lib/a/short.ts': SHORT };

describe('short file with one importer and no test', () => {
  const found = crumbsOf(root);

  it('belongs in its importer (npx node test/infra/crumbs/list.ts prints them)', () => {
    const others = found.filter(({ file }) => REASONS[file] === undefined);
    expect(others.map(({ file, importer }) => `${file} → ${importer}`)).toEqual([]);
  });

  it('is an exception only as long as it needs to be', () => {
    const files = found.map(({ file }) => file);
    expect(Object.keys(REASONS).filter((file) => !files.includes(file))).toEqual([]);
  });

  it.each([
    ['a value', "import { short } from './short.ts';\n"],
    ['a type', "import type { Short } from './short.ts';\n"],
    ['another line', "import {\n  short,\n} from './short.ts';\n"],
  ])('is found by an import of %s', async (_what, text) => {
    expect(await crumbsIn({ ...BEGIN, 'lib/a/begin.ts': text })).toEqual(['lib/a/short.ts']);
  });

  it.each<[reason: string, files: Record<string, string>]>([
    ['a second importer', { 'web/end.tsx': "import { short } from '../lib/a/short.ts';\n" }],
    ['a test with its name', { 'test/lib/a/short.test.ts': '' }],
    ['a test that imports it', { 'test/lib/a/end.test.ts': "import '../../../lib/a/short.ts';\n" }],
    ['forty lines', { 'lib/a/short.ts': SHORT.repeat(40) }],
    ['no importer', { 'lib/a/begin.ts': '' }],
    ['an importer that loads it later', { 'lib/a/begin.ts': "await import('./short.ts');\n" }],
    [
      'an importer that starts it as a worker',
      { 'lib/a/begin.ts': "import url from './short.ts?worker&url';\n" },
    ],
    ['an importer for its side effects', { 'lib/a/begin.ts': "import './short.ts';\n" }],
    ['a long importer', { 'lib/a/begin.ts': BEGIN['lib/a/begin.ts'] + SHORT.repeat(249) }],
    ['a docs page', { 'docs/a.md': 'See `lib/a/short.ts`.\n' }],
    ['a list', { 'lib/a/begin.ts': '', 'lib/a/all-shorts.ts': BEGIN['lib/a/begin.ts'] }],
  ])('is allowed with %s', async (_reason, files) => {
    expect(await crumbsIn({ ...BEGIN, ...files })).toEqual([]);
  });
});
