import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';
import type { Config } from '../../lib/config.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { embedderFolder, hashModelFile, type Manifest, manifestPath } from './manifest.ts';
import { loadModel } from './model.ts';
import { copyModel, fetchModel, findPrefixes } from './model-source.ts';

export interface InstallOptions {
  /** A folder with the model's files; else they come from the hub. */
  from?: string | undefined;
  repo: string;
  revision: string;
}

const RUNTIME = join(import.meta.dirname, 'runtime');
/** How many characters of the hash tell versions of a model apart. */
const HASH_CHARACTERS = 8;

/**
 * The runtime through npm, with the hashes of its lock file, and the model, into DATA_DIR/embedder. The manifest comes last,
 * when the model has embedded a text: cut short before, nothing is installed, and the next call does all of it again.
 */
export async function installEmbedder(
  config: Config,
  { from, repo, revision }: InstallOptions,
): Promise<Manifest> {
  const folder = embedderFolder(config.dataDir);
  await rm(manifestPath(folder), { force: true });
  await installRuntime(folder);
  const modelFolder = join(folder, 'model');
  const found =
    from === undefined
      ? await fetchModel(config, { id: repo, revision }, modelFolder)
      : await copyModel(from, modelFolder);
  const manifest = await describeModel(folder, found);
  await tryModel(folder);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFileAtomically(join(folder, '.unfinished'), manifestPath(folder), Buffer.from(text));
  return manifest;
}

async function describeModel(
  folder: string,
  { name, source }: { name: string; source: string },
): Promise<Manifest> {
  const files = {
    'model.onnx': await hashModelFile(folder, 'model.onnx'),
    'tokenizer.json': await hashModelFile(folder, 'tokenizer.json'),
    'tokenizer_config.json': await hashModelFile(folder, 'tokenizer_config.json'),
  };
  return {
    model: `${name}@${files['model.onnx'].sha256.slice(0, HASH_CHARACTERS)}`,
    source,
    installedAt: new Date().toISOString(),
    files,
    prefixes: await findPrefixes(join(folder, 'model'), name),
  };
}

async function tryModel(folder: string): Promise<void> {
  const embed = await loadModel(folder, 1);
  const [vector] = await embed(['query: owls hunt at night']);
  if (vector === undefined || !vector.some((value) => value !== 0) || !vector.every(Number.isFinite))
    throw new InvalidInput('the model does not embed texts');
}

/** Without the packages' scripts: that of ONNX would fetch libraries for graphics cards. */
async function installRuntime(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ['package.json', 'package-lock.json']) await cp(join(RUNTIME, name), join(folder, name));
  const npm = process.env.npm_execpath; // that of `npm run`
  const [command, ...args] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const child = spawn(command ?? 'npm', [...args, ...options], { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new InvalidInput(`npm could not install the runtime: code ${code}`);
  await removeOtherSystems(join(folder, 'node_modules/onnxruntime-node/bin/napi-v6'));
}

/** The package brings its library for every system: 290 MB, of which one machine needs 50. */
async function removeOtherSystems(binaries: string): Promise<void> {
  for (const system of await readdir(binaries)) {
    for (const processor of await readdir(join(binaries, system))) {
      if (system === process.platform && processor === process.arch) continue;
      await rm(join(binaries, system, processor), { recursive: true });
    }
  }
}
