import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_DIFF_LINES, type Repositories } from '../../lib/ports/repositories.ts';
import { type GitServer, runGit, startGitServer, type Tree } from '../support/fakes/git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ignore, makeHostile, type RepositoriesSetup } from './repositories.contract.ts';

const AUTHOR = { name: 'Ada Owl', email: 'ada@example.org' };

/** The part of the contract of lib/ports/repositories.ts that changes a clone. */
export function describeChanges(name: string, { open }: RepositoriesSetup): void {
  describe(`${name}: Repositories, changes`, () => {
    let server: GitServer;
    let repositories: Repositories;
    let count = 0;
    beforeAll(async () => {
      server = await startGitServer();
      repositories = open(server);
    });

    async function cloned(files: Tree = { 'a.txt': 'one\ntwo\nthree\n' }, kind = 'public') {
      const repository = `${kind}/c${++count}`;
      await server.addRepository(repository, files);
      const url = `https://${server.host}/${repository}.git`;
      const folder = join(await tempFolder(), 'clone');
      await mkdir(folder);
      await repositories.clone(url, folder);
      return { repository, url, folder };
    }
    const stateOf = async (folder: string) =>
      (await repositories.status(folder))?.modified.map(
        ({ path, status, staged, unstaged }) =>
          `${staged ? 'S' : '.'}${unstaged ? 'U' : '.'} ${status} ${path}`,
      );
    const diffOf = (folder: string, path: string | undefined, staged = false) =>
      repositories.diff(folder, { path, staged });
    const write = (folder: string, path: string, text: string) => writeFile(join(folder, path), text);

    it('stages, unstages, and commits, as git sees it', async () => {
      const { folder } = await cloned({ 'a.txt': 'one\n', 'gone.txt': 'x', '*.txt': 'a literal star' });
      await write(folder, 'a.txt', 'two\n');
      await write(folder, '*.txt', 'changed');
      await write(folder, "new ü'.txt", 'new\n');
      await rm(join(folder, 'gone.txt'));
      await repositories.stage(folder, ['*.txt']);
      expect(await runGit(folder, 'diff', '--cached', '--name-only')).toBe('*.txt');
      await repositories.unstage(folder, ['*.txt']);
      expect(await runGit(folder, 'diff', '--cached', '--name-only')).toBe('');
      await repositories.stage(folder, ['a.txt', "new ü'.txt", 'gone.txt']);
      await write(folder, 'a.txt', 'three\n');
      expect(await stateOf(folder)).toEqual([
        '.U modified *.txt',
        'SU modified a.txt',
        'S. deleted gone.txt',
        "S. added new ü'.txt",
      ]);
      const message = 'Hoot "$(id)"\n\n# not a comment\n';
      const committed = await repositories.commit(folder, { message, author: AUTHOR });
      const head = await runGit(folder, 'rev-parse', 'HEAD');
      expect(committed).toEqual({ branch: 'main', commit: head });
      expect(await runGit(folder, 'log', '-1', '--format=%an <%ae> %cn%n%B')).toBe(
        `Ada Owl <ada@example.org> Ada Owl\n${message.trim()}`,
      );
      expect(await runGit(folder, 'fsck', '--strict', '--no-dangling')).toBe('');
      expect(await stateOf(folder)).toEqual(['.U modified *.txt', '.U modified a.txt']);
      expect(await repositories.status(folder)).toMatchObject({ ahead: 1 });
      const log = await repositories.log(folder, { most: 5, skip: 0 });
      expect(log?.map(({ hash, author, subject }) => [hash, author, subject])).toEqual([
        [head, 'Ada Owl', 'Hoot "$(id)"'],
        [expect.any(String), 'Tester', 'a change'],
      ]);
      expect(log?.[0]?.body).toBe('# not a comment');
      expect(await repositories.log(folder, { most: 1, skip: 0 })).toHaveLength(1);
      expect(await repositories.log(folder, { most: 5, skip: 1 })).toEqual(log?.slice(1));
      expect(await repositories.log(folder, { most: 5, skip: 2 })).toEqual([]);
    });

    it('replaces a file by a folder in the index, and a folder by a file', async () => {
      const { folder } = await cloned({ thing: 'x', 'dir/x': 'y' });
      await rm(join(folder, 'thing'));
      await rm(join(folder, 'dir'), { recursive: true });
      await mkdir(join(folder, 'thing'));
      await write(folder, 'thing/inner', 'z');
      await write(folder, 'dir', 'file');
      await repositories.stage(folder, ['thing/inner', 'dir']);
      await repositories.commit(folder, { message: 'swap', author: AUTHOR });
      expect(await runGit(folder, 'ls-tree', '-r', '--name-only', 'HEAD')).toBe('dir\nthing/inner');
    });

    it('commits nothing without staged changes, during a merge, and without a branch', async () => {
      const { folder } = await cloned();
      const commit = () => repositories.commit(folder, { message: 'm', author: AUTHOR });
      await expect(commit()).rejects.toMatchObject({ code: 'git_nothing_staged' });
      await write(folder, 'a.txt', 'changed');
      await repositories.stage(folder, ['a.txt']);
      await write(folder, '.git/MERGE_HEAD', `${await runGit(folder, 'rev-parse', 'HEAD')}\n`);
      await expect(commit()).rejects.toMatchObject({ code: 'git_merge_in_progress' });
      await rm(join(folder, '.git/MERGE_HEAD'));
      await runGit(folder, 'checkout', '--quiet', '--detach');
      await expect(commit()).rejects.toMatchObject({ code: 'git_branch_missing' });
    });

    it('makes the first commit of an empty repository', async () => {
      const folder = await tempFolder();
      await server.addRepository('public/first', null);
      await repositories.clone(`https://${server.host}/public/first.git`, folder);
      expect(await repositories.log(folder, { most: 5, skip: 0 })).toEqual([]);
      await write(folder, 'a.txt', 'a\n');
      await repositories.stage(folder, ['a.txt']);
      expect((await diffOf(folder, 'a.txt', true))?.patch).toContain('+a\n');
      await repositories.unstage(folder, ['a.txt']);
      await repositories.stage(folder, ['a.txt']);
      await repositories.commit(folder, { message: 'first', author: AUTHOR });
      expect(await runGit(folder, 'log', '--format=%s')).toBe('first');
    });

    describe('diff', () => {
      it('compares the file with the index, and the index with the commit', async () => {
        const { folder } = await cloned();
        await write(folder, 'a.txt', 'one\n2\nthree\n');
        await repositories.stage(folder, ['a.txt']);
        await write(folder, 'a.txt', 'one\n2\nthree');
        const staged = { patch: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n', isBinary: false, isCut: false };
        expect(await diffOf(folder, 'a.txt', true)).toEqual(staged);
        expect((await diffOf(folder, 'a.txt'))?.patch).toBe(
          '@@ -1,3 +1,3 @@\n one\n 2\n-three\n+three\n\\ No newline at end of file\n',
        );
        expect((await diffOf(folder, undefined, true))?.patch).toMatch(
          /^diff --git a\/a\.txt b\/a\.txt\n.*\+2\n/s,
        );
      });

      it("shows a new file, a deleted file, and a link's target path, but not the target's content", async () => {
        const { folder } = await cloned();
        const outside = await tempFolder();
        await write(outside, 'secret', 'SECRET');
        await write(folder, 'new.txt', 'x\ny\n');
        await symlink(join(outside, 'secret'), join(folder, 'link'));
        await rm(join(folder, 'a.txt'));
        expect((await diffOf(folder, 'new.txt'))?.patch).toBe('@@ -0,0 +1,2 @@\n+x\n+y\n');
        expect((await diffOf(folder, 'a.txt'))?.patch).toBe('@@ -1,3 +0,0 @@\n-one\n-two\n-three\n');
        const link = (await diffOf(folder, 'link'))?.patch;
        expect(link).toContain(`+${outside}/secret`);
        expect(link).not.toContain('SECRET');
        await repositories.stage(folder, ['link']);
        expect((await diffOf(folder, 'link', true))?.patch).not.toContain('SECRET');
      });

      it('is empty for an unchanged, an ignored, and a missing file, and for git folders', async () => {
        const { folder } = await cloned({ 'a.txt': 'x', '.gitignore': 'ignored\n' });
        await write(folder, 'ignored', 'SECRET');
        for (const path of ['a.txt', 'ignored', 'none', '.git/config', '*'])
          expect(await diffOf(folder, path)).toEqual({ patch: '', isBinary: false, isCut: false });
      });

      it('marks binary files, and cuts long files', async () => {
        const { folder } = await cloned({ 'a.bin': 'x', 'long.txt': 'x' });
        await write(folder, 'a.bin', 'a\0b');
        await write(folder, 'new.bin', 'a\0b');
        await write(folder, 'long.txt', 'line\n'.repeat(MAX_DIFF_LINES * 2));
        await write(folder, 'wide.txt', 'y'.repeat(2_000_000));
        for (const path of ['a.bin', 'new.bin'])
          expect(await diffOf(folder, path)).toEqual({ patch: '', isBinary: true, isCut: false });
        const long = await diffOf(folder, 'long.txt');
        expect([long?.isCut, long?.patch.split('\n').length]).toEqual([true, MAX_DIFF_LINES]);
        const wide = await diffOf(folder, 'wide.txt');
        expect(wide?.isCut).toBe(true);
        expect(wide?.patch.length).toBeLessThan(600_000);
      });
    });

    describe('branch', () => {
      it('creates a branch, and switches back and forth', async () => {
        const { folder } = await cloned();
        await write(folder, 'kept.txt', 'mine');
        const created = await repositories.branch(folder, { name: 'feature/x', create: true });
        expect(created).toEqual({ branch: 'feature/x', changedFiles: 0 });
        await write(folder, 'a.txt', 'other');
        await repositories.stage(folder, ['a.txt']);
        await repositories.commit(folder, { message: 'm', author: AUTHOR });
        const back = await repositories.branch(folder, { name: 'main', create: false });
        expect(back).toEqual({ branch: 'main', changedFiles: 1 });
        expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
        expect(await stateOf(folder)).toEqual(['.U untracked kept.txt']);
        expect(await repositories.status(folder)).toMatchObject({
          branch: 'main',
          branches: ['feature/x', 'main'],
        });
        await runGit(folder, 'pack-refs', '--all');
        await repositories.branch(folder, { name: 'feature/x', create: false });
        expect(await runGit(folder, 'status', '--porcelain')).toBe('?? kept.txt');
      });

      it.each([
        ['a changed file', 'a.txt', ''],
        ['a new file', 'new.txt', ''],
        ['an ignored file', 'new.txt', 'new.txt'],
        ['a file in place of a folder', 'deep', ''],
        ['an ignored file in place of a folder', 'deep', 'deep'],
      ])('overwrites nothing: %s', async (_what, path, ignored) => {
        const { folder } = await cloned();
        await repositories.branch(folder, { name: 'b', create: true });
        await mkdir(join(folder, 'deep'));
        for (const file of ['a.txt', 'new.txt', 'deep/x']) await write(folder, file, 'of the branch');
        await repositories.stage(folder, ['a.txt', 'new.txt', 'deep/x']);
        await repositories.commit(folder, { message: 'm', author: AUTHOR });
        await repositories.branch(folder, { name: 'main', create: false });
        await ignore(folder, ignored);
        await write(folder, path, 'mine');
        const switching = repositories.branch(folder, { name: 'b', create: false });
        await expect(switching).rejects.toMatchObject({ code: 'git_local_changes' });
        expect(await readFile(join(folder, path), 'utf8')).toBe('mine');
        expect(await repositories.status(folder)).toMatchObject({ branch: 'main' });
      });

      it.each([
        '',
        '-x',
        '--force',
        'a..b',
        'a b',
        'a~1',
        'a.lock',
        '../x',
        'x/../../y',
        '@{u}',
        'HEAD',
        'a\nb',
        'a\\b',
      ])('refuses the name %j', async (branch) => {
        const { folder } = await cloned();
        for (const create of [true, false])
          await expect(repositories.branch(folder, { name: branch, create })).rejects.toMatchObject({
            status: 400,
          });
      });

      it('refuses an existing name, and an unknown name', async () => {
        const { folder } = await cloned();
        const [taken, unknown] = [
          { name: 'main', create: true },
          { name: 'none', create: false },
        ];
        await expect(repositories.branch(folder, taken)).rejects.toMatchObject({ code: 'git_branch_exists' });
        await expect(repositories.branch(folder, unknown)).rejects.toMatchObject({
          code: 'git_branch_not_found',
        });
      });
    });

    describe('discard', () => {
      it('restores changed and deleted files from the index', async () => {
        const { folder } = await cloned({ 'a.txt': 'a', 'b/c.txt': 'c', link: '-> a.txt', 'run.sh': '+x x' });
        await write(folder, 'a.txt', 'staged');
        await repositories.stage(folder, ['a.txt']);
        await write(folder, 'a.txt', 'later');
        await write(folder, 'run.sh', 'y');
        await rm(join(folder, 'b'), { recursive: true });
        await rm(join(folder, 'link'));
        await repositories.discard(folder, ['a.txt', 'b/c.txt', 'link', 'run.sh']);
        expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('staged');
        expect(await readFile(join(folder, 'b/c.txt'), 'utf8')).toBe('c');
        expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
        expect((await stat(join(folder, 'run.sh'))).mode & 0o100).toBe(0o100);
        expect(await stateOf(folder)).toEqual(['S. modified a.txt']);
      });

      it('removes no untracked file that is in the way', async () => {
        const { folder } = await cloned({ file: 'x', 'dir/x': 'y' });
        const outside = await tempFolder();
        await rm(join(folder, 'file'));
        await mkdir(join(folder, 'file'));
        await write(folder, 'file/mine', 'mine');
        await rm(join(folder, 'dir'), { recursive: true });
        await write(folder, 'dir', 'mine');
        for (const path of ['file', 'dir/x'])
          await expect(repositories.discard(folder, [path])).rejects.toMatchObject({ status: 409 });
        await rm(join(folder, 'dir'));
        await symlink(outside, join(folder, 'dir'));
        await expect(repositories.discard(folder, ['dir/x'])).rejects.toMatchObject({ status: 409 });
        expect(await readFile(join(folder, 'file/mine'), 'utf8')).toBe('mine');
        expect(await readdir(outside)).toEqual([]);
      });
    });

    describe('push', () => {
      it('sends commits fast-forward, with the token, and only to the given URL', async () => {
        const { folder, url, repository } = await cloned(undefined, 'private');
        await commitOne(folder, 'mine');
        for (const tokenFor of [undefined, 'https://example.org/other.git'])
          await expect(repositories.push(folder, { tokenFor })).rejects.toMatchObject({ status: 409 });
        const pushed = await repositories.push(folder, { tokenFor: url });
        const head = await runGit(folder, 'rev-parse', 'HEAD');
        expect(pushed).toEqual({ branch: 'main', commit: head });
        expect(await server.headOf(repository)).toBe(head);
        expect(await repositories.status(folder)).toMatchObject({ ahead: 0, behind: 0 });
      });

      it('never overwrites commits of the remote', async () => {
        const { folder, url, repository } = await cloned(undefined, 'private');
        const theirs = await server.commit(repository, { 'b.txt': 'theirs' });
        await commitOne(folder, 'mine');
        await expect(repositories.push(folder, { tokenFor: url })).rejects.toMatchObject({
          code: 'git_diverged',
        });
        expect(await server.headOf(repository)).toBe(theirs);
      });
    });

    async function commitOne(folder: string, text: string) {
      await write(folder, 'a.txt', text);
      await repositories.stage(folder, ['a.txt']);
      await repositories.commit(folder, { message: text, author: AUTHOR });
    }

    it("executes nothing from the clone's settings, attributes, and hooks", async () => {
      const { folder, url } = await cloned(
        {
          'a.txt': 'a\n',
          '.gitattributes': '* filter=evil diff=evil merge=evil\n',
        },
        'private',
      );
      const witness = join(await tempFolder(), 'ran');
      await makeHostile(folder, witness);
      await mkdir(join(folder, '.git/info'), { recursive: true });
      await write(folder, '.git/info/attributes', '* filter=evil diff=evil merge=evil\n');
      await write(folder, 'evil.config', `[core]\n\tfsmonitor = touch ${witness}\n`);
      await runGit(folder, '-c', 'core.fsmonitor=false', 'config', 'include.path', '../evil.config');
      await rm(witness, { force: true });
      await write(folder, 'a.txt', 'b\n');
      expect((await diffOf(folder, 'a.txt'))?.patch).toContain('+b\n');
      await repositories.stage(folder, ['a.txt']);
      expect((await diffOf(folder, 'a.txt', true))?.patch).toContain('+b\n');
      await repositories.commit(folder, { message: 'm', author: AUTHOR });
      await repositories.log(folder, { most: 5, skip: 0 });
      await repositories.branch(folder, { name: 'x', create: true });
      await repositories.branch(folder, { name: 'main', create: false });
      await write(folder, 'a.txt', 'c\n');
      await repositories.discard(folder, ['a.txt']);
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('b\n');
      await repositories.push(folder, { tokenFor: url });
      await expect(stat(witness)).rejects.toThrow(/ENOENT/);
    });

    it('does not run git in a nested repository, which would use the nested settings', async () => {
      const { folder } = await cloned();
      const witness = join(await tempFolder(), 'ran');
      const inner = join(folder, 'inner');
      await mkdir(inner);
      await runGit(inner, 'init', '--quiet');
      await runGit(inner, 'commit', '--allow-empty', '-m', 'inner');
      await runGit(folder, 'add', 'inner');
      await runGit(folder, 'commit', '-m', 'with a nested one');
      await runGit(inner, 'config', 'core.fsmonitor', `touch ${witness}; false`);
      await write(inner, 'x', 'x');
      await write(folder, 'a.txt', 'b');
      await repositories.stage(folder, ['a.txt']);
      for (const staged of [true, false]) await diffOf(folder, undefined, staged);
      await diffOf(folder, 'inner');
      await repositories.unstage(folder, ['a.txt']);
      await repositories.discard(folder, ['a.txt']);
      await repositories.branch(folder, { name: 'x', create: true });
      await expect(stat(witness)).rejects.toThrow(/ENOENT/);
    });

    it("doesn't write through links, and leaves other objects alone", async () => {
      const { folder } = await cloned();
      const outside = await tempFolder();
      await write(outside, 'x', 'SECRET');
      await symlink(outside, join(folder, 'dir'));
      await repositories.stage(folder, ['dir/x']).catch(() => {});
      expect(await runGit(folder, 'ls-files')).toBe('a.txt');
      await rm(join(folder, '.git/refs/heads'), { recursive: true });
      await symlink(outside, join(folder, '.git/refs/heads'));
      await write(folder, 'a.txt', 'b');
      await repositories.branch(folder, { name: 'evil', create: true }).catch(() => {});
      expect(await readdir(outside)).toEqual(['x']);
    });

    it("doesn't recognize a folder that isn't a clone", async () => {
      const folder = await tempFolder();
      const answers = [
        diffOf(folder, 'a'),
        repositories.log(folder, { most: 1, skip: 0 }),
        repositories.stage(folder, ['a']),
        repositories.unstage(folder, ['a']),
        repositories.discard(folder, ['a']),
        repositories.commit(folder, { message: 'm', author: AUTHOR }),
        repositories.branch(folder, { name: 'a', create: true }),
        repositories.push(folder, {}),
      ];
      expect(await Promise.all(answers)).toEqual(answers.map(() => undefined));
    });
  });
}
