import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { processCommands } from '../../../lib/adapters/process/commands.ts';
import type { Sandbox } from '../../../lib/adapters/process/launch.ts';
import { startGroup } from '../../../lib/adapters/process/runner-client.ts';
import { unsandboxed } from '../../../lib/adapters/process/unsandboxed.ts';
import { NotConfigured } from '../../../lib/errors.ts';
import { describeCommands } from '../../contract/commands.contract.ts';
import { sandboxesHere } from '../../support/processes/sandboxes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const execute = promisify(execFile);
const sandboxes = await sandboxesHere();

for (const sandbox of [...sandboxes, unsandboxed]) {
  describeCommands(`Process (${sandbox.kind})`, async () => ({
    commands: processCommands(sandbox),
    folder: await tempFolder(),
  }));
}

describeCommands('Process (by the runner)', async () => ({
  commands: processCommands(sandboxes[0] ?? unsandboxed, startGroup),
  folder: await tempFolder(),
}));

function runner(sandbox: Sandbox) {
  return async (script: string, writable: string[], cwd = writable[0] ?? '') =>
    processCommands(sandbox).run({ script, cwd, writable, timeoutMs: 15_000, maxOutputBytes: 100_000 });
}

it.each([
  ['itself', undefined],
  ['the runner', startGroup],
])('command started by %s shows its output as it arrives, up to 64 KB', async (_, start) => {
  const folder = await tempFolder();
  const limits = { cwd: folder, writable: [folder], timeoutMs: 15_000, maxOutputBytes: 100_000 };
  let shown = '';
  const script =
    'echo Zwölf; while [ ! -e go ]; do sleep 0.05; done; echo bad >&2; yes | head -c 90000; exit 3';
  const onText = (text: string) => {
    shown += text;
    void writeFile(join(folder, 'go'), '');
  };
  const commands = processCommands(sandboxes[0] ?? unsandboxed, start);
  const result = await commands.run({ ...limits, script, onText });
  expect(result).toMatchObject({
    exitCode: 3,
    stderr: 'bad\n',
    stdout: expect.stringMatching(/^Zwölf\n(y\n)+$/),
  });
  expect(shown).toMatch(/^Zwölf\n/);
  expect(shown).toContain('bad');
  expect(Buffer.byteLength(shown)).toBe(64 * 1024);
});

it('findSandbox finds a sandbox on Linux with user namespaces', () => {
  if (process.platform === 'linux') expect(sandboxes.map(({ kind }) => kind)).toContain('namespaces');
});

it('command recognizes only a folder named .git as a Git repository', async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, 'ev/objects'), { recursive: true });
  await mkdir(join(folder, 'ev/refs'));
  await writeFile(join(folder, 'ev/HEAD'), 'ref: refs/heads/main');
  const settings = [
    '[core]',
    'repositoryformatversion = 0',
    'bare = false',
    'worktree = ..',
    'fsmonitor = "touch ran;"',
  ];
  await writeFile(join(folder, 'ev/config'), settings.join('\n'));
  const { stderr } = await runner(unsandboxed)('git -C ev status; git init -q own; git -C own status', [
    folder,
  ]);
  expect(await readdir(folder)).toEqual(['ev', 'own']);
  expect(stderr).toMatch(/bare repository/);
});

it.each([unsandboxed, ...sandboxes])('command ($kind) finds no Git settings in its home', async (sandbox) => {
  const folder = await tempFolder();
  const script = `printf '[core]\\nfsmonitor = "touch ran;"\\n' > ~/.gitconfig
    mkdir -p ~/.config/git; cp ~/.gitconfig ~/.config/git/config
    git init -q own; cd own; git status; git config --global core.fsmonitor 'touch ran;'; echo "refused $?"
    git config user.name A; git config user.email a@example.org; git add .; git commit -qm x --allow-empty; git log --format=%an`;
  const { stdout } = await runner(sandbox)(script, [folder]);
  expect(stdout).toMatch(/refused [1-9].*\nA\n$/s);
  expect(await readdir(folder, { recursive: true })).not.toContain('own/ran');
});

