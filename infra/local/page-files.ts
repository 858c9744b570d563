import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mime from 'mime';

export interface PageFile {
  type: string;
  /** True if the file's name contains the hash of its content. */
  immutable: boolean;
  etag: string;
  bytes: Record<'identity' | 'br' | 'gzip', Buffer | undefined>;
}

export function cacheControl({ immutable }: PageFile): string {
  return immutable ? 'public, max-age=31536000, immutable' : 'no-store';
}

/**
 * Reads the files of a built page by their URL. URLs are looked up in a table and never joined to a folder,
 * so no URL leads outside. A page has 8 MB, most of it for PDFs, and stays in memory.
 */
export function readPageFiles(folder: string): Map<string, PageFile> {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
  const known = new Set(names);
  const served = names.filter((name) => !/\.(br|gz)$|^\/\.vite\//.test(name));
  return new Map(served.map((name) => [name, readPageFile(folder, name, known)]));
}

function readPageFile(folder: string, name: string, known: Set<string>): PageFile {
  const read = (end: string) => (known.has(name + end) ? readFileSync(join(folder, name + end)) : undefined);
  const identity = readFileSync(join(folder, name));
  const type = mime.getType(name) ?? 'application/octet-stream';
  return {
    type: /^text\/|javascript$|json$|svg/.test(type) ? `${type}; charset=utf-8` : type,
    immutable: name.startsWith('/assets/'),
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bytes: { identity, br: read('.br'), gzip: read('.gz') },
  };
}
