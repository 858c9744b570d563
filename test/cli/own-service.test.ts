import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startEmbedded } from '../../cli/embedded.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { eventually } from '../support/sync.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';
import { personEnvironment, runWrs, startWrs } from '../support/wrs.ts';

let env: Record<string, string>;
let folder: string;

beforeAll(async () => {
  env = await personEnvironment();
  folder = join(await tempFolder(), 'papers');
  await mkdir(folder);
  await writeFile(join(folder, 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  await writeFile(join(folder, '.env'), 'PROVIDER_A_BASE_URL=http://127.0.0.1:9/v1\n');
});

/** Returns the processes whose arguments contain the test's home folder. */
async function hostsOf(home: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const read = (name: string) => readFile(`/proc/${id}/${name}`, 'latin1').catch(() => '');
      const [command, environment] = await Promise.all([read('cmdline'), read('environ')]);
      return command.includes('--embedded') && environment.includes(home) ? id : '';
    }),
  );
  return found.filter((id) => id !== '');
}

describe('service that wrs starts', () => {
  it('has the given folder as its root, keeps its data in the home folder, and reads no .env of the folder', async () => {
    const { code, stderr } = await runWrs(['ask', 'When do owls hunt?'], { env, cwd: folder });
    expect(stderr).toMatch(/^wrs: No model is configured\. .*\.config\/wrs\/\.env/);
    expect(code).toBe(5);
    const data = join(env.HOME ?? '', '.local/share/wrs');
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect((await stat(join(data, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(await hostsOf(env.HOME ?? '')).toEqual([]);
  });

  it('ends with wrs, even if wrs is killed before the service has started', async () => {
    const own = await personEnvironment();
    const { child, ended } = startWrs(['search', 'owls'], { env: own, cwd: folder });
    await eventually(
      () => hostsOf(own.HOME ?? ''),
      (hosts) => hosts.length === 1,
    );
    child.kill('SIGKILL');
    await ended;
    await eventually(
      () => hostsOf(own.HOME ?? ''),
      (hosts) => hosts.length === 0,
    );
  });

  it('explains what to do about a folder that contains its data, such as the home folder', async () => {
    const home = env.HOME ?? '';
    const { code, stderr } = await runWrs(['search', home, 'x'], { env, cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/overlaps the service's own data \(.*DATA_DIR\.\n$/),
    ]);
  });

  it('ends with wrs, even if wrs is killed', async () => {
    const provider = await startFakeOpenai({
      answer: () => Array.from({ length: 100 }, () => 'slow '),
      paceMs: 20,
    });
    whenDone(() => provider.stop());
    const settings = { ...env, PROVIDER_A_BASE_URL: provider.url };
    const { child, ended } = startWrs(['ask', folder, 'When do owls hunt?'], { env: settings });
    if (child.stdout !== null) await once(child.stdout, 'data');
    expect(await hostsOf(env.HOME ?? '')).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
    await eventually(
      () => hostsOf(env.HOME ?? ''),
      (hosts) => hosts.length === 0,
    );
  });

  it('does not wait for an open connection when wrs is done', async () => {
    const before = { ...process.env };
    // In this process, the home folder would otherwise be that of the person who runs the tests.
    Object.assign(process.env, env, {
      XDG_DATA_HOME: await tempFolder(),
      XDG_CONFIG_HOME: await tempFolder(),
    });
    whenDone(async () => {
      process.env = before;
    });
    const service = await startEmbedded();
    const { hostname, port } = new URL(service.url);
    const left = connect(Number(port), hostname);
    whenDone(async () => left.destroy());
    left.on('error', () => {}).write('GET /api/health HTTP/1.1\r\n');
    await once(left, 'connect');
    const began = performance.now();
    await service.stop();
    expect(performance.now() - began).toBeLessThan(6000);
  });
});

describe('wrs completion', () => {
  it('completes commands, subcommands, and options in bash', async () => {
    const { stdout: script } = await runWrs(['completion', 'bash'], { env, cwd: folder });
    const complete = async (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const ask = `${script}\nCOMP_WORDS=(wrs ${list}); COMP_CWORD=${words.length}; _wrs; echo "\${COMPREPLY[@]}"`;
      return (await runProgram('bash', ['-c', ask], { env, cwd: folder })).stdout.trim();
    };
    expect(await complete('sea')).toBe('search');
    expect(await complete('token', 'rev')).toBe('revoke');
    expect(await complete('agent', '--mo')).toBe('--model --mode');
    expect(await complete('--ver')).toBe('--version');
    await mkdir(join(folder, 'a b'));
    await mkdir(join(folder, 'a *'));
    expect(['a b a *', 'a * a b']).toContain(await complete('search', 'a'));
  });

  it('has scripts for three shells only', async () => {
    expect((await runWrs(['completion', 'fish'], { env, cwd: folder })).stdout).toContain('complete -c wrs');
    expect((await runWrs(['completion', 'zsh'], { env, cwd: folder })).stdout).toContain('bashcompinit');
    expect((await runWrs(['completion', 'tcsh'], { env, cwd: folder })).code).toBe(2);
  });
});
