import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readLabels } from '../../lib/adapters/text-embeddings-inference/entailment.ts';
import type { Config } from '../../lib/config.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { findOwnFile } from '../../lib/isolation/folders-above.ts';
import { describeFile, manifestPath } from '../../lib/paths/installed-files.ts';
import { MOST_RERANKED, scoringTime } from '../../lib/retrieval/rank/rerank.ts';
import { ENTAILMENT_MS } from '../../lib/support/entail.ts';
import { installPackages } from '../install-packages.ts';
import { asOnlyInstaller } from '../only-installer.ts';
import { writeManifest } from '../write-manifest.ts';
import { loadEntailmentModel, loadRerankingModel } from './cross-encoders.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import {
  embedderFolder,
  filesOf,
  homeOf,
  type ModelKind,
  type ModelManifest,
  modelFolder,
} from './manifest.ts';
import { copyModel, fetchModel, findPrefixes } from './model-source.ts';
import { modelThreads } from './onnx-model.ts';

export interface InstallOptions {
  /** A folder with the model's files; otherwise they are downloaded from the hub. */
  from?: string | undefined;
  repo: string;
  revision: string;
}

const RUNTIME = findOwnFile(import.meta.dirname, 'infra/embedder/runtime') ?? '';
/** Number of characters of the hash that distinguish versions of a model. */
const HASH_CHARACTERS = 8;

/** Each function throws InvalidInput for a model of the wrong kind. */
const TRIALS: Record<ModelKind, (staged: string) => Promise<void>> = {
  embedder: tryEmbedding,
  reranker: tryReranking,
  entailment: tryEntailment,
};

/**
 * Installs the runtime through npm, with the hashes of its lock file, and a model, into DATA_DIR/embedder, next to the
 * models of other kinds. Replaces an earlier installation only when packages and model are complete and the model was
 * tested.
 */
export async function installModel(config: Config, kind: ModelKind, options: InstallOptions): Promise<void> {
  const packages = embedderFolder(config.dataDir);
  await stageAndReplace(packages, homeOf(packages, kind), async (staged) => {
    const { name, ...manifest } = await fetchInto(config, kind, modelFolder(staged), options);
    const prefixes = kind === 'embedder' && { prefixes: await findPrefixes(modelFolder(staged), name) };
    await TRIALS[kind](staged);
    return { ...manifest, ...prefixes };
  });
}

/**
 * A model counts as installed only once the manifest is written. A failure before that keeps the old
 * installation.
 */
async function stageAndReplace(
  packages: string,
  folder: string,
  fetchAndTry: (staged: string) => Promise<Omit<ModelManifest, 'prefixes'>>,
): Promise<void> {
  const staged = join(packages, 'staged');
  await asOnlyInstaller(packages, async () => {
    await rm(staged, { recursive: true, force: true });
    try {
      await installPackages(RUNTIME, staged);
      await removeOtherSystems(join(staged, 'node_modules/onnxruntime-node/bin/napi-v6'));
      const manifest = await fetchAndTry(staged);
      await rm(manifestPath(folder), { force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of PACKAGES) await replace(join(staged, name), join(packages, name));
      await replace(modelFolder(staged), modelFolder(folder));
      await writeManifest(folder, manifest);
    } finally {
      await rm(staged, { recursive: true, force: true });
    }
  });
}

const PACKAGES = ['node_modules', 'package.json', 'package-lock.json'];

async function replace(staged: string, place: string): Promise<void> {
  await rm(place, { recursive: true, force: true });
  await rename(staged, place);
}

async function fetchInto(
  config: Config,
  kind: ModelKind,
  folder: string,
  { from, repo, revision }: InstallOptions,
) {
  const { name, source } =
    from === undefined
      ? await fetchModel(config, { id: repo, revision }, kind, folder)
      : await copyModel(from, kind, folder);
  const files: ModelManifest['files'] = {};
  for (const file of filesOf(kind)) files[file] = await describeFile(join(folder, file));
  const model = `${name}@${files['model.onnx']?.sha256.slice(0, HASH_CHARACTERS)}`;
  return { name, model, source, installedAt: new Date().toISOString(), files };
}

/**
 * Throws InvalidInput for a cross-encoder, which returns one or two numbers where an embedding model returns hundreds.
 */
async function tryEmbedding(staged: string): Promise<void> {
  const embed = await loadEmbeddingModel(staged, modelFolder(staged), 1);
  const [vector = new Float32Array()] = await embed(['query: owls hunt at night']);
  if (vector.length <= 2 || !vector.some((value) => value !== 0) || !vector.every(Number.isFinite))
    throw new InvalidInput('install_refused', "The model can't embed text. Choose an embedding model.");
}

/** Throws InvalidInput for a model that can't rank, or is too slow for a search on this host. */
async function tryReranking(staged: string): Promise<void> {
  const score = await loadRerankingModel(staged, modelFolder(staged), modelThreads());
  const question = 'when do owls hunt?';
  const owls = await score(question, 'owls hunt at night');
  if (!(owls > (await score(question, 'rivers flow'))))
    throw new InvalidInput(
      'install_refused',
      "The model can't rank texts by a question. Choose a cross-encoder with one score for each pair.",
    );
  const count = await countInTime(scoringTime(), () => score(question, LONG_PASSAGE));
  const most = MOST_RERANKED;
  console.log(
    `On this host, it reads about ${Math.min(count, most)} of the ${most} best results of a search.`,
  );
}

/**
 * Throws InvalidInput for a model that can't distinguish entailed statements from others, or is too slow for an answer.
 */
async function tryEntailment(staged: string): Promise<void> {
  const read = await loadEntailmentModel(staged, modelFolder(staged), modelThreads());
  const entailment = async (sentence: string) =>
    readLabels(await read('owls hunt at night', sentence))?.entailment ?? Number.NaN;
  if (!((await entailment('owls hunt at night')) > (await entailment('rivers flow'))))
    throw new InvalidInput(
      'install_refused',
      "The model can't tell what a text entails. Choose a cross-encoder for natural language inference (NLI), whose labels have names.",
    );
  const count = await countInTime(ENTAILMENT_MS, () => read(LONG_PASSAGE, 'owls hunt at night'));
  console.log(`On this host, it reads about ${count} sentences of an answer, each with its passage.`);
}

/** Returns how many model runs fit into a time. Throws InvalidInput if none does. */
async function countInTime(mostMs: number, run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  const count = Math.floor(mostMs / (performance.now() - startedAt));
  if (count === 0)
    throw new InvalidInput(
      'install_refused',
      `The model needs over ${Math.round(mostMs / 1000)} s for one passage on this host.`,
    );
  return count;
}

/** About 300 tokens, like a typical passage. */
const LONG_PASSAGE = 'owls hunt at night '.repeat(75);

/** Deletes libraries for other systems: of the package's 290 MB, one host needs 50. */
async function removeOtherSystems(binaries: string): Promise<void> {
  for (const system of await readdir(binaries)) {
    for (const processor of await readdir(join(binaries, system))) {
      if (system === process.platform && processor === process.arch) continue;
      await rm(join(binaries, system, processor), { recursive: true });
    }
  }
}
