import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest name of a package in a path below `node_modules`. */
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Returns the names of the packages that these files belong to. */
export function packagesOf(files: Iterable<string>): string[] {
  return [...new Set([...files].flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))].sort();
}

/**
 * Returns the files of the repository at or below these paths. Others next to them, such as a `.env` for Compose, must
 * not be published. Throws if nothing is at one of the paths.
 */
export function trackedFiles(root: string, paths: string[]): string[] {
  const args = ['ls-files', '-z', '--error-unmatch', '--', ...paths];
  return execFileSync('git', args, { cwd: root }).toString().split('\0').filter(Boolean);
}

/** Returns the notices that the licenses of these packages require wherever their code is copied, each once. */
export function licensesOf(root: string, names: string[]): string {
  const packages = Map.groupBy(names, (name) => noticesIn(join(root, 'node_modules', name)));
  const texts = [...packages].map(
    ([notices, same]) => `${same.map((name) => titleOf(root, name)).join('\n')}\n\n${notices}`,
  );
  return texts.map((text) => `${text.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

function noticesIn(folder: string): string {
  const files = globSync('{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*', { cwd: folder }).sort();
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
}

function titleOf(root: string, name: string): string {
  const { version, license } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return `${name} ${version} (${license})`;
}

const MAX_SBOM_BYTES = 64 * 1024 * 1024;

interface Sbom {
  metadata: { component: object };
  components: { name: string; properties?: unknown }[];
}

/**
 * Returns the software bill of materials (CycloneDX) of these packages, from the lock file. Leaves out what npm says about
 * their place in the repository: which are for its development, and who depends on whom.
 */
export function sbomOf(root: string, names: string[]): string {
  // Vite has set NODE_ENV, for which npm would omit the packages of the console.
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--include', 'dev'];
  const said = execFileSync('npm', args, { cwd: root, maxBuffer: MAX_SBOM_BYTES });
  const { metadata, components, ...all } = JSON.parse(said.toString()) as Sbom;
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return JSON.stringify({
    ...all,
    metadata: { ...metadata, component: { ...metadata.component, type: 'application', name } },
    components: components
      .filter((component) => names.includes(component.name))
      .map(({ properties, ...component }) => component),
    dependencies: undefined,
  });
}
