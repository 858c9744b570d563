import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from '@jest/globals';
import { lambdaCommands } from '../../../lib/adapters/lambda/commands.ts';
import { noteCommand, resultKey } from '../../../lib/adapters/lambda/unfinished-commands.ts';
import type { CommandResult } from '../../../lib/ports/commands.ts';
import { startBroughtCommands } from '../../support/brought-commands.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const limits = { timeoutMs: 15_000, maxOutputBytes: 1024 * 1024 };

async function start(files: Record<string, string> = {}) {
  const root = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const started = await startBroughtCommands();
  const run = (script: string, more = {}) =>
    started.commands.run({ script, workspaceId: 'one', cwd: root, writable: [root], ...limits, ...more });
  const read = (path: string) => readFile(join(root, path), 'utf8');
  return { ...started, root, run, read };
}

describe('workspace copy in the command sandbox', () => {
  it('contains files, folders, empty folders, hidden files, links, and executable bits', async () => {
    const { root, run } = await start({ 'a.txt': 'a', '.git/HEAD': 'ref', 'deep/down/b.sh': 'echo ran' });
    await mkdir(join(root, 'empty'));
    await symlink('deep/down', join(root, 'link'));
    await chmod(join(root, 'deep/down/b.sh'), 0o750);
    await utimes(join(root, 'a.txt'), 1_000_000, 1_000_000);
    const { stdout, stderr } = await run(
      'find . | sort; cat link/b.sh; readlink link; ./deep/down/b.sh; stat -c %Y a.txt; test -x a.txt || echo not',
    );
    const found = ['.', './.git', './.git/HEAD', './a.txt', './deep', './deep/down', './deep/down/b.sh'];
    expect(stdout.split('\n')).toEqual([
      ...found,
      './empty',
      './link',
      'echo randeep/down',
      'ran',
      '1000000',
      'not',
      '',
    ]);
    expect(stderr).toBe('');
  });

  it('is transferred once, and the second command gets only the changes', async () => {
    const { root, run, store, lambda } = await start({ 'a.txt': 'a'.repeat(2_000_000), 'b.txt': 'b' });
    await run('true');
    expect(store.use.bytes).toBeGreaterThan(2_000_000);
    store.forget();
    expect((await run('wc -c < a.txt')).stdout.trim()).toBe('2000000');
    expect(store.use).toEqual({ requests: 0, bytes: 0 });
    await writeFile(join(root, 'b.txt'), 'c');
    expect((await run('cat b.txt')).stdout).toBe('c');
    expect(store.use).toEqual({ requests: 0, bytes: 0 });
    expect(lambda.payloads).toHaveLength(2 + 1 + 2);
  });

  it('reflects the current files, not those of the previous command', async () => {
    const { root, run } = await start({ 'gone.txt': '', 'folder/x.txt': '', 'was-file': '', 'was-link': '' });
    await run('true');
    await rm(join(root, 'gone.txt'));
    await rename(join(root, 'folder'), join(root, 'renamed'));
    await rm(join(root, 'was-file'));
    await mkdir(join(root, 'was-file'));
    await rm(join(root, 'was-link'));
    await symlink('renamed', join(root, 'was-link'));
    const { stdout } = await run('find . | sort');
    expect(stdout.split('\n')).toEqual(['.', './renamed', './renamed/x.txt', './was-file', './was-link', '']);
  });

  it('omits a file that is too large, reports it, and leaves the original unchanged', async () => {
    const { root, run } = await start({ 'small.txt': 'owl' });
    await writeFile(join(root, 'large.bin'), '');
    await truncate(join(root, 'large.bin'), 20 * 1024 ** 3);
    const { stdout, stderr } = await run('ls; grep -r owl .; echo mine > large.bin');
    expect(stdout).toBe('small.txt\n./small.txt:owl\n');
    expect(stderr).toContain('Not available to commands: large.bin (20480 MB)\n');
    expect(stderr).toContain(
      'Not saved to the workspace: large.bin (was changed by someone else in the meantime)\n',
    );
    expect((await stat(join(root, 'large.bin'))).size).toBe(20 * 1024 ** 3);
  });

  it('contains linked datasets, and never writes back to them', async () => {
    const dataset = await tempFolder();
    await writeFile(join(dataset, 'rows.csv'), 'a,b\n');
    const { root, run } = await start({ 'datasets/own.txt': 'own' });
    const mounts = [{ source: dataset, target: join(root, 'datasets/birds') }];
    const script =
      'cat datasets/birds/rows.csv datasets/own.txt; echo x > datasets/birds/rows.csv; echo y > datasets/birds/new';
    expect((await run(script, { mounts })).stdout).toBe('a,b\nown');
    expect(await readFile(join(dataset, 'rows.csv'), 'utf8')).toBe('a,b\n');
    expect(await readdir(join(root, 'datasets'))).toEqual(['own.txt']);
    const again = await run('ls datasets/birds; cat datasets/birds/rows.csv', { mounts });
    expect(again).toMatchObject({ stdout: 'rows.csv\na,b\n', stderr: '' });
  });
});

