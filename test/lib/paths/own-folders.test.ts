import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { codeFolder } from '../../../lib/paths/own-folders.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it.each([
  ['a clone', 'research', 'research'],
  ['an installed package, whose packages are next to it', 'node_modules/research', 'node_modules'],
])('folder of the code of %s', async (_, own, code) => {
  const root = await tempFolder();
  await mkdir(join(root, own, 'lib/paths'), { recursive: true });
  await writeFile(join(root, own, 'package.json'), '{}');
  expect(codeFolder(join(root, own, 'lib/paths'))).toBe(join(root, code));
});
