import { join } from 'node:path';
import * as z from 'zod';
import { findChangedFile, readInstalled } from '../../lib/paths/installed-files.ts';

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

export function modelFolder(folder: string): string {
  return join(folder, 'model');
}

/** Undefined where none is installed. Throws for one that cannot be read. */
export function readEmbedderManifest(folder: string): Promise<Manifest | undefined> {
  return readInstalled(folder, manifestSchema);
}

/** The first file that is not what was installed. */
export function findChanged(folder: string, { files }: Manifest): Promise<ModelFile | undefined> {
  return findChangedFile(modelFolder(folder), files);
}
