import { globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { moveIntoPlace } from '../move-into-place.ts';
import { builtPage, builtPages, isBuilt } from './built-page.ts';

const root = resolve(import.meta.dirname, '../..');
/** Number of builds to keep, because a running service serves the build that it found at its start. */
const KEPT = 3;
/** Bytes; below this size, compression saves less than a packet. */
const MIN_COMPRESSED = 1024;

/**
 * `npm run web`: builds the console if its sources changed. `npm start` runs this as a separate process with low
 * priority.
 */
export async function buildPage(): Promise<string> {
  const output = builtPage(root);
  if (isBuilt(root)) return output;
  const aside = `${output}.${process.pid}`;
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: aside, emptyOutDir: true },
  });
  compress(aside);
  moveIntoPlace(aside, output);
  removeOldBuilds();
  return output;
}

function compress(folder: string): void {
  for (const file of globSync('**/*.{html,js,mjs,css,svg,json}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, file));
    if (bytes.length < MIN_COMPRESSED) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

function removeOldBuilds(): void {
  const folders = readdirSync(builtPages(root)).map((name) => join(builtPages(root), name));
  const newestFirst = folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of newestFirst.slice(KEPT)) rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) await buildPage();
