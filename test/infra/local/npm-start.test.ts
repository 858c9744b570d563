import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Started {
  npm: ChildProcess;
  url: string;
  /** A folder that can become a workspace. */
  folder: string;
  ended: Promise<number | string>;
  /** npm, the service, and its children at this moment. */
  tree(): number[];
}

/** Runs `npm start` as supervisors do: in its own process group, of which only npm's process is known. */
async function npmStart(env: Record<string, string> = {}): Promise<Started> {
  const dataDir = join(await tempFolder(), 'data');
  const folder = join(dataDir, 'workspaces', 'owls');
  await mkdir(folder, { recursive: true });
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: '0', CONSOLE: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = npm.pid ?? 0;
  const ended = once(npm, 'exit').then(([code, signal]) => code ?? signal);
  let output = '';
  npm.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  const url = () => /^listening\s+(http:\/\/\S+)/m.exec(output)?.[1];
  whenDone(async () => killAll(descendantsOf(pid)));
  await eventually(async () => url() ?? (npm.exitCode === null ? undefined : 'ended'), Boolean);
  return { npm, url: url() ?? '', folder, ended, tree: () => descendantsOf(pid) };
}

function fieldsOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function descendantsOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map(Number).filter((each) => Number(fieldsOf(each)[1]) === pid);
  return [pid, ...children.flatMap(descendantsOf)];
}

const living = (pids: number[]) => pids.filter((pid) => !['Z', 'X', undefined].includes(fieldsOf(pid)[0]));

/** The processes that keep a build from being removed. */
function usersOfBuilds(pids: number[]): string[] {
  const marks = globSync('.build/*/users/*', { cwd: ROOT }).map((path) => basename(path));
  return marks.filter((mark) => pids.includes(Number(mark.split(':')[0])));
}

function killAll(pids: number[]): void {
  for (const pid of living(pids)) process.kill(pid, 'SIGKILL');
}

it.each<[NodeJS.Signals, number | string]>([
  ['SIGTERM', 0],
  ['SIGINT', 0],
  ['SIGHUP', 'SIGHUP'],
])("npm start ends the service and all its processes on %s to npm's process alone", async (signal, code) => {
  const { npm, url, ended, tree } = await npmStart();
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  const all = tree();
  whenDone(async () => killAll(all));
  expect(all.length).toBeGreaterThan(1);
  expect(usersOfBuilds(all)).toHaveLength(1);
  npm.kill(signal);
  expect(await ended).toBe(code);
  expect(
    await eventually(
      async () => living(all),
      (left) => left.length === 0,
    ),
  ).toEqual([]);
  expect(usersOfBuilds(all)).toEqual([]);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
});

it('npm start finishes a streamed answer after Ctrl-C, which reaches the service from the terminal and from npm', async () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index} `);
  const provider = await startFakeOpenai({ answer: () => words, paceMs: 50 });
  whenDone(() => provider.stop());
  const { npm, url, folder, ended } = await npmStart({
    PROVIDER_A_BASE_URL: provider.url,
    CONVERSATION_TITLES: 'off',
  });
  const post = (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const { id } = (await (await post('/api/workspaces', { path: folder })).json()) as { id: string };
  const messages = [{ role: 'user', content: 'Say thirty words' }];
  const answer = await post('/api/chat', { workspaceId: id, messages });
  process.kill(-(npm.pid ?? 0), 'SIGINT');
  expect(await answer.text()).toContain('word29');
  expect(await ended).toBe(0);
});
