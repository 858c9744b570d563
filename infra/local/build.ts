import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const builds = join(root, '.build');
/** Builds kept: a host that still runs loads its handlers from the one that it was started with. */
const KEPT = 4;

/**
 * The folder of the built functions and host, `.build/<hash of the sources' sizes and times>`; built when it is not
 * there yet. Two builds at once do no harm: each is made aside and renamed.
 */
export async function buildService({ quiet = false } = {}): Promise<string> {
  const output = join(builds, hashOfSources());
  if (existsSync(output)) return output;
  const started = performance.now();
  if (!quiet) process.stdout.write('building … ');
  const aside = `${output}.${process.pid}`;
  await bundle(aside);
  put(aside, output);
  removeOldBuilds();
  if (!quiet) process.stdout.write(`done in ${Math.round(performance.now() - started)} ms\n`);
  return output;
}

/** The same build may have been made by another process meanwhile; then that one serves. */
function put(aside: string, output: string): void {
  try {
    renameSync(aside, output);
  } catch (error) {
    if (!existsSync(output)) throw error;
    rmSync(aside, { recursive: true });
  }
}

/** Packages that are CommonJS inside ask for it. */
const REQUIRE = "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);";

/**
 * Code that several functions share is written once (splitting). Packages are bundled, as they are for Lambda: one file
 * loads in a tenth of the time that the hundred files of a package take. Native ones, and those rarely loaded, are not.
 */
async function bundle(output: string): Promise<void> {
  const [{ build }, { writeDocsAssets }, { readServiceFile }] = await Promise.all([
    import('esbuild'),
    import('../docs-assets.ts'),
    import('./service-file.ts'),
  ]);
  mkdirSync(output, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...globSync('functions/*/handler.ts', { cwd: root }),
      'infra/local/host.ts',
      'infra/local/worker-thread.ts',
      'infra/embedder/program.ts',
    ],
    outdir: output,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    external: ['@lancedb/lancedb', '@larksuiteoapi/node-sdk', 'apache-arrow', 'ogg-opus-decoder', 'unpdf'],
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: 'linked',
    logLevel: 'error',
  });
  writeDocsAssets(join(output, 'assets'));
  // Once a build: ten YAML files and what they say of each other take longer to read than the host to start.
  writeFileSync(join(output, 'service.json'), JSON.stringify(readServiceFile(join(root, 'serverless.yml'))));
  cpSync(join(root, 'lib/formats/cmaps'), join(output, 'lib/formats/cmaps'), { recursive: true });
}

const FOLDERS = ['functions', 'lib', 'infra', 'docs'];

/** Not by a glob, which takes twice the time. */
function filesBelow(folder: string): string[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /\.(ts|yml|md|css)$/.test(path)).map((path) => join(folder, path));
}

/** Every source file with size and time of change: a few hundred stats. */
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

function removeOldBuilds(): void {
  const folders = readdirSync(builds).map((name) => join(builds, name));
  const newestFirst = folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of newestFirst.slice(KEPT)) rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) await buildService({ quiet: process.argv.includes('--quiet') });