describe.each(sandboxes.map((sandbox) => ({ kind: sandbox.kind, sandbox })))(
  'command in a sandbox ($kind)',
  ({ sandbox }) => {
    const run = runner(sandbox);

    it('sees no other processes', async () => {
      const { stdout } = await run('ls /proc | grep -c "^[0-9]"', [await tempFolder()]);
      expect(Number(stdout)).toBeLessThan(10);
    });

    it.each([
      [
        "can't read the environment of the parent process",
        'cat /proc/1/environ /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep PLANTED',
      ],
      ["can't signal outside processes", `kill -0 ${process.pid}`],
      ["can't see files through the first process", 'ls -d /proc/1/root/root || head -c 1 /proc/1/mem'],
      [
        'finds no home folder, data, or settings',
        'ls -d /root /work /var/lib /run/lock /opt /srv /mnt /etc/shadow /etc/ssh /etc/ssl/private',
      ],
      ["can't mount", 'mount -t tmpfs none /tmp'],
      ["can't create namespaces", 'unshare --user --map-root-user true'],
      ["can't become root", 'su -c true < /dev/null'],
      ["can't write to system folders", 'touch /usr/x || touch /bin/x || touch /etc/x || touch /x'],
      ["can't change kernel settings", 'find /proc/sys -type f -writable 2>/dev/null | head -1 | grep .'],
      [
        "can't change a device",
        'find /proc/[a-z]* -path "/proc/*self" -prune -o -type f -writable -print 2>/dev/null | grep -v -E "^/proc/(net|self|thread-self|sys)/" | grep .',
      ],
      ['finds no disk in /dev', 'ls /dev | grep -E "^(sd|vd|nvme|mem|kmsg|dm-|loop)"'],
      ['reaches no metadata address', 'timeout 3 bash -c "exec 5<>/dev/tcp/169.254.169.254/80"'],
      ['resolves no host names', 'timeout 3 getent hosts example.com'],
    ])('%s', async (_what, script) => {
      const { exitCode } = await run(script, [await tempFolder()]);
      expect(exitCode).not.toBe(0);
    });

    it('finds no curl or SSH settings in a home folder', async () => {
      const folder = await tempFolder();
      const script = `mkdir -p ~/.config; echo 'output = ran' > ~/.curlrc; cp ~/.curlrc ~/.config/curlrc
        echo in > in && curl -s "file://$PWD/in"; rm -f /.curlrc; mv in /.curlrc; cat /.curlrc
        home=$(getent passwd 1000 | cut -d: -f6); mkdir -p "$home/.ssh" 2>&1
        echo 'ProxyCommand touch ran' > "$home/.ssh/config"; git ls-remote ssh://host.example/x`;
      expect((await run(script, [folder])).stdout).toMatch(/^in\n/);
      expect(await readdir(folder)).not.toContain('ran');
    });

    it("has no capability and can't get one", async () => {
      const { stdout } = await run('grep -E "^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)" /proc/self/status', [
        await tempFolder(),
      ]);
      expect(stdout.match(/0{16}$/gm)).toHaveLength(4);
      expect(stdout).toMatch(/NoNewPrivs:\s+1/);
    });

    it('sees only its own folder of two sibling folders', async () => {
      const around = await tempFolder();
      await mkdir(join(around, 'mine'));
      await mkdir(join(around, 'other'));
      await writeFile(join(around, 'other/secret'), 'planted');
      await symlink(join(around, 'other/secret'), join(around, 'mine/link'));
      const script = 'ls ..; cat link ../other/secret; ln -s ../other/secret new; cat new';
      const { stdout } = await run(script, [join(around, 'mine')]);
      expect(stdout).toBe('mine\n');
    });

    it('leaves no temporary files for the next command', async () => {
      const folder = await tempFolder();
      await run('echo x > /tmp/left; echo x > ~/left; echo x > /dev/shm/left', [folder]);
      expect((await run('ls /tmp/left ~/left /dev/shm/left', [folder])).stdout).toBe('');
    });

    // As root, only a PID namespace enforces a limit, and bubblewrap sets none, so findSandbox prefers
    // `namespaces`.
    const bounded = sandbox.kind === 'namespaces' || process.getuid?.() !== 0 ? it : it.skip;

    bounded('ends a fork bomb at its time limit', async () => {
      const bomb = ':(){ :|:& };:; echo $$ > bomb; sleep 600';
      const folder = await tempFolder();
      const command = {
        script: bomb,
        cwd: folder,
        writable: [folder],
        timeoutMs: 2000,
        maxOutputBytes: 1000,
      };
      const [result, processes] = await Promise.all([
        processCommands(sandbox).run(command),
        new Promise((done) => setTimeout(done, 1500)).then(countProcesses),
      ]);
      expect(result.timedOut).toBe(true);
      expect(processes).toBeLessThan(4000);
      expect((await run('echo fine', [folder])).stdout).toBe('fine\n');
    });

    it("can't use setuid programs or device files of its workspace", async () => {
      const folder = await tempFolder();
      const { stdout } = await run('grep " $PWD " /proc/self/mountinfo | cut -d " " -f 6', [folder]);
      expect(stdout).toMatch(/^rw,nosuid,nodev\b/);
    });

    it.each([
      [
        'each with a part of it',
        'for n in 1 2 3 4 5; do (s=$(head -c 30M /dev/zero | tr "\\0" x); sleep 60) & done; wait',
      ],
      [
        'with any priority',
        'echo 0 > /proc/self/oom_score_adj; s=$(head -c 150M /dev/zero | tr "\\0" x); sleep 60',
      ],
    ])('shares one memory limit among all its processes: %s', async (_what, script) => {
      const folder = await tempFolder();
      const small = processCommands(sandbox, startGroup, {
        bounds: { memoryBytes: 100 * 1024 ** 2, processes: 100 },
      });
      const limits = { timeoutMs: 60_000, maxOutputBytes: 1000 };
      expect(await small.run({ script, cwd: folder, writable: [folder], ...limits })).toMatchObject({
        stderr: 'The command used more than 100 MB of memory and was stopped.\n',
        exitCode: 137,
        timedOut: false,
      });
    });

    it('shares one limit among all its threads and processes', async () => {
      const folder = await tempFolder();
      const small = processCommands(sandbox, startGroup, {
        bounds: { memoryBytes: 4 * 1024 ** 3, processes: 20 },
      });
      const limits = { timeoutMs: 60_000, maxOutputBytes: 1000 };
      const script = 'for n in $(seq 30); do sleep 60 & done; wait';
      expect(await small.run({ script, cwd: folder, writable: [folder], ...limits })).toMatchObject({
        stderr: 'The command had more than 20 processes and was stopped.\n',
        exitCode: 137,
      });
    });

    it('restores the kernel setting that kills commands first', async () => {
      const script = `echo 0 > /proc/self/oom_score_adj
        for n in $(seq 600); do read now < /proc/self/oom_score_adj; [ $now = 1000 ] && break; sleep 0.1; done; echo $now`;
      expect((await run(script, [await tempFolder()])).stdout).toBe('1000\n');
    });

    it("can't create a file without a size limit", async () => {
      const script = 'truncate -s 100G big || fallocate -l 100G big';
      expect((await run(script, [await tempFolder()])).exitCode).not.toBe(0);
    });

    it.each([['/'], ['/usr'], ['/proc']])("can't run in %s", async (folder) => {
      await expect(run('true', [folder])).rejects.toThrow(NotConfigured);
    });
  },
);

