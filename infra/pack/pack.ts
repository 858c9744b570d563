import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundleService } from '../local/build.ts';
import { buildPage } from '../web/build.ts';
import { PACKED_PAGE } from '../web/built-page.ts';
import { licensesOf, packagesOf, sbomOf, trackedFiles } from './contents.ts';
import { packageFile } from './package-file.ts';

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const staged = join(root, '.cache/package');

/** Files that are the same in the package. */
const COPIED = [
  'LICENSE',
  'CHANGELOG.md',
  'cli/wrs.mjs',
  'cli/workspace-research-service.mjs',
  'infra/container',
  'infra/embedder/runtime',
  'infra/recognition/packages',
  'infra/systemd',
];
/** Packages whose files are copied, or processed by Tailwind. */
const COPIED_FROM = ['node_modules/swagger-ui-dist/', 'node_modules/tailwindcss/'];
/** Packages that esbuild leaves out: each has native code, or is never loaded. */
const LEFT_OUT = [
  '@lancedb/lancedb-*',
  '@huggingface/transformers',
  '@lydell/node-pty',
  '@wasm-audio-decoders/opus-ml',
];

/**
 * `npm run pack`: builds the package that users install, `dist/workspace-research-service-VERSION.tgz`: service, console,
 * and `wrs`, already built, with the licenses of bundled packages and a software bill of materials.
 */
async function pack(): Promise<void> {
  for (const folder of [dist, staged]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(dist);
  const { inputs } = await bundleService(staged, {
    programs: ['cli/main.ts', 'infra/local/installed.ts'],
    leftOut: LEFT_OUT,
    define: { INSTALLED_PACKAGE: 'true' },
    isSmall: true,
  });
  const page = await buildPage();
  // Browsers that don't take Brotli get the plain file.
  cpSync(page, join(staged, PACKED_PAGE), { recursive: true, filter: (path) => !path.endsWith('.gz') });
  for (const path of trackedFiles(root, COPIED)) cpSync(join(root, path), join(staged, path));
  cpSync(join(import.meta.dirname, 'package-readme.md'), join(staged, 'README.md'));
  // They build the image next to the tarball.
  for (const path of trackedFiles(root, ['infra/container']))
    cpSync(join(root, path), join(dist, basename(path)));
  describe(Object.keys(inputs), page);
  const packed = execFileSync('npm', ['pack', staged, '--pack-destination', dist, '--json'], {
    maxBuffer: 64e6,
  });
  const [{ filename, size, unpackedSize }] = JSON.parse(packed.toString());
  console.log(`dist/${filename}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
}

/** Writes what npm reads and what the package contains. */
function describe(inputs: string[], page: string): void {
  const file = packageFile(root);
  const inPage = JSON.parse(readFileSync(join(page, '.vite/packages.json'), 'utf8')) as string[];
  const bundled = packagesOf([...inputs, ...inPage, ...COPIED_FROM]);
  const installed = Object.keys(file.optionalDependencies as object);
  writeFileSync(join(staged, 'package.json'), JSON.stringify(file, null, 2));
  writeFileSync(join(staged, 'THIRD-PARTY-LICENSES.txt'), licensesOf(root, bundled));
  writeFileSync(join(staged, 'sbom.cdx.json'), sbomOf(root, [...bundled, ...installed, 'node']));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

await pack();
