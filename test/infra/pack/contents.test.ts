import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { trackedFiles } from '../../../infra/pack/contents.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('trackedFiles', () => {
  it('leaves out files that are not of the repository, such as settings with keys', async () => {
    const root = await tempFolder();
    await mkdir(join(root, 'container'));
    await writeFile(join(root, 'container/compose.yml'), 'services:');
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    execFileSync('git', ['add', '.'], { cwd: root });
    await writeFile(join(root, 'container/.env'), 'PROVIDER_A_API_KEY=secret');
    expect(trackedFiles(root, ['container'])).toEqual(['container/compose.yml']);
    expect(() => trackedFiles(root, ['container', 'gone'])).toThrow();
  });

  it('finds all files of the image', () => {
    const root = resolve(import.meta.dirname, '../../..');
    expect(trackedFiles(root, ['infra/container'])).toEqual([
      'infra/container/Dockerfile',
      'infra/container/compose.yml',
    ]);
  });
});
