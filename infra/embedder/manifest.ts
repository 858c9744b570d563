import { join } from 'node:path';
import * as z from 'zod';
import { findChangedFile, readInstalled } from '../../lib/paths/installed-files.ts';

/** The model's files, by their names in its folder. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/**
 * What is installed in DATA_DIR/embedder, written last: without it nothing is. The hashes are those of the first download;
 * every start compares them.
 */
const manifestSchema = z.object({
  /** Names the vectors: with a part of the hash, so that another file under the same name gets tables of its own. */
  model: z.string(),
  /** A repository with its commit, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.record(z.enum(MODEL_FILES), z.object({ bytes: z.number().int(), sha256: z.string() })),
  /** The prefixes that the model was trained with for a question and for a text. */
  prefixes: z.object({ query: z.string(), passage: z.string() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function embedderFolder(dataDir: string): string {
  return join(dataDir, 'embedder');
}

export function modelFolder(folder: string): string {
  return join(folder, 'model');
}

/** Undefined if none is installed. Throws for an unreadable one. */
export function readEmbedderManifest(folder: string): Promise<Manifest | undefined> {
  return readInstalled(folder, manifestSchema);
}

/** Returns the first file that differs from what was installed. */
export function findChanged(folder: string, { files }: Manifest): Promise<ModelFile | undefined> {
  return findChangedFile(modelFolder(folder), files);
}
