import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** The model's files, by what they are called in its folder here. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/**
 * What is installed in DATA_DIR/embedder, written last: without it nothing is. The hashes are of the files as they came the
 * first time; at every start they are compared.
 */
const manifestSchema = z.object({
  /** Names the vectors: with a part of the hash, so that another file under the same name gets tables of its own. */
  model: z.string(),
  /** A repository with its commit, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.record(z.enum(MODEL_FILES), z.object({ bytes: z.number().int(), sha256: z.string() })),
  /** What the model was trained to see before a question, and before a text. */
  prefixes: z.object({ query: z.string(), passage: z.string() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function embedderFolder(dataDir: string): string {
  return join(dataDir, 'embedder');
}

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

/** Undefined where none is installed. Throws for one that cannot be read. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(manifestPath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : manifestSchema.parse(JSON.parse(text));
}

export async function hashModelFile(folder: string, name: ModelFile) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, 'model', name)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The first file that is not what was installed. */
export async function findChanged(folder: string, { files }: Manifest): Promise<ModelFile | undefined> {
  for (const name of MODEL_FILES) {
    const found = await hashModelFile(folder, name).catch(() => undefined);
    if (found?.sha256 !== files[name].sha256) return name;
  }
  return undefined;
}
