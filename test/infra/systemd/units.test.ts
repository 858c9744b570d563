import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { START_FLAGS, START_VARIABLES } from '../../../infra/local/start-flags.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { readLastBackup } from '../../../lib/system/last-backup.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../../support/wrs.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Where npm installs the package with `--prefix /opt/workspace-research`. */
const PACKAGE = '/opt/workspace-research/lib/node_modules/workspace-research-service';

describe('unit of the service', () => {
  it('runs what wrs serve runs', async () => {
    const unit = await readFile(join(root, 'infra/systemd/workspace-research.service'), 'utf8');
    const [, command = ''] = /^ExecStart=\S+\/node_modules\/\.bin\/node (.+)$/m.exec(unit) ?? [];
    expect(command.split(' ')).toEqual([...START_FLAGS, `${PACKAGE}/infra/local/installed.mjs`]);
    for (const name of Object.keys(START_VARIABLES)) expect(unit).toContain(`Environment=${name}=`);
  });
});

describe('backup.sh', () => {
  it('reads .env like the service, backs up data and roots, checks the copy, and removes old copies', async () => {
    const service = await startService();
    const [backups, outside] = [await tempFolder(), await tempFolder()];
    await writeFile(join(outside, 'owls.md'), '# Owls\n');
    const old = join(backups, '2020-01-01T000000');
    await mkdir(old);
    await utimes(old, 0, 0);
    const roots = `${service.root}, ${outside}`;
    const env = { ...(await personEnvironment()), BACKUPS: backups };
    const home = await tempFolder();
    const settings = `DATA_DIR=${service.dataDir}  # ours\nWORKSPACE_ROOTS="${roots}"\nAUTH_MODE=token # or oidc\n`;
    await writeFile(join(home, '.env'), settings);
    const before = Date.now();
    await run('sh', [join(root, 'infra/systemd/backup.sh')], { cwd: home, env });
    const [name = '', ...others] = await readdir(backups);
    expect(others).toEqual([]);
    const copy = join(backups, name);
    const [archive = ''] = (await readdir(copy)).filter((each) => each.endsWith('.tar.gz'));
    expect((await run('tar', ['-tzf', join(copy, archive)])).stdout).toContain('owls.md');
    expect(await readLastBackup(service.dataDir)).toBeGreaterThanOrEqual(before);
    const check = () => runWrs(['restore', '--check', copy], { env, cwd: root });
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ files, .+ complete/),
    });
    await writeFile(join(copy, 'data/service.sqlite'), 'damaged');
    const damaged = await check();
    expect(damaged.code).not.toBe(0);
    expect(damaged.stderr).toContain('service.sqlite is damaged');
  });

  it("keeps one archive per root, and doesn't mark a backup as the latest if a root is missing", async () => {
    const [dataDir, roots] = [await tempFolder(), await tempFolder()];
    openDatabase(dataDir).close();
    const [one, other] = [join(roots, 'a-b'), join(roots, 'a/b')];
    for (const folder of [one, other]) await mkdir(folder, { recursive: true });
    const backUp = async (...folders: string[]) => {
      const backups = await tempFolder();
      const env = { ...(await personEnvironment()), BACKUPS: backups, WORKSPACE_ROOTS: folders.join() };
      await run('sh', [join(root, 'infra/systemd/backup.sh')], {
        cwd: root,
        env: { ...env, DATA_DIR: dataDir },
      });
      return readdir(join(backups, (await readdir(backups))[0] ?? ''));
    };
    await expect(backUp(one, join(roots, 'unmounted'))).rejects.toThrow('unmounted');
    expect(await readLastBackup(dataDir)).toBeUndefined();
    const archives = (await backUp(one, other)).filter((each) => each.endsWith('.tar.gz'));
    expect(archives).toHaveLength(2);
    expect(await readLastBackup(dataDir)).toBeDefined();
  });
});
