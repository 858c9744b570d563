import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';

/** A file that an operator downloaded, with its hash at that time, with which later checks compare it. */
export interface InstalledFile {
  bytes: number;
  sha256: string;
}

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

/** Returns the manifest of a folder's installation; undefined if there is none. Throws for an unreadable manifest. */
export async function readInstalled<Schema extends z.ZodObject>(
  folder: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const text = await readFile(manifestPath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseManifest(folder, text, schema);
}

function parseManifest<Schema extends z.ZodObject>(folder: string, text: string, schema: Schema) {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${manifestPath(folder)} is damaged. Install it again.`, { cause: error });
  }
}

export async function describeFile(path: string): Promise<InstalledFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Returns the first file that differs from the installed one. */
export async function findChangedFile<Name extends string>(
  folder: string,
  files: Partial<Record<Name, InstalledFile>>,
): Promise<Name | undefined> {
  for (const [name, { sha256 }] of Object.entries(files) as [Name, InstalledFile][]) {
    const found = await describeFile(join(folder, name)).catch(() => undefined);
    if (found?.sha256 !== sha256) return name;
  }
  return undefined;
}
