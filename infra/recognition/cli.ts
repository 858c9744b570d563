import { resolve } from 'node:path';
import {
  engineFolder,
  type RecognitionManifest,
  readRecognitionManifest,
} from '../../lib/adapters/tesseract/manifest.ts';
import { operatorCommand } from '../../lib/config/installation.ts';
import { readConfig } from '../../lib/config.ts';
import { findChangedFile } from '../../lib/paths/installed-files.ts';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { installRecognition, removeRecognition } from './install.ts';

const USAGE = `Usage: npm run recognition -- install [--from FOLDER]
       npm run recognition -- status
       npm run recognition -- remove`;

const OPTIONS = { from: { type: 'string' } } as const;

/** Installs OCR for images and scanned pages. A running host uses it after its next start. */
export async function manageRecognition(words: string[], from: string | undefined): Promise<void> {
  const [command, ...rest] = words;
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}.`);
  const { folder } = readConfig().recognition;
  if (folder === undefined) throw new UsageError('Set RECOGNITION_DIR: the AWS deployment needs it.');
  if (command === 'install') return install(folder, from);
  if (command === 'status') return tell(folder, await readRecognitionManifest(folder));
  if (command !== 'remove') throw new UsageError('Choose a command: install, status, or remove.');
  await removeRecognition(folder);
  console.log('Removed. Text that OCR already found stays in the index.');
}

async function install(folder: string, from: string | undefined): Promise<void> {
  await tell(folder, await installRecognition(folder, from && resolve(from)));
  console.log('Restart the service to use it, then sync the workspaces (POST /api/system/reindex).');
}

async function tell(folder: string, manifest: RecognitionManifest | undefined): Promise<void> {
  if (manifest === undefined)
    return console.log(`Not installed. Run ${operatorCommand('recognition install')}.`);
  const changed = await findChangedFile(engineFolder(folder), manifest.files);
  console.log(`OCR engine  ${manifest.id}, from ${manifest.source}`);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const mark = name === changed ? ', CHANGED after the installation' : '';
    console.log(`file        ${name}, ${bytes} bytes, sha256 ${sha256}${mark}`);
  }
  if (changed !== undefined) process.exitCode = 1;
}

if (import.meta.main)
  await runCommandLine(USAGE, () => {
    const { positionals, values } = readArguments(OPTIONS);
    return manageRecognition(positionals, values.from);
  });
