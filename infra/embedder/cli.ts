import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../../lib/config.ts';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { installEmbedder, installReranker } from './install.ts';
import {
  embedderFolder,
  findChanged,
  type ModelManifest,
  readEmbedderManifest,
  readRerankerManifest,
  rerankerFolder,
} from './manifest.ts';
import { DEFAULT_REPO, DEFAULT_RERANKER_REPO } from './model-source.ts';

const USAGE = `Usage: npm run embedder -- install [--reranker] [--from FOLDER | --repo OWNER/NAME --revision COMMIT]
       npm run embedder -- status
       npm run embedder -- remove [--reranker]`;

const TEXT = { type: 'string' } as const;
const OPTIONS = { reranker: { type: 'boolean' }, from: TEXT, repo: TEXT, revision: TEXT } as const;

await runCommandLine(USAGE, run);

/**
 * A local embedder, for semantic search without a key; with `--reranker`, a model that reads its results again. A running host
 * uses them after its next start.
 */
async function run(): Promise<void> {
  const { positionals, values } = readArguments(OPTIONS);
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}.`);
  const folder = embedderFolder(readConfig().dataDir);
  if (command === 'install') return install(values);
  if (command === 'status') return tell(folder);
  if (command !== 'remove') throw new UsageError('Choose a command: install, status, or remove.');
  if (values.reranker) return removeReranker(folder);
  await rm(folder, { recursive: true, force: true });
  console.log(
    'Removed, with the reranker. Files that it indexed have only keyword search until a sync with another embedder.',
  );
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

async function install({ reranker, from, repo, revision = 'main' }: Values): Promise<void> {
  const config = readConfig();
  const [add, defaultRepo, next] = reranker
    ? [installReranker, DEFAULT_RERANKER_REPO, 'to use it. No sync is needed.']
    : [installEmbedder, DEFAULT_REPO, 'to use it, then sync the workspaces (POST /api/system/reindex).'];
  const folder = from === undefined ? undefined : resolve(from);
  await add(config, { from: folder, repo: repo ?? defaultRepo, revision });
  await tell(embedderFolder(config.dataDir));
  console.log(`Restart the service ${next}`);
}

async function removeReranker(folder: string): Promise<void> {
  await rm(rerankerFolder(folder), { recursive: true, force: true });
  console.log('No reranker is installed now. Restart the service.');
}

async function tell(folder: string): Promise<void> {
  const [embedder, reranker] = await Promise.all([
    readEmbedderManifest(folder).catch(printFailure),
    readRerankerManifest(folder).catch(printFailure),
  ]);
  if (embedder === undefined && reranker === undefined && process.exitCode === undefined)
    return console.log('Not installed. Run npm run embedder -- install.');
  if (embedder !== undefined) await describe('embedder', folder, embedder);
  if (reranker !== undefined) await describe('reranker', rerankerFolder(folder), reranker);
}

/** A damaged manifest doesn't hide the other model. */
function printFailure({ message }: Error): undefined {
  console.error(message);
  process.exitCode = 1;
}

async function describe(kind: string, folder: string, manifest: ModelManifest): Promise<void> {
  const changed = await findChanged(folder, manifest);
  console.log(`${kind} ${manifest.model}, from ${manifest.source}`);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    console.log(
      `file     ${name}, ${bytes} bytes, sha256 ${sha256}${name === changed ? ', CHANGED after the installation' : ''}`,
    );
  }
  if (changed !== undefined) process.exitCode = 1;
}
