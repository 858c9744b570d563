import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { processCommands } from '../../../lib/adapters/process/commands.ts';
import { sandboxesHere } from '../../support/processes/sandboxes.ts';
import { makeTree } from '../../support/samples/tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const sandboxes = await sandboxesHere();
const mounting = sandboxes.filter(({ kind }) => kind !== 'seatbelt');
const LIMITS = { timeoutMs: 15_000, maxOutputBytes: 10_000 };

async function place() {
  const root = await makeTree({ 'own.txt': 'mine' });
  const around = await makeTree({ 'zoo/sub/a.txt': 'an okapi', 'beside/secret': 'planted' });
  const source = join(around, 'zoo');
  const target = join(root, 'datasets/zoo');
  return { root, around, source, target };
}

describe.each(mounting.map((sandbox) => ({ kind: sandbox.kind, sandbox })))(
  'folder mounted in a workspace ($kind)',
  ({ sandbox }) => {
    const commands = processCommands(sandbox);
    const run = (script: string, root: string, mounts: { source: string; target: string }[]) =>
      commands.run({ script, cwd: root, writable: [root], mounts, ...LIMITS });

    it('is readable and read-only, and exposes no other folder', async () => {
      const { root, source, target } = await place();
      const script =
        'cat datasets/zoo/sub/a.txt; ls datasets/zoo/.. ; ls datasets/zoo/../../../beside; ' +
        'echo x > datasets/zoo/new; echo x >> datasets/zoo/sub/a.txt; rm -r datasets/zoo/sub; echo x > own.txt';
      const { stdout, exitCode } = await run(script, root, [{ source, target }]);
      expect({ stdout, exitCode }).toEqual({ stdout: 'an okapizoo\n', exitCode: 0 });
      expect(await readdir(source)).toEqual(['sub']);
      expect(await readdir(join(source, 'sub'))).toEqual(['a.txt']);
    });

    it('leaves nothing in the workspace and keeps existing files', async () => {
      const { root, source, target } = await place();
      await run('ls datasets/zoo; exit 3', root, [{ source, target }]);
      expect(await readdir(root)).toEqual(['own.txt']);
      await mkdir(target, { recursive: true });
      await writeFile(join(target, 'kept'), '');
      const { stdout } = await run('ls datasets/zoo; echo x > datasets/mine', root, [{ source, target }]);
      expect(stdout).toBe('sub\n');
      expect((await readdir(join(root, 'datasets'))).sort()).toEqual(['mine', 'zoo']);
      expect(await readdir(target)).toEqual(['kept']);
    });

    it('stays mounted for a command while another ends', async () => {
      const { root, source, target } = await place();
      const long = run('sleep 1.5; ls datasets/zoo', root, [{ source, target }]);
      for (let index = 0; index < 3; index++) await run('true', root, [{ source, target }]);
      expect((await long).stdout).toBe('sub\n');
      expect(await readdir(root)).toEqual(['own.txt']);
    });

    it('stays mounted for a command that starts while other commands end', async () => {
      const { root, source, target } = await place();
      const late = processCommands({
        ...sandbox,
        async launch(plan) {
          await run('true', root, [{ source, target }]);
          return sandbox.launch(plan);
        },
      });
      const command = {
        script: 'ls datasets/zoo',
        cwd: root,
        writable: [root],
        mounts: [{ source, target }],
      };
      expect((await late.run({ ...command, ...LIMITS })).stdout).toBe('sub\n');
      expect(await readdir(root)).toEqual(['own.txt']);
    });

    it('is skipped if its source, or the path to its target, is a link', async () => {
      const { root, around, source, target } = await place();
      const outside = await tempFolder();
      await symlink(outside, join(root, 'datasets'));
      expect((await run('ls datasets/zoo', root, [{ source, target }])).stdout).toBe('');
      expect(await readdir(outside)).toEqual([]);
      await rename(source, join(around, 'gone'));
      await symlink(join(around, 'beside'), source);
      const other = await run('ls other', root, [{ source, target: join(root, 'other') }]);
      expect(other).toMatchObject({ stdout: '' });
      expect((await readdir(root)).sort()).toEqual(['datasets', 'own.txt']);
    });

    it('hides the paths that are hidden outside the mount', async () => {
      const { root, source, target } = await place();
      const hiding = processCommands({ ...sandbox, ...(await hidingIn(join(source, 'sub'))) });
      const command = { script: 'ls datasets/zoo datasets/zoo/sub', cwd: root, writable: [root] };
      const { stdout } = await hiding.run({ ...command, ...LIMITS, mounts: [{ source, target }] });
      expect(stdout).toBe('datasets/zoo:\nsub\n\ndatasets/zoo/sub:\n');
    });

    async function hidingIn(folder: string) {
      const all = await sandboxesHere({ network: 'none', hidden: [folder] });
      return all.find(({ kind }) => kind === sandbox.kind) ?? sandbox;
    }
  },
);

it('mount test finds a sandbox that mounts on Linux', () => {
  if (process.platform === 'linux') expect(mounting).not.toEqual([]);
});
