import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { documentedCommands, replaceIn, runAsFileUser } from '../deploy/documented-commands.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('documented commands restore a backup of files without permission to write to the root', async () => {
  const root = await tempFolder();
  const restored = join(root, 'aws-backup-restore_2026-11-26/service');
  const owned = [join(root, 'service'), restored];
  for (const [folder, file] of [
    [join(root, 'service/workspaces'), 'new.md'],
    [join(restored, 'workspaces'), 'old.md'],
  ] as const) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), '# Owls\n');
  }
  const commands = documentedCommands('docs/operate/backup-and-restore.md', 'AWS: restore files');
  await runAsFileUser(replaceIn(commands, '/mnt/efs', '.'), root, owned);
  expect(await readdir(join(root, 'service/workspaces'))).toEqual(['old.md']);
  expect(await readdir(join(root, 'service/before-restore'))).toEqual(['new.md']);
});
