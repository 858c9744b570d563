import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../../lib/config.ts';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { installEmbedder } from './install.ts';
import { embedderFolder, findChanged, type Manifest, readEmbedderManifest } from './manifest.ts';
import { DEFAULT_REPO } from './model-source.ts';

const USAGE = `usage: npm run embedder -- install [--from FOLDER | --repo OWNER/NAME --revision COMMIT]
       npm run embedder -- status
       npm run embedder -- remove`;

const TEXT = { type: 'string' } as const;
const OPTIONS = { from: TEXT, repo: TEXT, revision: TEXT };

await runCommandLine(USAGE, run);

/** A local embedder, for semantic search without a key. A running host uses it after its next start. */
async function run(): Promise<void> {
  const { positionals, values } = readArguments(OPTIONS);
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`unexpected: ${rest.join(' ')}`);
  const config = readConfig();
  const folder = embedderFolder(config.dataDir);
  if (command === 'install') return install(values);
  if (command === 'status') return tell(folder, await readEmbedderManifest(folder));
  if (command !== 'remove') throw new UsageError('install, status or remove?');
  await rm(folder, { recursive: true, force: true });
  console.log('removed: what was indexed with it is searched by words, until a sync with another embedder');
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

async function install({ from, repo = DEFAULT_REPO, revision = 'main' }: Values): Promise<void> {
  const config = readConfig();
  const folder = from === undefined ? undefined : resolve(from);
  const manifest = await installEmbedder(config, { from: folder, repo, revision });
  await tell(embedderFolder(config.dataDir), manifest);
  console.log('start the service again to use it, then sync the workspaces (POST /api/system/reindex)');
}

async function tell(folder: string, manifest: Manifest | undefined): Promise<void> {
  if (manifest === undefined) return console.log('not installed: npm run embedder -- install');
  const changed = await findChanged(folder, manifest);
  console.log(`model   ${manifest.model}, of ${manifest.source}`);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    console.log(
      `file    ${name}, ${bytes} bytes, sha256 ${sha256}${name === changed ? ': CHANGED since' : ''}`,
    );
  }
  if (changed !== undefined) process.exitCode = 1;
}
