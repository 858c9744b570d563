import { join } from 'node:path';
import * as z from 'zod';
import { findChangedFile, manifestPath, readInstalled } from '../../lib/paths/installed-files.ts';

/** A model's files by name in its folder. */
const MODEL_FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json', 'config.json'] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/** The models in installation order. Each has its own manifest, and is replaced and run independently. */
export const MODEL_KINDS = ['embedder', 'reranker', 'entailment'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Returns the files of a model. Only an entailment model needs its config, for the label names. */
export function filesOf(kind: ModelKind): ModelFile[] {
  return MODEL_FILES.filter((name) => name !== 'config.json' || kind === 'entailment');
}

/**
 * An installed model. The manifest is written last, because a model without a manifest doesn't count as
 * installed. The hashes are from the first download; every start compares the files with them.
 */
const manifestSchema = z.object({
  /** The name includes part of the hash, so another file under the same name gets another name. */
  model: z.string(),
  /** A repository with its commit, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.partialRecord(z.enum(MODEL_FILES), z.object({ bytes: z.number().int(), sha256: z.string() })),
  /** The prefixes with which an embedding model was trained for questions and texts. */
  prefixes: z.object({ query: z.string(), passage: z.string() }).default({ query: '', passage: '' }),
});
export type ModelManifest = z.infer<typeof manifestSchema>;

/**
 * Returns the folder of the packages that run all models, and of the embedding model; the other models are in
 * subfolders.
 */
export function embedderFolder(dataDir: string): string {
  return join(dataDir, 'embedder');
}

/** Returns the folder of a model with its manifest. `folder` is the embedder's. */
export function homeOf(folder: string, kind: ModelKind): string {
  return kind === 'embedder' ? folder : join(folder, kind);
}

export function modelFolder(folder: string): string {
  return join(folder, 'model');
}

/**
 * Returns the manifest, or undefined if no model is installed. Throws for an unreadable manifest, and for missing
 * files.
 */
export async function readManifest(folder: string, kind: ModelKind): Promise<ModelManifest | undefined> {
  const manifest = await readInstalled(homeOf(folder, kind), manifestSchema);
  const lacking = manifest && filesOf(kind).find((name) => manifest.files[name] === undefined);
  if (lacking !== undefined)
    throw new Error(`${manifestPath(homeOf(folder, kind))} lacks ${lacking}. Install it again.`);
  return manifest;
}

/** Returns the first file that differs from the installed one. */
export function findChanged(folder: string, { files }: ModelManifest): Promise<ModelFile | undefined> {
  return findChangedFile(modelFolder(folder), files);
}
