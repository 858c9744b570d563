import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidInput } from '../../lib/errors.ts';
import type { Command, CommandResult, Commands } from '../../lib/ports/commands.ts';
import { withGrowingLimit } from '../support/processes/growing-limit.ts';
import { eventually } from '../support/sync.ts';

export interface CommandsSide {
  commands: Commands;
  /** An empty folder that commands may write to. */
  folder: string;
  /** The folder as a running command sees it, if it is transferred elsewhere. */
  seen?(): string;
}

/** Part of a script that writes `late.txt` as soon as `go` exists, to show whether the command still runs. */
const LIVES_ON = 'for n in $(seq 600); do test -e go && echo > late.txt && break; sleep 0.1; done';

/** Returns whether a process of the command was still running and wrote `late.txt`. */
async function livesOn(folder: string): Promise<boolean> {
  await writeFile(join(folder, 'go'), '');
  await sleep(500);
  return (await readdir(folder)).includes('late.txt');
}

/**
 * The contract of lib/ports/commands.ts. An abort ends the wait immediately, and the command within
 * `abortTakesMs`.
 */
export function describeCommands(
  name: string,
  open: () => Promise<CommandsSide>,
  { abortTakesMs = 0 }: { abortTakesMs?: number } = {},
): void {
  describe(`${name}: Commands`, () => {
    let commands: Commands;
    let folder: string;
    let seen: () => string;
    beforeEach(async () => {
      const side = await open();
      ({ commands, folder } = side);
      seen = side.seen ?? (() => folder);
    });

    function run(script: string, more: Partial<Command> = {}): Promise<CommandResult> {
      const limits = { timeoutMs: 15_000, maxOutputBytes: 100_000 };
      return commands.run({ script, cwd: folder, writable: [folder], ...limits, ...more });
    }

    it('returns the output of a script, its exit code, and its last folder', async () => {
      const { changed = [], ...result } = await run('echo out; echo err >&2; exit 3');
      expect(changed).toEqual([]);
      expect(result).toEqual({
        stdout: 'out\n',
        stderr: 'err\n',
        exitCode: 3,
        timedOut: false,
        truncated: false,
        cwd: folder,
      });
    });

    it('runs pipes, quotes, several lines, and here-documents', async () => {
      const script = "x='a  b'\nprintf '%s\\n' \"$x\" | tr a-z A-Z\ncat <<'END'\n$HOME $x `id`\nEND";
      expect(await run(script)).toMatchObject({ stdout: 'A  B\n$HOME $x `id`\n', exitCode: 0 });
    });

    it.each([
      ['kill -9 $$', 137],
      ['kill -TERM $$', 143],
      ['sh -c "kill -9 \\$\\$"', 137],
      ['no-such-program', 127],
      ['false', 1],
      ['if then', 2],
      ['exec sh -c "exit 7"', 7],
    ])('runs %s, and exits with %i', async (script, exitCode) => {
      expect((await run(script)).exitCode).toBe(exitCode);
    });

    it('can write to the folder, and the files are visible outside', async () => {
      await writeFile(join(folder, 'before.txt'), 'before');
      expect((await run('cat before.txt; echo after > after.txt')).stdout).toBe('before');
      expect(await readFile(join(folder, 'after.txt'), 'utf8')).toBe('after\n');
    });

    it('works in folders with any name', async () => {
      const odd = join(folder, `a b'c"d\\e#f$g\th,ö`);
      await mkdir(odd);
      expect(await run('pwd; echo x > x', { cwd: odd, writable: [odd] })).toMatchObject({
        stdout: `${seen() === folder ? odd : seen()}\n`,
        cwd: odd,
      });
      expect(await readFile(join(odd, 'x'), 'utf8')).toBe('x\n');
    });

    it.each([
      ['cd a && cd b', 'a/b'],
      ['cd a; exit 5', 'a'],
      ['cd a/b; cd ..', 'a'],
      ['(cd a)', ''],
      ['cd /', ''],
      ['cd ..', ''],
      ['cd missing', ''],
      ['mkdir gone; cd gone; rmdir ../gone', ''],
      ['cd a; kill -9 $$', ''],
      ['cd link', ''],
      ['cd a; trap "echo bye" EXIT', ''],
    ])('runs %s, and ends in /%s', async (script, end) => {
      await mkdir(join(folder, 'a/b'), { recursive: true });
      await symlink('/usr', join(folder, 'link'));
      expect((await run(script)).cwd).toBe(join(folder, end));
    });

    it('ignores a folder outside that a script reports', async () => {
      for (const fd of [3, 9]) expect((await run(`printf /usr >&${fd}; kill -9 $$`)).cwd).toBe(folder);
    });

    it('has an empty standard input', async () => {
      expect(await run('cat; read line; echo "$?"')).toMatchObject({ stdout: '1\n', timedOut: false });
    });

    it('has a clean environment and an empty home folder', async () => {
      const { stdout } = await run('env | cut -d= -f1; ls -A "$HOME"');
      const allowed =
        /^(HOME|LANG|OLDPWD|PATH|PWD|SHLVL|TERM|TMPDIR|USER|_|__CF_USER_TEXT_ENCODING|CURL_HOME|GIT_(CONFIG_\w+|SSH_COMMAND))$/;
      expect(stdout.split('\n').filter((line) => line !== '' && !allowed.test(line))).toEqual([]);
      expect(stdout).toContain('PATH');
    });

    it('is killed with all its processes at the timeout', async () => {
      const script = `(${LIVES_ON}) & setsid sleep 10 & echo begun; sleep 600`;
      const result = await withGrowingLimit(
        (timeoutMs) => run(script, { timeoutMs }),
        ({ stdout }) => stdout !== '',
      );
      expect(result).toMatchObject({ stdout: 'begun\n', exitCode: 124, timedOut: true, cwd: folder });
      expect(await livesOn(seen())).toBe(false);
    });

    it("doesn't wait for background processes, and ends them", async () => {
      const result = await run(`(${LIVES_ON}) & echo done`);
      expect(result).toMatchObject({ stdout: 'done\n', exitCode: 0, timedOut: false });
      expect(await livesOn(seen())).toBe(false);
    });

    it('throws the reason of an abort after ending the command', async () => {
      const controller = new AbortController();
      const running = run(`echo > begun; ${LIVES_ON}`, { signal: controller.signal });
      const stopped = expect(running).rejects.toThrow('stopped');
      await eventually(
        () => readdir(seen()).catch((): string[] => []),
        (names) => names.includes('begun'),
      );
      controller.abort(new Error('stopped'));
      await stopped;
      await expect(run('true', { signal: controller.signal })).rejects.toThrow('stopped');
      await sleep(abortTakesMs);
      expect(await livesOn(seen())).toBe(false);
    });

    it('truncates each output at its limit, and lets the command finish', async () => {
      const script = 'yes | head -c 300000; yes no | head -c 50 >&2; exit 4';
      const result = await run(script, { maxOutputBytes: 1000 });
      expect(result).toMatchObject({ exitCode: 4, truncated: true });
      expect(result.stdout).toBe('y\n'.repeat(500));
      expect(result.stderr).toHaveLength(50);
    });

    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'never truncates inside a character (after %i bytes)',
      async (maxOutputBytes) => {
        const { stdout } = await run("printf 'é€😀'", { maxOutputBytes });
        expect('é€😀'.startsWith(stdout)).toBe(true);
        expect(Buffer.byteLength(stdout)).toBeGreaterThan(maxOutputBytes - 4);
      },
    );

    it('does not truncate output of exactly the limit', async () => {
      expect(await run('printf 12345', { maxOutputBytes: 5 })).toMatchObject({
        stdout: '12345',
        truncated: false,
      });
    });

    it('shows invalid bytes as replacement characters', async () => {
      expect((await run("printf 'a\\377b'")).stdout).toBe('a\uFFFDb');
    });

    it('keeps twenty concurrent commands apart', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => run(`echo ${index}; exit ${index}`)),
      );
      expect(results.map(({ stdout }) => stdout)).toEqual(results.map((_, index) => `${index}\n`));
      expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map((_, index) => index));
    });

    it.each([
      ['a cwd outside', { cwd: '/usr' }],
      ['a missing cwd', { cwd: '/no/such' }],
      ['a cwd that is a file', { cwd: '/etc/passwd' }],
      ['a relative cwd', { cwd: 'a' }],
      ['NUL in the script', { script: 'a\0b' }],
      ['a script that is too long for the system', { script: `: ${'x'.repeat(200_000)}` }],
    ])('rejects %s', async (_what, more) => {
      await expect(run('true', more)).rejects.toThrow(InvalidInput);
    });

    it('rejects a folder that was replaced by a link', async () => {
      await symlink('/usr', join(folder, 'was-a-workspace'));
      const place = join(folder, 'was-a-workspace');
      await expect(run('ls', { cwd: place, writable: [place] })).rejects.toThrow(InvalidInput);
    });

    it('resolves a link in cwd', async () => {
      await mkdir(join(folder, 'real'));
      await symlink(join(folder, 'real'), join(folder, 'link-inside'));
      const result = await run('pwd -P', { cwd: join(folder, 'link-inside') });
      expect(result.cwd).toBe(await realpath(join(folder, 'real')));
    });
  });
}
