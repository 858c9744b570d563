import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../lib/config.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { describeFile, manifestPath } from '../../lib/paths/installed-files.ts';
import { installPackages } from '../install-packages.ts';
import { writeManifest } from '../write-manifest.ts';
import { embedderFolder, type Manifest, modelFolder } from './manifest.ts';
import { loadModel } from './model.ts';
import { copyModel, fetchModel, findPrefixes } from './model-source.ts';

export interface InstallOptions {
  /** A folder with the model's files; otherwise they are downloaded from the hub. */
  from?: string | undefined;
  repo: string;
  revision: string;
}

const RUNTIME = join(import.meta.dirname, 'runtime');
/** How many characters of the hash distinguish versions of a model. */
const HASH_CHARACTERS = 8;

/**
 * Installs the runtime through npm, with the hashes of its lock file, and the model, into DATA_DIR/embedder. The manifest is
 * written last, after the model has embedded a text: an interrupted installation leaves nothing installed, and the next call
 * repeats it.
 */
export async function installEmbedder(
  config: Config,
  { from, repo, revision }: InstallOptions,
): Promise<Manifest> {
  const folder = embedderFolder(config.dataDir);
  await rm(manifestPath(folder), { force: true });
  await installPackages(RUNTIME, folder);
  await removeOtherSystems(join(folder, 'node_modules/onnxruntime-node/bin/napi-v6'));
  const found =
    from === undefined
      ? await fetchModel(config, { id: repo, revision }, modelFolder(folder))
      : await copyModel(from, modelFolder(folder));
  const manifest = await describeModel(folder, found);
  await tryModel(folder);
  await writeManifest(folder, manifest);
  return manifest;
}

async function describeModel(
  folder: string,
  { name, source }: { name: string; source: string },
): Promise<Manifest> {
  const files = {
    'model.onnx': await describeFile(join(modelFolder(folder), 'model.onnx')),
    'tokenizer.json': await describeFile(join(modelFolder(folder), 'tokenizer.json')),
    'tokenizer_config.json': await describeFile(join(modelFolder(folder), 'tokenizer_config.json')),
  };
  return {
    model: `${name}@${files['model.onnx'].sha256.slice(0, HASH_CHARACTERS)}`,
    source,
    installedAt: new Date().toISOString(),
    files,
    prefixes: await findPrefixes(modelFolder(folder), name),
  };
}

async function tryModel(folder: string): Promise<void> {
  const embed = await loadModel(folder, 1);
  const [vector] = await embed(['query: owls hunt at night']);
  if (vector === undefined || !vector.some((value) => value !== 0) || !vector.every(Number.isFinite))
    throw new InvalidInput('invalid_value', 'the model does not embed texts');
}

/** The package contains its library for every system: 290 MB, of which one host needs 50. */
async function removeOtherSystems(binaries: string): Promise<void> {
  for (const system of await readdir(binaries)) {
    for (const processor of await readdir(join(binaries, system))) {
      if (system === process.platform && processor === process.arch) continue;
      await rm(join(binaries, system, processor), { recursive: true });
    }
  }
}
