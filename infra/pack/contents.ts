import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest name of a package in a path below `node_modules`. */
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Returns the names of the packages that these files belong to. */
export function packagesOf(files: Iterable<string>): string[] {
  return [...new Set([...files].flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))].sort();
}

/** Returns the notices that the licenses of these packages require wherever their code is copied. */
export function licensesOf(root: string, names: string[]): string {
  return names.map((name) => licenseOf(join(root, 'node_modules', name), name)).join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(folder: string, name: string): string {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = globSync('{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*', { cwd: folder }).sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}

interface Sbom {
  components: { name: string; purl: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** Returns the software bill of materials (CycloneDX) of these packages, from the lock file. */
export function sbomOf(root: string, names: string[]): string {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const all = JSON.parse(execFileSync('npm', args, { cwd: root, maxBuffer: 64e6 }).toString()) as Sbom;
  const components = all.components.filter(({ name }) => names.includes(name));
  return JSON.stringify({ ...all, components, dependencies: [] }, null, 2);
}
