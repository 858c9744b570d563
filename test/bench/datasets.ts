import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../lanes/servers/install.ts';
import { installOnce } from '../support/install-once.ts';
import { peakMegabytes } from '../support/processes/process-memory.ts';
import { startService } from '../support/service.ts';
import { type BenchRow, ms } from './table.ts';

const HUGGINGFACE_HUB = '2.4.0';
const WORKERS = 8;
const LARGE_BYTES = 8 * 256 * 1024 * 1024;
const SMALL = 2000;

interface Run {
  ms: number;
  requests: number;
  peakMb: number;
}

/**
 * Compares many small files and a few large ones with the hub's own client and with aria2, on the same fake
 * hub.
 */
export async function benchDatasets(): Promise<BenchRow[]> {
  const hub = fork(join(import.meta.dirname, 'fake-hub-process.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const [line] = (await once(hub.stdout as NonNullable<typeof hub.stdout>, 'data')) as [Buffer];
    const url = line.toString().trim();
    const peers = await openPeers(url);
    const rows: BenchRow[] = [];
    for (const repo of ['small', 'large'] as const) {
      const theirs: string[] = [];
      for (const [name, run] of Object.entries(peers))
        theirs.push(`${name} ${describe(repo, await measure(hub, () => run(repo)))}`);
      const ours = await measure(hub, () => downloadHere(url, repo));
      rows.push(rowOf(repo, ours, theirs.join(' · ') || '-'));
    }
    return rows;
  } finally {
    hub.kill();
  }
}

function describe(repo: 'small' | 'large', run: Run): string {
  const speed = repo === 'small' ? `${run.requests} requests` : `${Math.round(speedOf(run))} MB/s`;
  return `${ms(run.ms)}, ${speed}, ${Math.round(run.peakMb)} MB`;
}

function speedOf(run: Run): number {
  return LARGE_BYTES / 1000 / run.ms;
}

function rowOf(repo: 'small' | 'large', ours: Run, baseline: string): BenchRow {
  const small = repo === 'small';
  const fast = small ? ours.ms < 1800 && ours.requests <= SMALL + 5 : speedOf(ours) > 550;
  return {
    measure: small ? `${SMALL} files of 4 KB` : '8 files of 256 MiB, sha256',
    ours: describe(repo, ours),
    baseline,
    aim: small ? `under 1.8 s, ${SMALL} requests and the list, 200 MB` : 'over 550 MB/s, under 200 MB',
    met: fast && ours.peakMb < 200,
  };
}

async function measure(hub: ChildProcess, run: () => Promise<Omit<Run, 'requests'>>): Promise<Run> {
  const measured = await run();
  hub.send('counts');
  const [counts] = (await once(hub, 'message')) as [{ lists: number; files: number }];
  return { ...measured, requests: counts.lists + counts.files };
}

/**
 * The whole service: a POST, then polling until the end. The peak is the memory of the whole process,
 * including the API.
 */
async function downloadHere(url: string, repo: string): Promise<Omit<Run, 'requests'>> {
  const service = await startService({ HUB_A_BASE_URL: url });
  try {
    const before = performance.now();
    const created = await service.call<{ id: string }>('POST', '/api/datasets', { repoId: `o/${repo}` });
    for (;;) {
      const { body } = await service.call<{ status: string; error: string }>(
        'GET',
        `/api/datasets/${created.body.id}/status`,
      );
      if (body.status === 'ready') break;
      if (body.status === 'failed') throw new Error(body.error);
      await new Promise((done) => setTimeout(done, 20));
    }
    return { ms: performance.now() - before, peakMb: peakMegabytes(service.pid) };
  } finally {
    await service.stop();
    await rm(service.dataDir, { recursive: true, force: true });
  }
}

type Peer = (repo: 'small' | 'large') => Promise<Omit<Run, 'requests'>>;

/** Alternatives that can be installed here: the hub's own Python client, and Debian's aria2. */
async function openPeers(url: string): Promise<Record<string, Peer>> {
  const peers: Record<string, Peer> = {};
  const open = async (name: string, make: () => Promise<Peer>) => {
    try {
      peers[name] = await make();
    } catch (error) {
      console.error(`without ${name}: ${String(error).slice(0, 200)}`);
    }
  };
  await open('huggingface_hub', async () => {
    const packages = await installHub();
    return (repo) => inFolder((folder) => runHub(url, packages, repo, folder));
  });
  await open('aria2', async () => {
    const aria = await findAria();
    return (repo) => inFolder((folder) => runAria(url, aria, repo, folder));
  });
  return peers;
}

function installHub(): Promise<string> {
  const wanted = `huggingface_hub==${HUGGINGFACE_HUB}`;
  return installOnce('huggingface_hub', HUGGINGFACE_HUB, async (folder) => {
    await runCommand('python3', ['-m', 'pip', 'install', '-q', '--target', folder, wanted]);
  });
}

interface Program {
  file: string;
  env: NodeJS.ProcessEnv;
}

/** Finds the installed program, or its packages, unpacked next to each other. */
async function findAria(): Promise<Program> {
  const installed = { file: 'aria2c', env: process.env };
  if (await answers(installed)) return installed;
  const folder = await installOnce('aria2', 'debian', async (place) => {
    await runCommand('apt-get', ['download', 'aria2', 'libaria2-0', 'libc-ares2'], { cwd: place });
    for (const name of globSync('*.deb', { cwd: place }))
      await runCommand('dpkg', ['-x', join(place, name), place]);
  });
  const LD_LIBRARY_PATH = globSync('usr/lib/*-linux-gnu', { cwd: folder })
    .map((path) => join(folder, path))
    .join(':');
  const unpacked = { file: join(folder, 'usr/bin/aria2c'), env: { ...process.env, LD_LIBRARY_PATH } };
  if (await answers(unpacked)) return unpacked;
  throw new Error('it is not installed, and its packages cannot be used as they are');
}

function answers({ file, env }: Program): Promise<boolean> {
  return runCommand(file, ['--version'], { env }).then(
    () => true,
    () => false,
  );
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runHub(url: string, packages: string, repo: string, folder: string) {
  const script = `from huggingface_hub import snapshot_download
snapshot_download('o/${repo}', repo_type='dataset', local_dir='${folder}/files', max_workers=${WORKERS})`;
  const env = {
    PYTHONPATH: packages,
    HF_ENDPOINT: url,
    HF_HUB_DISABLE_XET: '1',
    HF_HUB_DISABLE_TELEMETRY: '1',
    HF_HUB_DISABLE_PROGRESS_BARS: '1',
    HF_HOME: folder,
    PATH: process.env.PATH,
  };
  return timedChild('python3', ['-c', script], env);
}

/** aria2 can't list a repository, so it gets the URLs. */
async function runAria(url: string, aria: Program, repo: 'small' | 'large', folder: string) {
  const paths =
    repo === 'small'
      ? Array.from({ length: SMALL }, (_, index) => `data/${index % 10}/${index}.bin`)
      : Array.from({ length: 8 }, (_, index) => `large/${index}.bin`);
  const list = paths
    .map((path) => `${url}/datasets/o/${repo}/resolve/main/${path}\n  out=${path}`)
    .join('\n');
  await writeFile(join(folder, 'list'), list);
  const args = [
    '-q',
    '-i',
    join(folder, 'list'),
    '-d',
    join(folder, 'files'),
    '-j',
    String(WORKERS),
    '--file-allocation=none',
  ];
  return timedChild(aria.file, args, aria.env);
}

async function timedChild(file: string, args: string[], env: NodeJS.ProcessEnv) {
  const before = performance.now();
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const look = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, peakMegabytes(child.pid ?? 0) || 0);
    } catch {
      // it has ended
    }
  }, 20);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(look);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return { ms: performance.now() - before, peakMb };
}
