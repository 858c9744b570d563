import { join, resolve } from 'node:path';
import { installOnce } from '../support/install-once.ts';
import { installPython, runCommand } from './servers/install.ts';

const VERSION = '1.58.0';
const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Runs AWS's own linter on the packaged templates (.cfnlintrc.yml lists the ignored rules). Throws an Error
 * with all errors and warnings.
 */
export async function lintTemplate(): Promise<void> {
  const folder = await installLinter();
  const templates = ['data', 'functions', 'console', 'alarms'].map(
    (name) => `.serverless/stacks/${name}.json`,
  );
  const program = ['-c', 'import sys; from cfnlint.runner import main; sys.exit(main())'];
  await runCommand(join(folder, 'bin/python'), [...program, ...templates], { cwd: ROOT });
}

export function installLinter(): Promise<string> {
  return installOnce('cfn-lint', VERSION, (aside) => installPython(aside, '3.12', [`cfn-lint==${VERSION}`]));
}
