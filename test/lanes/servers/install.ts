import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type PythonVersion = '3.9' | '3.12' | '3.13';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Shows its output only if it fails, as the error's text. */
export function runCommand(file: string, args: string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((done, fail) => {
    execFile(file, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const output = `${stdout}\n${stderr}`.trim().slice(-4000);
      fail(new Error(`${file} ${args.slice(0, 4).join(' ')} failed: ${error.message}\n${output}`));
    });
  });
}

/** Returns the path of a Python of at least this version. Throws an Error that says how to install it. */
export async function findPython(min: PythonVersion): Promise<string> {
  for (const candidate of await pythonCandidates()) {
    const check = `import sys; sys.exit(sys.version_info < (${min.replace('.', ', ')}))`;
    if (await succeeds(candidate, ['-c', check])) return candidate;
  }
  throw new Error(`this lane needs Python ${min} or newer with venv: install it (python.org, apt, pyenv)`);
}

/**
 * Creates a virtual environment. Start its programs as `bin/python -m …`, because scripts in `bin` contain
 * the path where they were created.
 */
export async function installPython(
  folder: string,
  min: PythonVersion,
  requirements: string[],
): Promise<void> {
  await runCommand(await findPython(min), ['-m', 'venv', folder]);
  // Python compiles the modules that it loads at the first start, which takes a tenth of it.
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
