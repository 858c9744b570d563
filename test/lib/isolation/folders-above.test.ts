import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findOwnFile } from '../../../lib/isolation/folders-above.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('own files are found in the nearest folder, the first of several names first', async () => {
  const root = await tempFolder();
  const build = join(root, '.build/1');
  await mkdir(join(build, 'lib'), { recursive: true });
  await mkdir(join(root, 'lib'));
  for (const path of ['lib/runner.ts', '.build/1/lib/runner.mjs']) await writeFile(join(root, path), '');
  const names = ['lib/runner.mjs', 'lib/runner.ts'];
  expect(findOwnFile(build, ...names)).toBe(join(build, 'lib/runner.mjs'));
  expect(findOwnFile(join(root, 'lib'), ...names)).toBe(join(root, 'lib/runner.ts'));
  expect(findOwnFile(root, 'lib/absent.ts')).toBeUndefined();
});
