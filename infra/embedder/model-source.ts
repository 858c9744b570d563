import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';
import type { Config } from '../../lib/config.ts';
import { hashFile } from '../../lib/datasets/download/digest.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { Hub, HubFile, PinnedRepo } from '../../lib/ports/hub.ts';
import { openHubs } from '../../lib/wiring/hubs.ts';
import { filesOf, type ModelFile, type ModelKind } from './manifest.ts';

/**
 * Public copies in the required format. The embedder is multilingual, MIT, 120 MB. The reranker is English, Apache-2.0,
 * 23 MB. The entailment model supports 27 languages, MIT, 340 MB.
 */
export const DEFAULT_REPOS: Record<ModelKind, string> = {
  embedder: 'Xenova/multilingual-e5-small',
  reranker: 'Xenova/ms-marco-MiniLM-L-6-v2',
  entailment: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7',
};
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/** Where each file may be, in a repository or a folder; the first existing one counts. */
const PLACES: Record<ModelFile, string[]> = {
  'model.onnx': ['onnx/model_quantized.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'],
  'tokenizer.json': ['tokenizer.json'],
  'tokenizer_config.json': ['tokenizer_config.json'],
  'config.json': ['config.json'],
};

export interface FoundModel {
  /** The name without the hash. */
  name: string;
  source: string;
}

/** Copies the model's files from a folder. Throws InvalidInput if one is missing. */
export async function copyModel(from: string, kind: ModelKind, to: string): Promise<FoundModel> {
  for (const name of filesOf(kind)) {
    const place = PLACES[name].find((path) => existsSync(join(from, path)));
    if (place === undefined)
      throw new InvalidInput('install_refused', `${from} has no ${PLACES[name].join(' or ')}.`);
    await put(to, name, createReadStream(join(from, place)));
  }
  return { name: basename(from), source: from };
}

/**
 * Downloads the model's files from a Hugging Face repository, at the current commit of its revision. Compares
 * them with the hashes that the hub reports, which are the only reference.
 */
export async function fetchModel(
  config: Config,
  repo: { id: string; revision: string },
  kind: ModelKind,
  to: string,
): Promise<FoundModel> {
  const { hub_a: hub } = openHubs(config);
  const commit = await hub.pin({ type: 'model', ...repo });
  const pinned: PinnedRepo = { type: 'model', id: repo.id, commit };
  const files = await listFiles(hub, pinned);
  for (const name of filesOf(kind)) {
    const file = PLACES[name].map((path) => files.get(path)).find((found) => found !== undefined);
    if (file === undefined)
      throw new InvalidInput('install_refused', `${repo.id} has no ${PLACES[name].join(' or ')}.`);
    if (file.size > MAX_BYTES)
      throw new InvalidInput('install_refused', `${file.path} is over 2 GB. Choose a smaller model.`);
    console.log(`Downloading ${file.path}, ${Math.ceil(file.size / 1e6)} MB`);
    await put(to, name, checked(hub, pinned, file));
  }
  return { name: basename(repo.id), source: `${repo.id}@${commit}` };
}

async function listFiles(hub: Hub, repo: PinnedRepo): Promise<Map<string, HubFile>> {
  const files = new Map<string, HubFile>();
  for await (const page of hub.listFiles(repo)) {
    for (const file of page.files) files.set(file.path, file);
  }
  return files;
}

/** Yields the bytes as they arrive; throws at the end if they don't match the hub's hash. */
async function* checked(hub: Hub, repo: PinnedRepo, file: HubFile): AsyncGenerator<Buffer> {
  const { body } = await hub.openFile(repo, file.path, { offset: 0 });
  const hash = hashFile(file);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > file.size)
      throw new InvalidInput(
        'install_refused',
        `${file.path} is longer than Hugging Face announced. Try again.`,
      );
    hash.update(chunk);
    yield chunk;
  }
  hash.verify();
}

async function put(folder: string, name: ModelFile, bytes: AsyncIterable<Buffer>): Promise<void> {
  await writeFileAtomically(join(folder, '.unfinished'), join(folder, name), bytes);
}

/** Models of the e5 family were trained with these prefixes, which a model's config doesn't mention. */
export async function findPrefixes(
  folder: string,
  name: string,
): Promise<{ query: string; passage: string }> {
  const text = await readFile(join(folder, 'tokenizer_config.json'), 'utf8');
  const isE5 = /\be5\b/i.test(name) || /\be5\b/i.test(text);
  return isE5 ? { query: 'query: ', passage: 'passage: ' } : { query: '', passage: '' };
}