/**
 * The service's launcher may leave folders open, and Node marks only the first descriptors as close-on-exec.
 */
it('command inherits no file descriptors of the service', async () => {
  const folder = await tempFolder();
  const program = join(import.meta.dirname, '../../support/processes/list-descriptors.ts');
  const launcher = 'exec 40<"$1" 77<"$1" 251>"$1/left" 1000<"$1"; exec "$2" "$3" "$1"';
  const args = ['-c', launcher, 'bash', folder, process.execPath, program];
  const { stdout } = await execute('bash', args, { env: process.env });
  const kinds = [...sandboxes, unsandboxed].map(({ kind }) => kind);
  // The shell reports start and end on 9; 3 is the folder that it lists.
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(kinds.map((kind) => [kind, '0 1 2 3 9\n'])));
});

function countProcesses(): number {
  return execFileSync('ls', ['/proc'])
    .toString()
    .split('\n')
    .filter((name) => /^\d+$/.test(name)).length;
}

describe('folder that is replaced by a link while a command starts', () => {
  it('never exposes the target of the link', async () => {
    const root = await tempFolder();
    const outside = await tempFolder();
    await writeFile(join(outside, 'planted'), '');
    const [folder, aside] = [join(root, 'one'), join(root, 'aside')];
    for (const sandbox of sandboxes) {
      await mkdir(folder);
      // After its checks, a launch uses only the name. In this test, the link wins the race every time.
      const swapped: Sandbox = {
        ...sandbox,
        async launch(plan) {
          await rename(folder, aside);
          await symlink(outside, folder);
          return sandbox.launch(plan);
        },
      };
      await expect(runner(swapped)('ls; ls > seen', [folder])).rejects.toThrow(
        'The sandbox could not be created',
      );
      expect(await readdir(outside)).toEqual(['planted']);
      await rm(folder);
      await rm(aside, { recursive: true });
    }
  });
});

describe('hidden paths', () => {
  it('stay invisible in a visible folder, except for a workspace in them', async () => {
    const root = await tempFolder();
    await mkdir(join(root, 'service/data/workspaces/one'), { recursive: true });
    await mkdir(join(root, 'service/data/workspaces/two'), { recursive: true });
    await writeFile(join(root, 'service/data/service.sqlite'), 'planted');
    await writeFile(join(root, '.env'), 'planted');
    const hidden = [join(root, 'service'), join(root, '.env')];
    for (const sandbox of await sandboxesHere({ network: 'none', hidden })) {
      const run = runner(sandbox);
      const one = join(root, 'service/data/workspaces/one');
      expect((await run('cat .env; find service', [root])).stdout).toBe('service\n');
      expect((await run('ls .. ../..; touch made', [root, one], one)).stdout).not.toContain('sqlite');
      expect((await run('ls .. ../..', [one])).stdout).not.toMatch(/sqlite|two/);
      expect(await readdir(one)).toEqual(['made']);
      await expect(run('true', [join(root, 'service')])).rejects.toThrow(NotConfigured);
    }
  });
});
