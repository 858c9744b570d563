import { join } from 'node:path';
import * as z from 'zod';
import { findChangedFile, readInstalled } from '../../lib/paths/installed-files.ts';

/** A model's files, by their names in its folder. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/**
 * An installed model, written last: without it nothing is installed. The hashes are those of the first download; every start
 * compares them.
 */
const modelSchema = z.object({
  /** With a part of the hash: another file under the same name gets another name. */
  model: z.string(),
  /** A repository with its commit, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.record(z.enum(MODEL_FILES), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type ModelManifest = z.infer<typeof modelSchema>;

const embedderSchema = modelSchema.extend({
  /** The prefixes that the model was trained with for a question and for a text. */
  prefixes: z.object({ query: z.string(), passage: z.string() }),
});
export type EmbedderManifest = z.infer<typeof embedderSchema>;

/** Contains the packages that run both models, and the embedding model. */
export function embedderFolder(dataDir: string): string {
  return join(dataDir, 'embedder');
}

/** The optional reranking model, with a manifest of its own: either model is replaced without the other. */
export function rerankerFolder(folder: string): string {
  return join(folder, 'reranker');
}

export function modelFolder(folder: string): string {
  return join(folder, 'model');
}

/** Undefined if none is installed. Throws for an unreadable one. */
export function readEmbedderManifest(folder: string): Promise<EmbedderManifest | undefined> {
  return readInstalled(folder, embedderSchema);
}

/** Undefined if none is installed. Throws for an unreadable one. */
export function readRerankerManifest(folder: string): Promise<ModelManifest | undefined> {
  return readInstalled(rerankerFolder(folder), modelSchema);
}

/** Returns the first file that differs from what was installed. */
export function findChanged(folder: string, { files }: ModelManifest): Promise<ModelFile | undefined> {
  return findChangedFile(modelFolder(folder), files);
}
