import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../infra/command-line.ts';
import type { Call, Command } from '../command.ts';
import { configFolder, dataFolder } from '../places.ts';
import { cleanLine, clearProgress, dim, printJson, printLine, showProgress, tellLine } from '../terminal.ts';

/** Works on this host's data folder with its owner's permissions, without the service, like `restore`. */
export const backup: Command = {
  name: 'backup',
  usage: 'FOLDER',
  summary: 'back up the data folder, even while the service is running',
  uses: 'nothing',
  completes: 'folder',
  async run({ context, words }) {
    const target = readTarget(words, 'The target folder');
    const { backUp } = await import('../../infra/backup/backup.ts');
    const dataDir = dataFolder();
    const { signal } = context;
    const made = await backUp({ dataDir, target, signal, tell: tellFile }).finally(clearProgress);
    if (context.isJson) return printJson(made);
    for (const path of made.outside)
      tellLine(dim(`not in the backup, because it is outside the data folder: ${path}`));
    tellLeftOut(made.leftOut);
    printLine(
      `${made.files} files, ${megabytes(made.bytes)} of ${dataDir} in ${target}. The backup contains keys and tokens. Keep it private.`,
    );
  },
};

export const restore: Command = {
  name: 'restore',
  usage: 'FOLDER',
  summary: 'restore a backup as the data folder, which must not exist yet',
  uses: 'nothing',
  completes: 'folder',
  options: { check: { type: 'boolean' } },
  optionTexts: { check: 'check every file of the backup, and restore nothing' },
  async run({ context, words, values }) {
    const from = readTarget(words, 'The folder of the backup');
    if (values.check) return check(from, context);
    const { restoreBackup } = await import('../../infra/backup/restore.ts');
    const dataDir = dataFolder();
    const { signal } = context;
    const restored = await restoreBackup({ from, dataDir, signal, tell: tellFile }).finally(clearProgress);
    if (context.isJson) return printJson(restored);
    printLine(`${restored.files} files, ${megabytes(restored.bytes)}, verified, in ${dataDir}`);
    for (const path of restored.missing)
      tellLine(dim(`not in the backup, and not on this host: ${cleanLine(path)}`));
    tellLeftOut(restored.leftOut);
  },
};

async function check(from: string, context: Call['context']): Promise<void> {
  const { checkBackup } = await import('../../infra/backup/restore.ts');
  const { signal } = context;
  const checked = await checkBackup({ from, signal, tell: tellFile }).finally(clearProgress);
  if (context.isJson) return printJson(checked);
  const { files, bytes, madeAt, release } = checked;
  printLine(`${files} files, ${megabytes(bytes)}, complete, made at ${madeAt} by release ${release}`);
}

function readTarget(words: string[], what: string): string {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new UsageError(`${what} is required, and only one can be named.`);
  loadSettings();
  return resolve(folder);
}

/** Loads the settings that a service started by wrs would have. */
export function loadSettings(): void {
  const file = join(configFolder(), '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

function tellLeftOut(leftOut: { path: string; reason: string }[]): void {
  for (const { path, reason } of leftOut) tellLine(dim(`skipped: ${cleanLine(path)} (${cleanLine(reason)})`));
}

function tellFile(path: string): void {
  showProgress(path);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
