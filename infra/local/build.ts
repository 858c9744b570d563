import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { writeDocsAssets } from '../docs-assets.ts';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, '.build');
const stampFile = join(output, 'stamp');

/** Builds functions and host into `.build/` unless nothing changed since the last time; answers whether it built. */
export async function buildService({ quiet = false } = {}): Promise<boolean> {
  const stamp = stampOfSources();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  const started = performance.now();
  if (!quiet) process.stdout.write('building … ');
  rmSync(output, { recursive: true, force: true });
  await bundle();
  writeDocsAssets(join(output, 'assets'));
  if (!quiet) process.stdout.write(`done in ${Math.round(performance.now() - started)} ms\n`);
  writeFileSync(stampFile, stamp);
  return true;
}

/** Code that several functions share is written once (splitting); packages stay in node_modules. */
async function bundle(): Promise<void> {
  mkdirSync(output, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...globSync('functions/*/handler.ts', { cwd: root }),
      'infra/local/host.ts',
      'infra/local/worker-thread.ts',
    ],
    outdir: output,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: 'linked',
    logLevel: 'error',
  });
}

/** Every source file with size and time of change: a few hundred stats. */
function stampOfSources(): string {
  const files = globSync(['{functions,lib,infra}/**/*.ts', 'package*.json'], { cwd: root }).sort();
  return files.map((file) => `${file} ${describeFile(join(root, file))}`).join('\n');
}

function describeFile(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}`;
}

if (import.meta.main) await buildService({ quiet: process.argv.includes('--quiet') });
