import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the built console in the installed package. */
export const PACKED_PAGE = 'console';

/**
 * The folder of the built console: `node_modules/.cache/console/<hash of its sources>`. It's next to its packages, so
 * it's deleted with them, shared by every data folder of this checkout, and in no backup.
 */
export function builtPages(root: string): string {
  return join(root, 'node_modules/.cache/console');
}

/**
 * Returns the folder of the page for the current sources; it may not exist yet. The installed package has no sources,
 * but the built page in `console`.
 */
export function builtPage(root: string): string {
  const packed = join(root, PACKED_PAGE);
  return existsSync(packed) ? packed : join(builtPages(root), hashOfPage(root));
}

export function isBuilt(root: string): boolean {
  return existsSync(join(builtPage(root), 'index.html'));
}

const SOURCES = [
  'web/**/*.{ts,tsx,css,html,json,svg}',
  'lib/{api-contract,error-messages}/*.{ts,json}',
  'infra/web/*.ts',
  'package-lock.json',
];

/** Hashes contents, not times, so that a fresh checkout of built sources isn't built again. */
function hashOfPage(root: string): string {
  const files = globSync(SOURCES, { cwd: root }).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
