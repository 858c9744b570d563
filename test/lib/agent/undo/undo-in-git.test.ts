import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';
import { snapshot } from '../../../support/undo-trees.ts';

const OBJECT = '.git/objects/ab/0123456789012345678901234567890123456789';

/** Makes a commit, as far as an undo sees it: an object, a ref, and the index. */
async function startInRepository({ hasGit = true } = {}) {
  const rig = await startUndoRig();
  const put = async (path: string, text: string) => {
    await mkdir(dirname(rig.at(path)), { recursive: true });
    await writeFile(rig.at(path), text);
  };
  const commit = async (text: string) => {
    await put('.git/refs/heads/main', text);
    await put('.git/index', text);
  };
  if (hasGit) await commit('base');
  await put('notes.md', 'mine');
  const before = snapshot(rig.root);
  const runId = await rig.endedRun();
  await rig.command(runId, async () => {
    await put('notes.md', 'by the run');
    await put(OBJECT, 'x');
    await commit('by the run');
  });
  return { ...rig, put, commit, runId, before };
}

describe('an undo in a repository', () => {
  it('restores refs and the index, and leaves the objects that the run added', async () => {
    const { undo, runId, root, before } = await startInRepository();
    const { files } = await undo(runId);
    expect(files.map(({ path, undo }) => [path, undo])).toEqual([
      ['.git/index', 'done'],
      ['.git/refs/heads/main', 'done'],
      ['notes.md', 'done'],
    ]);
    const { [OBJECT]: object, '.git/objects': _, '.git/objects/ab': __, ...rest } = snapshot(root);
    expect(object).toBeDefined();
    expect(rest).toEqual(before);
  });

  it('leaves the whole .git folder if one of its files changed after the run', async () => {
    const { undo, runId, at, put } = await startInRepository();
    await put('.git/refs/heads/main', 'by a person');
    expect(undoByPath(await undo(runId))).toEqual({
      '.git/index': 'conflict',
      '.git/refs/heads/main': 'conflict',
      'notes.md': 'done',
    });
    expect(await readFile(at('.git/index'), 'utf8')).toBe('by the run');
    await undo(runId, { force: true });
    expect(await readFile(at('.git/refs/heads/main'), 'utf8')).toBe('base');
    expect(await readdir(at('.git/objects/ab'))).toHaveLength(1);
  });

  it('undoes the whole .git folder if the request names one of its files', async () => {
    const { undo, runId } = await startInRepository();
    expect(undoByPath(await undo(runId, { paths: ['.git/index'] }))).toEqual({
      '.git/index': 'done',
      '.git/refs/heads/main': 'done',
      'notes.md': 'possible',
    });
  });

  it('removes a repository that the run created, unless it contains work of others', async () => {
    const { undo, runId, root, before } = await startInRepository({ hasGit: false });
    await undo(runId);
    expect(snapshot(root)).toEqual(before);
    const shared = await startInRepository({ hasGit: false });
    await shared.put('.git/refs/heads/keep', 'by a person');
    await shared.undo(shared.runId);
    expect(await readFile(shared.at(OBJECT), 'utf8')).toBe('x');
    expect(await readFile(shared.at('.git/refs/heads/main'), 'utf8')).toBe('by the run');
    await shared.undo(shared.runId, { force: true });
    expect(await readFile(shared.at(OBJECT), 'utf8')).toBe('x');
  });

  it("keeps commits that a user made on top of the run's commits", async () => {
    const { command, endedRun, undo, root, at } = await startUndoRig();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
        ...{ cwd: root, encoding: 'utf8', stdio: 'pipe' },
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      }).trim();
    const add = async (name: string) => {
      await writeFile(at(name), `${name}\n`);
      git('add', name);
      git('commit', '-qm', name);
    };
    git('init', '-qb', 'main');
    await add('base.md');
    const runId = await endedRun();
    await command(runId, () => add('run.md'));
    git('branch', 'keep');
    await add('mine.md');
    await undo(runId);
    expect(git('log', '--format=%s').split('\n')).toEqual(['mine.md', 'run.md', 'base.md']);
    expect(git('fsck', '--strict')).toBe('');
    await undo(runId, { force: true });
    expect(git('log', '--format=%s', 'keep').split('\n')).toEqual(['run.md', 'base.md']);
    expect(git('log', '--format=%s', 'main')).toBe('base.md');
    expect(git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});