describe('change by a command', () => {
  it('is applied to the workspace: writes, creations, removals, renames, links, and executable bits', async () => {
    const files = {
      'a.txt': 'a',
      'old/x.txt': 'x',
      'old/y.txt': 'y',
      'gone.txt': '',
      run: 'echo',
      'kind/z': '',
    };
    const { root, run, read, store, notesFolder } = await start(files);
    const { stderr } = await run(
      `echo b >> a.txt; mkdir -p new/empty; echo n > new/n.txt; mv old moved; rm gone.txt; chmod +x run
       ln -s ../a.txt new/link; touch -d @1000000 new/n.txt; rm -r kind; echo file > kind`,
    );
    expect(stderr).toBe('');
    expect(await read('a.txt')).toBe('ab\n');
    expect((await readdir(root, { recursive: true })).sort()).toEqual([
      'a.txt',
      'kind',
      'moved',
      'moved/x.txt',
      'moved/y.txt',
      'new',
      'new/empty',
      'new/link',
      'new/n.txt',
      'run',
    ]);
    expect(await readlink(join(root, 'new/link'))).toBe('../a.txt');
    expect((await stat(join(root, 'new/n.txt'))).mtimeMs).toBe(1_000_000_000);
    expect((await stat(join(root, 'run'))).mode & 0o111).not.toBe(0);
    expect(await read('kind')).toBe('file\n');
    expect(await readdir(notesFolder)).toEqual([]);
    expect(store.held.size).toBe(0);
  });

  it('is not transferred again to the same environment', async () => {
    const { run, lambda } = await start({ 'a.txt': 'a' });
    await run('for n in $(seq 50); do echo $n > $n.txt; done; echo b > a.txt');
    const calls = lambda.payloads.length;
    expect((await run('cat a.txt; ls | wc -l')).stdout).toMatch(/^b\n\s*51\n$/);
    expect(lambda.payloads).toHaveLength(calls + 1);
  });

  it('costs nothing if contents and modification time are equal', async () => {
    const { run, root, store } = await start({ 'a.txt': 'a' });
    const before = await stat(join(root, 'a.txt'));
    await run('cp -p a.txt b; cat b > a.txt; touch -r b a.txt; rm b; mkfifo pipe; rm pipe');
    expect((await stat(join(root, 'a.txt'))).ino).toBe(before.ino);
    expect(store.use.requests).toBe(0);
  });

  it('is dropped and reported if the same file changed concurrently', async () => {
    const { run, root, read, mirrors } = await start({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    const script =
      'echo mine > a.txt; rm b.txt; echo mine > c.txt; echo new > n.txt; until test -e go; do sleep 0.05; done; rm go';
    const running = run(script);
    await eventually(
      () => readdir(mirrors[0] ?? '/none').catch((): string[] => []),
      (names) => names.includes('n.txt'),
    );
    await writeFile(join(root, 'a.txt'), 'theirs');
    await writeFile(join(root, 'b.txt'), 'theirs');
    await writeFile(join(root, 'n.txt'), 'theirs');
    await writeFile(join(mirrors[0] ?? '', 'go'), '');
    const { stderr } = await running;
    const theirs = ['a.txt', 'n.txt'].map((name) => `${name} (was changed by someone else in the meantime)`);
    const kept = 'b.txt (not removed, because some of the new files could not be saved)';
    expect(stderr).toBe(`Not saved to the workspace: ${[...theirs, kept].join(', ')}\n`);
    expect([await read('a.txt'), await read('b.txt'), await read('c.txt'), await read('n.txt')]).toEqual([
      'theirs',
      'theirs',
      'mine\n',
      'theirs',
    ]);
    expect((await run('cat a.txt b.txt c.txt n.txt')).stdout).toBe('theirstheirsmine\ntheirs');
  });

  it.each([
    ['is too large', 'cat a.txt > packed; truncate -s 65M packed; rm a.txt'],
    ['has an unknown name', `mv a.txt "$(printf '\\377')"`],
    ['has a forbidden name', 'mv a.txt "$(printf \'b\\nc\')"'],
    ['is in a linked dataset', 'mv a.txt datasets/birds/a.txt'],
  ])('removes nothing if the possible new name %s', async (_what, script) => {
    const { run, root, read } = await start({ 'a.txt': 'a', 'other.txt': '' });
    const mounts = [{ source: await tempFolder(), target: join(root, 'datasets/birds') }];
    const { stderr } = await run(script, { mounts });
    expect(stderr).toContain('a.txt (not removed');
    expect(await read('a.txt')).toBe('a');
    // The mount ends with this command.
    expect((await run('cat a.txt; rm other.txt', { mounts })).stdout).toBe('a');
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  it('is recorded while other commands end and remove the empty folder of the records', async () => {
    const folder = join(await tempFolder(), 'one');
    const note = async () => {
      for (let round = 0; round < 40; round++)
        await (await noteCommand(folder, { root: '/x', readOnly: [] })).end();
    };
    await Promise.all(Array.from({ length: 8 }, note));
    expect(await readdir(join(folder, '..'))).toEqual([]);
  });

  it('can have a modification time outside the range of valid dates', async () => {
    const { run, root } = await start();
    expect((await run('touch -d 1950-01-01 old; touch -d 2200-01-01 new; touch rest')).stderr).toBe('');
    expect((await readdir(root)).sort()).toEqual(['new', 'old', 'rest']);
  });

  it('is kept from each of two concurrent commands that change different files', async () => {
    const { run, root } = await start({ 'a.txt': 'a' });
    const all = Array.from({ length: 5 }, (_, index) =>
      run(`sleep 0.2; mkdir -p shared; echo ${index} > shared/${index}`),
    );
    for (const { stderr } of await Promise.all(all)) expect(stderr).toBe('');
    expect((await readdir(join(root, 'shared'))).sort()).toEqual(['0', '1', '2', '3', '4']);
  });

  it('is applied by the next command if its own command was stopped or its caller was killed', async () => {
    const { run, read, root, mirrors, store, notesFolder } = await start({ 'a.txt': 'a' });
    const stop = new AbortController();
    const stopped = run('echo half > a.txt; echo half > n.txt; sleep 60', { signal: stop.signal });
    const refused = expect(stopped).rejects.toThrow('stopped');
    await eventually(
      () => readFile(join(mirrors[0] ?? '/none', 'n.txt'), 'utf8').catch(() => ''),
      (text) => text === 'half\n', // the shell creates the file before it writes
    );
    stop.abort(new Error('stopped'));
    await refused;
    expect(await read('a.txt')).toBe('a');
    await eventually(
      async () => [...store.held.keys()],
      (keys) => keys.some((key) => key.endsWith('/result')),
    );
    // Half of the changes were applied when the next caller was killed, so existing files count as applied.
    await writeFile(join(root, 'n.txt'), 'half\n');
    const { stdout, stderr, changed } = await run('cat a.txt n.txt');
    expect(changed?.toSorted()).toEqual(['a.txt', 'n.txt']);
    expect([stdout, stderr]).toEqual([
      'half\nhalf\n',
      'The changes of an earlier command were saved only now\n',
    ]);
    expect(await readdir(notesFolder)).toEqual([]);
    expect((await run('true')).stderr).toBe('');
  });

  it('is applied by the next command if the bucket does not list it yet', async () => {
    const { run, read, store } = await start();
    const { get, isDeleted } = store.objects;
    Object.assign(store.objects, { get: async () => undefined, isDeleted: async () => false });
    expect((await run('echo late > a.txt')).stderr).toContain('are not saved yet');
    Object.assign(store.objects, { get, isDeleted });
    const { stdout, stderr } = await run('cat a.txt');
    expect([stdout, stderr]).toEqual(['late\n', 'The changes of an earlier command were saved only now\n']);
    expect(await read('a.txt')).toBe('late\n');
  });

  it('is reported for special files, large files, and forbidden names', async () => {
    const { run, root } = await start();
    const { stderr } = await run(
      `mkfifo pipe; truncate -s 65M large; printf x > "$(printf 'new\\nline')"; printf x > 'back\\slash'
       printf x > .wrs-01234567-0123-0123-0123-0123456789ab.tmp; ln -s /etc/passwd absolute; ln -s ../.. up; ln -s a/../../.. bent; echo fine > fine`,
    );
    for (const named of [
      'pipe (is not a file',
      'large (over 64 MB)',
      'new\\nline (',
      'back\\\\slash (',
      '.tmp (',
      'absolute (is a link',
      'up (is a link',
      'bent (is a link',
    ])
      expect(stderr).toContain(named);
    expect(await readdir(root)).toEqual(['fine']);
  });

  it('gets no setuid bit, and is readable by its owner', async () => {
    const { run, root } = await start({ 'a.sh': 'x' });
    await run('chmod 6777 a.sh; echo y > b; chmod 000 b; mkdir c; echo z > c/z; chmod 000 c');
    expect((await stat(join(root, 'a.sh'))).mode & 0o7777).toBe(0o755);
    expect((await stat(join(root, 'b'))).mode & 0o7777).toBe(0o644);
    expect((await stat(join(root, 'c/z'))).isFile()).toBe(true);
  });

  it('never follows a link that replaced a folder', async () => {
    const outside = await tempFolder();
    await writeFile(join(outside, 'x.txt'), 'theirs');
    const { run, root, mirrors } = await start({ 'folder/x.txt': 'x', 'other/y.txt': 'y' });
    const running = run(
      'echo mine > folder/x.txt; rm other/y.txt; touch begun; until test -e go; do sleep 0.05; done',
    );
    await eventually(
      () => readdir(mirrors[0] ?? '/none').catch((): string[] => []),
      (names) => names.includes('begun'),
    );
    await rm(join(root, 'folder'), { recursive: true });
    await symlink(outside, join(root, 'folder'));
    await rename(join(root, 'other'), join(root, 'moved'));
    await symlink('moved', join(root, 'other'));
    await writeFile(join(mirrors[0] ?? '', 'go'), '');
    const { stderr } = await running;
    expect(stderr).toContain('folder/x.txt (');
    expect(await readFile(join(outside, 'x.txt'), 'utf8')).toBe('theirs');
    expect(await readFile(join(root, 'moved/y.txt'), 'utf8')).toBe('y');
    expect((await lstat(join(root, 'folder'))).isSymbolicLink()).toBe(true);
  });

  it('is applied by a command that removed or replaced its own folder', async () => {
    const { run, root } = await start({ 'a.txt': 'a', 'b/c.txt': 'c' });
    await run('rm -rf "$PWD"; ln -s /etc "$PWD"');
    expect(await readdir(root)).toEqual([]);
    expect((await run('ls -A; echo again > again')).stdout).toBe('');
    expect(await readdir(root)).toEqual(['again']);
  });
});

describe('forged result of a command', () => {
  const evil = (head: object, bytes = Buffer.alloc(0)) => ({ head, bytes });

  async function applied(
    parts: { head: object; bytes: Buffer }[],
    { end = true, readOnly = [] as string[] } = {},
  ) {
    const { frameOf, PACK_END } = await import('../../../lib/adapters/lambda/pack.ts');
    const { run, root, store, notesFolder } = await start({ 'a.txt': 'a' });
    const note = await noteCommand(join(notesFolder, 'one'), { root, readOnly });
    const frames = parts.map(({ head, bytes }) => frameOf(head, bytes));
    store.held.set(resultKey('one', note.id), Buffer.concat([...frames, ...(end ? [PACK_END] : [])]));
    return { ...(await run('true')), root };
  }

  const file = (path: string) =>
    evil(
      { kind: 'file', path, base: null, hash: HASH_OF_X, executable: false, mtimeMs: 0 },
      Buffer.from('x'),
    );
  const HASH_OF_X = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

  it.each([
    ['../planted'],
    ['/tmp/planted'],
    ['a/../../planted'],
    ['..'],
    [''],
    ['.'],
    ['a\0b'],
    [`${'x/'.repeat(200)}y`],
    ['x'.repeat(300)],
    ['broken \ud800'],
  ])('creates nothing at %j', async (path) => {
    const { root, stderr } = await applied([file(path), file('fine')]);
    expect(await readdir(root)).toEqual(['a.txt', 'fine']);
    expect(await readdir(join(root, '..'))).not.toContain('planted');
    expect(stderr).toContain('Not saved to the workspace, from the earlier command: ');
  });

  it.each([['./data/x'], ['data//x'], ['.//data/./x']])(
    'creates nothing in a linked dataset at %j, and reports the normalized path',
    async (path) => {
      const forged = [file(path), file('./sub//fine'), evil({ kind: 'folder', path: 'new/' })];
      const { root, stderr, changed } = await applied(forged, { readOnly: ['data'] });
      expect((await readdir(root)).sort()).toEqual(['a.txt', 'new', 'sub']);
      expect(stderr).toContain('data/x (is in a linked dataset, which is read-only)');
      expect(changed).toEqual(['sub/fine', 'new']);
    },
  );

  it('is applied up to the first damage, which is reported', async () => {
    const cut = await applied([file('fine')], { end: false });
    expect(cut.stderr).toContain('everything else (the data that came back is damaged: it is incomplete)');
    expect(await readdir(cut.root)).toEqual(['a.txt', 'fine']);
    const strange = await applied([evil({ kind: 'mount', path: 'x' }), file('fine')]);
    expect(strange.stderr).toContain('is damaged: a change has no known kind');
    const damaged = await applied([{ ...file('a'), bytes: Buffer.from('y') }]);
    expect(damaged.stderr).toContain('a (was damaged on the way back)');
    expect(await readdir(damaged.root)).toEqual(['a.txt']);
  });

  it('removes no unknown file and no folder that is not empty', async () => {
    const { root } = await applied([
      evil({ kind: 'removed', path: 'a.txt', base: '1:1:1:1' }),
      evil({ kind: 'removedFolder', path: '.' }),
    ]);
    expect(await readdir(root)).toEqual(['a.txt']);
  });
});

describe('changes that a command reports', () => {
  /** Files by path, with the fields of stat that distinguish versions. */
  async function statesIn(root: string): Promise<Map<string, string>> {
    const names = await readdir(root, { recursive: true });
    const states = names.map(async (name) => {
      const { ino, size, mtimeMs, ctimeMs, mode } = await lstat(join(root, name));
      const isFolder = (mode & 0o170000) === 0o040000;
      return [name, isFolder ? 'folder' : [ino, size, mtimeMs, ctimeMs, mode].join(':')] as const;
    });
    return new Map(await Promise.all(states));
  }

  it.each([
    ['nothing', 'cat a.txt', []],
    ['a file', 'echo b >> a.txt', ['a.txt']],
    ['a modification time', 'touch -d @1000 a.txt', ['a.txt']],
    ['a new folder, with its contents', 'mkdir -p new/deep; echo n > new/deep/n; echo m > new/m', ['new']],
    ['the old and the new path of a move', 'mv deep/down/b.sh moved.sh', ['deep/down/b.sh', 'moved.sh']],
    ['a moved folder, with its contents', 'mv deep new', ['deep', 'new']],
    ['a removed folder, with its contents', 'rm -r deep', ['deep']],
    ['a folder that replaced a file', 'rm a.txt; mkdir a.txt; echo x > a.txt/x', ['a.txt']],
    ['a file that replaced a folder', 'rm -r deep; echo x > deep', ['deep']],
    ['a link', 'ln -s deep link', ['link']],
  ])('are %s', async (_what, script, expected) => {
    const { root, run } = await start({ 'a.txt': 'a', 'b.txt': 'b', 'deep/down/b.sh': 'echo', 'deep/c': '' });
    const before = await statesIn(root);
    const { changed = [] } = await run(script);
    expect(changed.toSorted()).toEqual(expected);
    const after = await statesIn(root);
    const differing = [...before, ...after].filter(([path]) => before.get(path) !== after.get(path));
    const isReported = (path: string) => changed.some((one) => `${path}/`.startsWith(`${one}/`));
    expect(differing.map(([path]) => path).filter((path) => !isReported(path))).toEqual([]);
  });

  it('are unknown if another command applied them before the response', async () => {
    const { root, run, read, ports, store } = await start({ 'a.txt': 'a' });
    let other: CommandResult | undefined;
    const send: LambdaClient['send'] = async (call: InvokeCommand) => {
      const answer = await ports.client.send(call);
      if ([...store.held.keys()].some((key) => key.endsWith('/result'))) other ??= await run('true');
      return answer;
    };
    const { run: runLate } = lambdaCommands({ ...ports, client: { send } as LambdaClient });
    const command = { workspaceId: 'one', cwd: root, writable: [root], ...limits };
    const late = await runLate({ ...command, script: 'echo b > a.txt' });
    expect(await read('a.txt')).toBe('b\n');
    expect([other?.changed, late.changed]).toEqual([['a.txt'], undefined]);
  });

  it("exclude files that couldn't be saved", async () => {
    const { root, run, mirrors } = await start({ 'a.txt': 'a', 'b.txt': 'b' });
    const writing = run('echo mine > b.txt; until [ -e go ]; do sleep 0.02; done; rm go; echo mine > a.txt');
    const mirror = await eventually(
      async () => mirrors[0] ?? '',
      (folder) => folder !== '',
    );
    await eventually(
      () => readFile(join(mirror, 'b.txt'), 'utf8').catch(() => ''),
      (text) => text === 'mine\n',
    );
    await writeFile(join(root, 'b.txt'), 'theirs');
    await writeFile(join(mirror, 'go'), '');
    expect((await writing).changed).toEqual(['a.txt']);
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('theirs');
  });
});
