import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const CACHE = resolve(import.meta.dirname, '../../../.cache');
const ATTEMPTS = 3;

type PythonVersion = '3.12' | '3.13';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * The folder `.cache/<name>-<version>`, filled by `install` at its first use. It is filled under another name and
 * renamed when complete, so a killed install never looks finished; nothing inside may depend on its own path.
 */
export async function installOnce(
  name: string,
  version: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const started = performance.now();
  console.error(`installing ${name} ${version} into .cache (once)`);
  await removeAbandoned(folder);
  const partial = `${folder}.partial-${process.pid}`;
  await retry(async () => {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await install(partial);
  });
  await moveInto(partial, folder);
  console.error(`installed ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return folder;
}

/** Runs a program to its end. Its output is shown only when it fails, as the error's text. */
export function runCommand(file: string, args: string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((done, fail) => {
    execFile(file, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const output = `${stdout}\n${stderr}`.trim().slice(-4000);
      fail(new Error(`${file} ${args.slice(0, 4).join(' ')} failed: ${error.message}\n${output}`));
    });
  });
}

/** A Python of at least this version, by its path; else an Error that says how to get one. */
export async function findPython(min: PythonVersion): Promise<string> {
  for (const candidate of await pythonCandidates()) {
    const check = `import sys; sys.exit(sys.version_info < (${min.replace('.', ', ')}))`;
    if (await succeeds(candidate, ['-c', check])) return candidate;
  }
  throw new Error(`this lane needs Python ${min} or newer with venv: install it (python.org, apt, pyenv)`);
}

/** A virtual environment. Start its programs as `bin/python -m …`: scripts in `bin` carry the path of their making. */
export async function installPython(
  folder: string,
  min: PythonVersion,
  requirements: string[],
): Promise<void> {
  await runCommand(await findPython(min), ['-m', 'venv', folder]);
  // Python compiles what it loads at the first start: a tenth of it.
  const options = [
    '--quiet',
    '--no-compile',
    '--disable-pip-version-check',
    '--retries',
    '5',
    '--timeout',
    '30',
  ];
  await runCommand(join(folder, 'bin/python'), ['-m', 'pip', 'install', ...options, ...requirements]);
}

async function pythonCandidates(): Promise<string[]> {
  const pyenv = join(homedir(), '.pyenv/versions');
  const versions = await readdir(pyenv).catch(() => []);
  const built = versions
    .filter((version) => /^3\.1[2-9]/.test(version))
    .map((v) => join(pyenv, v, 'bin/python3'));
  return ['python3.13', 'python3.12', ...built, 'python3.14', 'python3'];
}

function succeeds(file: string, args: string[]): Promise<boolean> {
  return runCommand(file, args).then(
    () => true,
    () => false,
  );
}

async function retry(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`attempt ${attempt} failed, again: ${String(error).slice(0, 300)}`);
    }
  }
}

/** Another run may have been faster: then its folder stays. */
async function moveInto(partial: string, folder: string): Promise<void> {
  try {
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** What killed installs left behind. */
async function removeAbandoned(folder: string): Promise<void> {
  const partials = (await readdir(CACHE).catch(() => [])).map((name) => join(CACHE, name));
  for (const partial of partials.filter((path) => path.startsWith(`${folder}.partial-`))) {
    if (!isAlive(Number(partial.split('-').at(-1)))) await rm(partial, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
