import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import { emulatorSettings } from '../support/emulator.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Returns the first block of commands below the heading of a page. */
export function documentedCommands(page: string, heading: string): string {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [, block] = /```sh\n(.*?)```/s.exec(section.split('\n## ')[0] ?? '') ?? [];
  if (block === undefined) throw new Error(`${page} has no commands below "${heading}".`);
  return block.replace(/^ +/gm, '');
}

/** Replaces the placeholders of a page. Throws if a text is missing. */
export function replaceIn(commands: string, found: string, value: string): string {
  if (!commands.includes(found)) throw new Error(`The commands don't contain ${found}:\n${commands}`);
  return commands.replaceAll(found, value);
}

/** Runs the commands in a shell, with the lane's AWS CLI on the emulator. Throws if a line fails. */
export async function runCommands(commands: string): Promise<string> {
  const { endpoint, region, credentials } = emulatorSettings('MINISTACK_URL');
  const python = process.env.AWS_CLI_PYTHON;
  if (python === undefined)
    throw new Error('AWS_CLI_PYTHON is not set: run this with `npm run test:deploy`.');
  const env = {
    PATH: process.env.PATH,
    AWS_ENDPOINT_URL: endpoint,
    AWS_DEFAULT_REGION: region, // version 1 of the CLI, which pip has, reads only this
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const aws = `aws() { '${python}' -m awscli "$@"; }`;
  const args = ['--norc', '-c', `set -eo pipefail\n${aws}\n${commands}`];
  const { code, stdout, stderr } = await runProgram('bash', args, { env, cwd: await tempFolder() });
  if (code !== 0) throw new Error(`The commands ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

const USER = 1000;

/**
 * Runs the commands as on a mount through the access point of the docs: as user 1000, who owns these folders
 * and can't write to the root. They start in the root, because that user may not have access to the folders
 * above it. Throws if a line fails.
 */
export async function runAsFileUser(commands: string, root: string, owned: string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await runProgram('chown', ['-R', `${USER}:${USER}`, ...owned]);
  await chmod(root, 0o555);
  const user = isRoot ? { uid: USER, gid: USER } : {};
  const args = ['--norc', '-c', `set -eo pipefail\n${commands}`];
  const { code, stderr } = await runProgram('bash', args, { cwd: root, ...user });
  await chmod(root, 0o755);
  if (code !== 0) throw new Error(`The commands ended with ${code}:\n${stderr}`);
}
