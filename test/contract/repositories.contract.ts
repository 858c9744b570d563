import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HostRules } from '../../lib/adapters/outbound/public-host.ts';
import { writeWhole } from '../../lib/files/write.ts';
import type { Repositories } from '../../lib/ports/repositories.ts';
import { startConnectProxy } from '../support/fakes/connect-proxy.ts';
import { GIT_TOKEN, type GitServer, runGit, startGitServer, type Tree } from '../support/fakes/git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface RepositoriesSetup {
  /** Opens the adapter, by default with the token for the server's host, and allows any address. */
  open(server: GitServer, options?: OpenOptions): Repositories;
}
export interface OpenOptions extends HostRules {
  codeHost?: string;
  allowPrivate?: boolean;
  proxy?: { http: undefined; https: string; no: undefined };
}

export function settingsFor(server: GitServer, options: OpenOptions = {}) {
  const usual = { codeHost: server.host, allowPrivate: true };
  return { ...usual, ...options, token: async () => GIT_TOKEN, ca: server.ca, replaceFile: writeWhole };
}

/** The contract of lib/ports/repositories.ts, against Git's own server. */
export function describeRepositories(name: string, { open }: RepositoriesSetup): void {
  describe(`${name}: Repositories`, () => {
    let server: GitServer;
    let repositories: Repositories;
    let count = 0;
    beforeAll(async () => {
      server = await startGitServer();
      repositories = open(server);
    });

    async function cloned(files?: Tree, kind = 'public') {
      const repository = `${kind}/r${++count}`;
      const commit = await server.addRepository(repository, files);
      const url = `https://${server.host}/${repository}.git`;
      const folder = join(await tempFolder(), 'clone');
      await mkdir(folder);
      await repositories.clone(url, folder);
      return { repository, url, folder, commit };
    }
    const statusOf = async (folder: string) =>
      (await repositories.status(folder))?.modified.map(({ path, status }) => ({ path, status }));

    describe('clone', () => {
      it('writes the files, with their types', async () => {
        const { folder, commit } = await cloned({
          'README.md': '# Hello\n',
          'src/deep/run.sh': '+x #!/bin/sh\n',
          'link.md': '-> README.md',
          'ünï 文.txt': 'names',
        });
        expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('# Hello\n');
        expect((await stat(join(folder, 'src/deep/run.sh'))).mode & 0o100).toBe(0o100);
        expect(await readlink(join(folder, 'link.md'))).toBe('README.md');
        expect(await readFile(join(folder, 'ünï 文.txt'), 'utf8')).toBe('names');
        expect(await repositories.status(folder)).toEqual({
          branch: 'main',
          branches: ['main'],
          modified: [],
          hasUpstream: true,
          ahead: 0,
          behind: 0,
        });
        expect(await runGit(folder, 'rev-parse', 'HEAD')).toBe(commit);
        expect(await runGit(folder, 'status', '--porcelain')).toBe('');
      });

      it('opens a private repository with the token, and stores the token nowhere', async () => {
        const { folder } = await cloned({ 'a.txt': 'private' }, 'private');
        expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('private');
        expect(await everythingIn(folder)).not.toContain(GIT_TOKEN);
        expect(await everythingIn(folder)).not.toContain(
          Buffer.from(`x-access-token:${GIT_TOKEN}`).toString('base64'),
        );
        expect(await readFile(join(folder, '.git/config'), 'utf8')).not.toMatch(
          /token|authorization|extraheader/i,
        );
      });

      it('sends the token to no other host', async () => {
        const { repository } = await cloned();
        server.requests.length = 0;
        const folder = await tempFolder();
        await repositories.clone(`https://localhost:${server.port}/${repository}.git`, folder);
        expect(server.requests.length).toBeGreaterThan(1);
        expect(server.requests.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
        await expect(
          repositories.clone(`https://localhost:${server.port}/private/r1.git`, await tempFolder()),
        ).rejects.toThrow(/private/);
      });

      it('follows a redirect, without the token if it leads to another host', async () => {
        const { repository } = await cloned();
        const target = `https://localhost:${server.port}/${repository}.git`;
        server.redirects.set('/old/name/info/refs', `${target}/info/refs`);
        server.requests.length = 0;
        const folder = await tempFolder();
        expect(await repositories.clone(`https://${server.host}/old/name`, folder)).toBe(target);
        expect(await readdir(folder)).toContain('README.md');
        const elsewhere = server.requests.filter(({ host }) => host.startsWith('localhost'));
        expect(elsewhere.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
      });

      it('accepts an empty repository', async () => {
        const folder = await tempFolder();
        await server.addRepository('public/empty', null);
        await repositories.clone(`https://${server.host}/public/empty.git`, folder);
        await writeFile(join(folder, 'a.txt'), 'a');
        const modified = [{ path: 'a.txt', status: 'untracked', staged: false, unstaged: true }];
        expect(await repositories.status(folder)).toMatchObject({ modified, ahead: 0, behind: 0 });
        await expect(repositories.pull(folder)).rejects.toMatchObject({ status: 409 });
      });

      it.each([
        ['http://example.org/a/b', /HTTPS/],
        ['ssh://git@example.org/a/b', /HTTPS/],
        ['git@example.org:a/b', /valid URL|HTTPS/],
        ['file:///etc', /HTTPS/],
        ['--upload-pack=touch /tmp/x', /valid URL/],
        ['ext::sh -c id', /HTTPS/],
        ['https://user:secret@example.org/a/b', /user name or password/],
        ['https://example.org/a/b?x=1', /repository/],
        ['https://example.org/', /repository/],
      ])('rejects the URL %s', async (url, reason) => {
        await expect(repositories.clone(url, await tempFolder())).rejects.toMatchObject({
          status: 400,
          message: expect.stringMatching(reason),
        });
      });

      it.each([
        'https://127.0.0.1/a/b',
        'https://localhost/a/b',
        'https://[::1]/a/b',
        'https://10.1.2.3/a/b',
        'https://169.254.169.254/latest/meta-data',
        'https://0x7f.1/a/b',
        'https://[::ffff:127.0.0.1]/a/b',
        'https://intranet/a/b',
        'https://1.1.1.1:8443/a/b',
      ])('rejects the internal URL %s', async (url) => {
        const guarded = open(server, { allowPrivate: false, codeHost: 'github.com' });
        await expect(guarded.clone(url, await tempFolder())).rejects.toMatchObject({ status: 400 });
      });

      it('connects to the address that was checked, even if the name resolves differently by then', async () => {
        const { repository } = await cloned();
        const host = `git.example.org:${server.port}`;
        const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1']];
        const isPublic = (address: string) => address === '127.0.0.1';
        const resolve = async () => answers.shift() ?? [];
        const pinned = open(server, { allowPrivate: false, codeHost: host, resolve, isPublic });
        const folder = await tempFolder();
        server.requests.length = 0;
        await pinned.clone(`https://${host}/${repository}.git`, folder);
        expect(await readdir(folder)).toContain('README.md');
        expect(new Set(server.requests.map((request) => request.host))).toEqual(new Set([host]));
        expect(answers).toHaveLength(1); // the name was resolved once
        await expect(pinned.pull(folder)).rejects.toMatchObject({ status: 400 });
      });

      it('uses the proxy, which resolves names', async () => {
        const { repository } = await cloned();
        const proxy = await startConnectProxy(server.port);
        const host = `git.example.org:${server.port}`;
        const settings = { http: undefined, https: proxy.url, no: undefined };
        const resolve = async () => [];
        const proxied = open(server, { allowPrivate: false, codeHost: host, proxy: settings, resolve });
        const folder = await tempFolder();
        await proxied.clone(`https://${host}/${repository}.git`, folder);
        expect(await readdir(folder)).toContain('README.md');
        expect(proxy.asked.length).toBeGreaterThan(1);
        expect(new Set(proxy.asked)).toEqual(new Set([host]));
      });

      it('does not follow a redirect to a private address', async () => {
        server.redirects.set('/inside/info/refs', 'https://169.254.169.254/a/info/refs');
        const host = `git.example.org:${server.port}`;
        const resolve = async () => ['127.0.0.1'];
        const isPublic = (address: string) => address === '127.0.0.1';
        const pinned = open(server, { allowPrivate: false, codeHost: host, resolve, isPublic });
        const cloning = pinned.clone(`https://${host}/inside`, await tempFolder());
        await expect(cloning).rejects.toMatchObject({ status: 400 });
      });

      it('reports a missing repository', async () => {
        const folder = await tempFolder();
        const missing = `https://${server.host}/public/none.git`;
        await expect(repositories.clone(missing, folder)).rejects.toMatchObject({ status: 502 });
        expect(await readdir(folder)).toEqual([]);
      });

      it('executes nothing in a malicious repository, and follows no link in it', async () => {
        const outside = await tempFolder();
        await writeFile(join(outside, 'secret.txt'), 'SECRET');
        const { folder } = await cloned({
          '.gitattributes': '* filter=evil diff=evil merge=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n',
          '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = https://${server.host}/public/r1.git\n\tupdate = !touch ${outside}/ran\n`,
          '.lfsconfig': `[lfs]\n\turl = https://${server.host}/lfs\n`,
          'hooks/post-checkout': `+x #!/bin/sh\ntouch ${outside}/ran\n`,
          'a.bin': 'version https://git-lfs.github.com/spec/v1\n',
          out: `-> ${outside}`,
          up: '-> ../../..',
          'a.txt': 'a',
        });
        expect(await readFile(join(folder, 'a.bin'), 'utf8')).toContain('git-lfs');
        expect((await lstat(join(folder, 'out'))).isSymbolicLink()).toBe(true);
        expect(await readdir(outside)).toEqual(['secret.txt']);
        expect(await statusOf(folder)).toEqual([]);
      });

      it.each(['..', '.git', '.GIT'])('rejects a tree with a folder named %s', async (name) => {
        const { repository, url, folder } = await cloned();
        await server.commitTree(repository, name);
        const place = join(await tempFolder(), 'clone');
        await mkdir(place);
        await expect(repositories.clone(url, place)).rejects.toMatchObject({ status: 502 });
        await expect(repositories.pull(folder)).rejects.toMatchObject({ status: 502 });
        for (const around of [dirname(place), dirname(folder)])
          expect(await readdir(around)).toEqual(['clone']);
        for (const clone of [place, folder])
          expect(await readdir(join(clone, '.git')).catch(() => [])).not.toContain('evil');
      });

      it('stops when its signal is aborted', async () => {
        const { url } = await cloned();
        server.stall = true;
        try {
          const signal = AbortSignal.timeout(300);
          const started = Date.now();
          await expect(repositories.clone(url, await tempFolder(), { signal })).rejects.toThrow(/timeout/);
          expect(Date.now() - started).toBeLessThan(30_000);
        } finally {
          server.stall = false;
        }
      });
    });

    describe('status', () => {
      it("recognizes a folder that isn't a clone", async () => {
        const folder = await tempFolder();
        expect(await repositories.status(folder)).toBeUndefined();
        await mkdir(join(folder, '.git'));
        expect(await repositories.status(folder)).toBeUndefined();
      });

      it('lists each changed file with its type of change', async () => {
        const { folder } = await cloned({
          'a.txt': 'a',
          'b.txt': 'b',
          'c/d.txt': 'd',
          '.gitignore': 'ignored\n*.log\n',
        });
        await writeFile(join(folder, 'a.txt'), 'changed');
        await rm(join(folder, 'b.txt'));
        await mkdir(join(folder, 'new/deep'), { recursive: true });
        await writeFile(join(folder, 'new/deep/ü "x".txt'), 'new');
        await writeFile(join(folder, 'ignored'), 'x');
        await writeFile(join(folder, 'c/x.log'), 'x');
        await writeFile(join(folder, 'staged.txt'), 'x');
        await runGit(folder, 'add', 'staged.txt');
        expect(await statusOf(folder)).toEqual([
          { path: 'a.txt', status: 'modified' },
          { path: 'b.txt', status: 'deleted' },
          { path: 'new/deep/ü "x".txt', status: 'untracked' },
          { path: 'staged.txt', status: 'added' },
        ]);
      });

      it('counts the local commits', async () => {
        const { folder } = await cloned();
        await writeFile(join(folder, 'mine.txt'), 'x');
        await runGit(folder, 'add', '.');
        await runGit(folder, 'commit', '-m', 'mine');
        expect(await repositories.status(folder)).toEqual({
          branch: 'main',
          branches: ['main'],
          modified: [],
          hasUpstream: true,
          ahead: 1,
          behind: 0,
        });
        await runGit(folder, 'checkout', '--quiet', '--detach');
        expect(await repositories.status(folder)).toMatchObject({ branch: null, ahead: 0 });
        await runGit(folder, 'checkout', '--quiet', '-b', 'feature/x');
        expect(await repositories.status(folder)).toMatchObject({ branch: 'feature/x', hasUpstream: false });
      });

      it('reads packed refs', async () => {
        const { folder } = await cloned();
        await runGit(folder, 'pack-refs', '--all');
        expect(await repositories.status(folder)).toEqual({
          branch: 'main',
          branches: ['main'],
          modified: [],
          hasUpstream: true,
          ahead: 0,
          behind: 0,
        });
      });

      it("executes nothing from the clone's own settings", async () => {
        const { folder, repository } = await cloned({
          'a.txt': 'a',
          '.gitattributes': '* filter=evil diff=evil\n',
        });
        const witness = join(await tempFolder(), 'ran');
        await makeHostile(folder, witness);
        await writeFile(join(folder, 'a.txt'), 'other');
        expect(await statusOf(folder)).toEqual([{ path: 'a.txt', status: 'modified' }]);
        await writeFile(join(folder, 'a.txt'), 'a');
        await server.commit(repository, { 'b.txt': 'b' });
        expect(await repositories.pull(folder)).toMatchObject({ changedFiles: 1 });
        expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('b');
        await expect(stat(witness)).rejects.toThrow(/ENOENT/);
      });

      it.each(['link', 'file', 'objects', 'alternates', 'commondir'])(
        'ignores a .git that may lead elsewhere: %s',
        async (kind) => {
          const [{ folder }, other] = [await cloned(), await cloned({ 'other.txt': 'SECRET' })];
          await leadElsewhere(kind, folder, other.folder);
          expect(await repositories.status(folder)).toBeUndefined();
          expect(await repositories.pull(folder)).toBeUndefined();
        },
      );
    });

    describe('pull', () => {
      it('fast-forwards the branch and the files', async () => {
        const { folder, repository, commit } = await cloned({
          'a.txt': 'a',
          'gone/deep.txt': 'x',
          file: 'becomes a folder',
          'dir/x': 'becomes a file',
          'run.sh': 'x',
          'ab.txt': 'mine',
        });
        await writeFile(join(folder, 'ab.txt'), 'changed by me');
        await writeFile(join(folder, 'untracked.txt'), 'mine');
        const to = await server.commit(repository, {
          'a.txt': 'b',
          'gone/deep.txt': null,
          file: null,
          'file/inner': 'y',
          'dir/x': null,
          dir: 'now a file',
          'run.sh': '+x x',
          'new/link': '-> ../a.txt',
        });
        const pulled = await repositories.pull(folder);
        expect(pulled).toEqual({ branch: 'main', from: commit, to, changedFiles: 8 });
        expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('b');
        expect(await readFile(join(folder, 'file/inner'), 'utf8')).toBe('y');
        expect(await readFile(join(folder, 'dir'), 'utf8')).toBe('now a file');
        expect((await stat(join(folder, 'run.sh'))).mode & 0o100).toBe(0o100);
        expect(await readdir(folder)).not.toContain('gone');
        expect(await statusOf(folder)).toEqual([
          { path: 'ab.txt', status: 'modified' },
          { path: 'untracked.txt', status: 'untracked' },
        ]);
        expect(await runGit(folder, 'rev-parse', 'HEAD', 'origin/main')).toBe(`${to}\n${to}`);
        expect(await runGit(folder, 'status', '--porcelain')).toBe('M ab.txt\n?? untracked.txt');
        expect(await runGit(folder, 'fsck')).toBe('');
        const again = await repositories.pull(folder);
        expect(again).toEqual({ branch: 'main', from: to, to, changedFiles: 0 });
      });

      it('pulls a private repository, and stores the token nowhere', async () => {
        const { folder, repository, url } = await cloned({ 'a.txt': 'a' }, 'private');
        await server.commit(repository, { 'a.txt': 'b' });
        expect(await repositories.pull(folder, { tokenFor: url })).toMatchObject({ changedFiles: 1 });
        expect(await everythingIn(folder)).not.toContain(GIT_TOKEN);
      });

      it.each([
        ['none is named', () => undefined],
        ['another is named', (url: string) => url.replace('/private/', '/private/not-')],
      ])('sends no token if %s', async (_which, tokenFor) => {
        const { folder, repository, url } = await cloned({ 'a.txt': 'a' }, 'private');
        await server.commit(repository, { 'a.txt': 'b' });
        server.requests.length = 0;
        const pulling = repositories.pull(folder, { tokenFor: tokenFor(url) });
        await expect(pulling).rejects.toMatchObject({ status: 502, message: /private/ });
        expect(server.requests.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
      });

      it('sends the token after a redirect by the code host itself, but not by another host', async () => {
        const { folder, repository, url } = await cloned({ 'a.txt': 'a' }, 'private');
        const before = `/before/${repository}`;
        server.redirects.set(`${before}/info/refs`, `${url}/info/refs`);
        for (const [host, outcome] of [
          [server.host, { changedFiles: 0 }],
          [`localhost:${server.port}`, { status: 502 }],
        ] as const) {
          await runGit(folder, 'config', 'remote.origin.url', `https://${host}${before}`);
          const tokenFor = `https://${host}${before}`;
          const pulled = await repositories.pull(folder, { tokenFor }).catch((error: unknown) => error);
          expect(pulled).toMatchObject(outcome);
        }
      });

      it('does nothing if only the local branch has new commits', async () => {
        const { folder } = await cloned();
        await runGit(folder, 'commit', '--allow-empty', '-m', 'mine');
        expect(await repositories.pull(folder)).toMatchObject({ changedFiles: 0 });
        expect(await repositories.status(folder)).toMatchObject({ ahead: 1 });
      });

      it.each([
        ['a changed file', async (folder: string) => writeFile(join(folder, 'a.txt'), 'mine')],
        [
          'a conflicting untracked file',
          async (folder: string) => writeFile(join(folder, 'new.txt'), 'mine'),
        ],
        [
          'a conflicting ignored file',
          async (folder: string) => {
            await ignore(folder, 'new.txt');
            await writeFile(join(folder, 'new.txt'), 'mine');
          },
        ],
        [
          'an ignored file in place of a folder',
          async (folder: string) => {
            await ignore(folder, 'deep');
            await writeFile(join(folder, 'deep'), 'mine');
          },
        ],
        [
          'an untracked file in place of a folder',
          async (folder: string) => writeFile(join(folder, 'deep'), 'mine'),
        ],
      ])('returns 409 and changes nothing: %s', async (_what, disturb) => {
        const { folder, repository, commit } = await cloned({ 'a.txt': 'a', 'b.txt': 'b' });
        await server.commit(repository, {
          'a.txt': 'theirs',
          'b.txt': 'theirs',
          'new.txt': 'theirs',
          'deep/x': 'x',
        });
        await disturb(folder);
        const before = await statusOf(folder);
        await expect(repositories.pull(folder)).rejects.toMatchObject({
          status: 409,
          message: /local changes/,
        });
        expect(await statusOf(folder)).toEqual(before);
        expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('b');
        expect(await runGit(folder, 'rev-parse', 'HEAD')).toBe(commit);
      });

      it('restores a removed file that has changed remotely', async () => {
        const { folder, repository } = await cloned({ 'a.txt': 'a', 'b.txt': 'b' });
        await server.commit(repository, { 'a.txt': 'theirs' });
        await rm(join(folder, 'a.txt'));
        await rm(join(folder, 'b.txt'));
        await repositories.pull(folder);
        expect(await statusOf(folder)).toEqual([{ path: 'b.txt', status: 'deleted' }]);
      });

      it('returns 409 for branches that have diverged or were rewritten', async () => {
        const { folder, repository } = await cloned();
        await server.commit(repository, { 'README.md': 'rewritten' }, { force: true });
        await expect(repositories.pull(folder)).rejects.toMatchObject({ status: 409, message: /diverged/ });
        await runGit(folder, 'checkout', '--quiet', '--detach');
        await expect(repositories.pull(folder)).rejects.toMatchObject({ status: 409, message: /branch/ });
      });

      it('does not write through a link in a path', async () => {
        const { folder, repository } = await cloned({ 'a.txt': 'a' });
        const outside = await tempFolder();
        await symlink(outside, join(folder, 'dir'));
        await writeFile(join(folder, '.git/info/exclude'), 'dir\n').catch(() => {});
        await server.commit(repository, { 'dir/evil.txt': 'x' });
        await repositories.pull(folder).catch(() => {});
        expect(await readdir(outside)).toEqual([]);
      });

      it.each([
        ['a private address', 'https://127.0.0.1:1/a/b'],
        ['another protocol', 'ext::sh -c "touch /tmp/wrs-ran"'],
        ['a file', 'file:///etc'],
      ])("is not directed by the clone's settings to %s", async (_what, url) => {
        const { folder } = await cloned();
        await runGit(folder, 'config', 'remote.origin.url', url);
        const guarded = open(server, { allowPrivate: false, codeHost: 'github.com' });
        await expect(guarded.pull(folder)).rejects.toMatchObject({ status: 400 });
      });

      it("is not redirected by insteadOf, proxies, or headers of the clone's settings", async () => {
        const { folder, repository, url } = await cloned();
        await runGit(folder, 'config', 'url.https://127.0.0.1:1/.insteadOf', url.slice(0, -3));
        await runGit(folder, 'config', 'http.proxy', 'http://127.0.0.1:1');
        await runGit(folder, 'config', 'http.sslVerify', 'false');
        await runGit(folder, 'config', 'include.path', '/etc/passwd');
        await server.commit(repository, { 'a.txt': 'b' });
        expect(await repositories.pull(folder)).toMatchObject({ changedFiles: 1 });
      });
    });
  });
}

/** Returns all bytes of all files, including Git's own. */
async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}

/** Ignores a path in this clone only. */
export async function ignore(folder: string, pattern: string): Promise<void> {
  await mkdir(join(folder, '.git/info'), { recursive: true });
  await writeFile(join(folder, '.git/info/exclude'), `${pattern}\n`);
}

/** Adds every setting that makes Git execute a program, and the hooks. */
export async function makeHostile(folder: string, witness: string): Promise<void> {
  const run = `touch ${witness}; cat`;
  for (const name of [
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.external',
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
    'core.askPass',
    'credential.helper',
    'gpg.program',
    'core.editor',
    'sequence.editor',
    'merge.evil.driver',
    'alias.commit-tree',
    'alias.update-index',
    'commit.template',
    'core.alternateRefsCommand',
    'uploadpack.packObjectsHook',
  ])
    await runGit(folder, 'config', name, run);
  await runGit(folder, 'config', 'commit.gpgSign', 'true');
  await runGit(folder, 'config', 'push.gpgSign', 'true');
  await runGit(folder, 'config', 'core.hooksPath', join(folder, '.git/hooks'));
  await runGit(folder, 'config', 'core.worktree', '/');
  await mkdir(join(folder, '.git/hooks'), { recursive: true });
  for (const hook of [
    'post-checkout',
    'post-merge',
    'post-index-change',
    'reference-transaction',
    'fsmonitor-watchman',
    'pre-auto-gc',
    'pre-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'pre-push',
  ]) {
    await writeFile(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${witness}\n`);
    await chmod(join(folder, '.git/hooks', hook), 0o755);
  }
}

async function leadElsewhere(kind: string, folder: string, other: string): Promise<void> {
  const git = join(folder, '.git');
  if (kind === 'alternates') {
    await mkdir(join(git, 'objects/info'), { recursive: true });
    return writeFile(join(git, 'objects/info/alternates'), join(other, '.git/objects'));
  }
  if (kind === 'commondir') return writeFile(join(git, 'commondir'), join(other, '.git'));
  const place = kind === 'objects' ? join(git, 'objects') : git;
  await rm(place, { recursive: true });
  if (kind === 'file') return writeFile(git, `gitdir: ${other}/.git\n`);
  return symlink(kind === 'objects' ? join(other, '.git/objects') : join(other, '.git'), place);
}
