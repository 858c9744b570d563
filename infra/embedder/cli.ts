import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { operatorCommand } from '../../lib/config/installation.ts';
import { readConfig } from '../../lib/config.ts';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { installModel } from './install.ts';
import {
  embedderFolder,
  findChanged,
  homeOf,
  MODEL_KINDS,
  type ModelKind,
  type ModelManifest,
  readManifest,
} from './manifest.ts';
import { DEFAULT_REPOS } from './model-source.ts';

const USAGE = `Usage: npm run embedder -- install [--reranker | --entailment] [--from FOLDER | --repo OWNER/NAME --revision COMMIT]
       npm run embedder -- status
       npm run embedder -- remove [--reranker | --entailment]`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = { reranker: FLAG, entailment: FLAG, from: TEXT, repo: TEXT, revision: TEXT } as const;
const NAMES: Record<ModelKind, string> = {
  embedder: 'embedder',
  reranker: 'reranker',
  entailment: 'entailment model',
};

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

/**
 * Installs a local embedder, for semantic search without a key; with `--reranker`, a model that reranks its results;
 * with `--entailment`, a model that judges whether passages support sentences. A running host uses them after its next
 * start.
 */
export async function manageModels(words: string[], values: Values): Promise<void> {
  const [command, ...rest] = words;
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}.`);
  const folder = embedderFolder(readConfig().dataDir);
  if (command === 'install') return install(values);
  if (command === 'status') return tell(folder);
  if (command !== 'remove') throw new UsageError('Choose a command: install, status, or remove.');
  const kind = kindOf(values);
  await rm(homeOf(folder, kind), { recursive: true, force: true });
  console.log(
    kind === 'embedder'
      ? 'Removed, with all of its models. Files that it indexed have only keyword search until a sync with another embedder.'
      : `Removed: ${NAMES[kind]}. Restart the service.`,
  );
}

function kindOf({ reranker = false, entailment = false }: Values): ModelKind {
  if (reranker && entailment) throw new UsageError('Choose one of --reranker and --entailment.');
  if (reranker) return 'reranker';
  return entailment ? 'entailment' : 'embedder';
}

async function install({ from, repo, revision = 'main', ...flags }: Values): Promise<void> {
  const config = readConfig();
  const kind = kindOf(flags);
  const folder = from === undefined ? undefined : resolve(from);
  await installModel(config, kind, { from: folder, repo: repo ?? DEFAULT_REPOS[kind], revision });
  await tell(embedderFolder(config.dataDir));
  const next =
    kind === 'embedder' ? ', then sync the workspaces (POST /api/system/reindex).' : '. No sync is needed.';
  console.log(`Restart the service to use it${next}`);
}

async function tell(folder: string): Promise<void> {
  const manifests = await Promise.all(
    MODEL_KINDS.map((kind) => readManifest(folder, kind).catch(printFailure)),
  );
  if (manifests.every((manifest) => manifest === undefined) && process.exitCode === undefined)
    return console.log(`Not installed. Run ${operatorCommand('embedder install')}.`);
  for (const [at, kind] of MODEL_KINDS.entries()) {
    const manifest = manifests[at];
    if (manifest !== undefined) await describe(kind, homeOf(folder, kind), manifest);
  }
}

/** Reports a damaged manifest without hiding the other models. */
function printFailure({ message }: Error): undefined {
  console.error(message);
  process.exitCode = 1;
}

async function describe(kind: ModelKind, folder: string, manifest: ModelManifest): Promise<void> {
  const changed = await findChanged(folder, manifest);
  console.log(`${NAMES[kind]} ${manifest.model}, from ${manifest.source}`);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    console.log(
      `file     ${name}, ${bytes} bytes, sha256 ${sha256}${name === changed ? ', CHANGED after the installation' : ''}`,
    );
  }
  if (changed !== undefined) process.exitCode = 1;
}

if (import.meta.main)
  await runCommandLine(USAGE, () => {
    const { positionals, values } = readArguments(OPTIONS);
    return manageModels(positionals, values);
  });
