import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { moveIntoPlace } from '../move-into-place.ts';
import { removeOldBuilds, useBuild } from './build-cache.ts';

const root = resolve(import.meta.dirname, '../..');
const builds = join(root, '.build');

/**
 * Returns the folder of the built functions and host, `.build/<hash of the sources' sizes and times>`; builds it if it
 * doesn't exist. Concurrent builds don't conflict, because each is created under another name and renamed.
 */
export async function buildService({ quiet = false } = {}): Promise<string> {
  const output = join(builds, hashOfSources());
  if (existsSync(output)) return output;
  const started = performance.now();
  if (!quiet) process.stdout.write('building … ');
  const aside = `${output}.${process.pid}`;
  await bundleService(aside);
  moveIntoPlace(aside, output);
  removeOldBuilds(builds);
  if (!quiet) process.stdout.write(`done in ${Math.round(performance.now() - started)} ms\n`);
  return output;
}

/** Like buildService, for a process that loads the build. The build stays while the process runs. */
export async function buildServiceForUse(options: { quiet?: boolean } = {}): Promise<string> {
  for (;;) {
    const output = await buildService(options);
    if (useBuild(output)) return output;
  }
}

/** For packages that use CommonJS internally. */
const REQUIRE = [
  "import { createRequire as __cr } from 'node:module'; import { fileURLToPath as __fu } from 'node:url';",
  "import { dirname as __dn } from 'node:path';",
  'const require = __cr(import.meta.url), __filename = __fu(import.meta.url), __dirname = __dn(__filename);',
].join(' ');

/** Packages that are native, or rarely loaded. */
const LEFT_OUT = [
  '@lancedb/lancedb',
  '@larksuiteoapi/node-sdk',
  '@lydell/node-pty',
  '@parcel/watcher',
  'apache-arrow',
  'ogg-opus-decoder',
  'unpdf',
];

/** The settings that the package for users (infra/pack) builds in another way. */
interface Packaging {
  /** Further programs. */
  programs?: string[];
  leftOut?: string[];
  define?: Record<string, string>;
  /** As small as for Lambda, without source maps. */
  isSmall?: boolean;
}

/**
 * Code that several functions share is written once (splitting). Packages are bundled, as for Lambda, because one file
 * loads ten times faster than a package's hundred files. Returns what was bundled.
 */
export async function bundleService(
  output: string,
  { programs = [], leftOut = LEFT_OUT, define = {}, isSmall = false }: Packaging = {},
): Promise<Metafile> {
  const [{ build }, { writeDocsAssets }, { readServiceFile }] = await Promise.all([
    import('esbuild'),
    import('../docs-assets.ts'),
    import('./service-file.ts'),
  ]);
  mkdirSync(output, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...globSync('functions/*/handler.ts', { cwd: root }),
      'infra/local/host.ts',
      'infra/local/worker-thread.ts',
      'infra/local/watch-thread.ts',
      'infra/embedder/program.ts',
      'lib/adapters/process/runner.ts',
      'lib/adapters/process/pty/program.ts',
      ...programs,
    ],
    outdir: output,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    external: leftOut,
    define,
    metafile: true,
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: isSmall,
    sourcemap: isSmall ? false : 'linked',
    logLevel: 'error',
  });
  writeDocsAssets(join(output, 'assets'));
  // Done once per build, because reading ten YAML files and their references takes longer than starting the host.
  writeFileSync(join(output, 'service.json'), JSON.stringify(readServiceFile(join(root, 'serverless.yml'))));
  cpSync(join(root, 'lib/formats/cmaps'), join(output, 'lib/formats/cmaps'), { recursive: true });
  return metafile;
}

const FOLDERS = ['functions', 'lib', 'infra', 'docs'];

/** Walks the folder itself, because a glob would take twice the time. */
function filesBelow(folder: string): string[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /\.(ts|yml|md|css)$/.test(path)).map((path) => join(folder, path));
}

/** Hashes size and modification time of every source file: a few hundred stats. */
function hashOfSources(): string {
  const files = [
    ...FOLDERS.flatMap(filesBelow),
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'web/theme.css'],
    ...['package.json', 'package-lock.json', 'serverless.yml'],
  ].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

if (import.meta.main) await buildService({ quiet: process.argv.includes('--quiet') });
