import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';

/**
 * Part of `npm run check`: holds the imports against .dependency-cruiser.cjs, and prints the storeys of lib/ with the arrows
 * between its areas. `node infra/areas.ts [folder]` looks at another checkout, with this one's rules.
 */
interface Storey {
  storey: string;
  areas: string[];
}

const own = resolve(import.meta.dirname, '..');
const root = resolve(process.argv[2] ?? own);
const storeys = JSON.parse(readFileSync(join(import.meta.dirname, 'storeys.json'), 'utf8')) as Storey[];

const result = await cruiseHouse();
const arrows = arrowsOf(result);
const circles = circlesOf();
const faults = [...homeless(), ...circles.map((circle) => `a circle of areas: ${circle.join(' → ')}`)];
printStoreys();
const { output } = await format(result, { outputType: 'err' });
if (result.summary.error > 0) process.stdout.write(String(output));
for (const fault of faults) process.stdout.write(`  error ${fault}\n`);
process.exitCode = result.summary.error > 0 || faults.length > 0 ? 1 : 0;

async function cruiseHouse(): Promise<ICruiseResult> {
  const { options, ...ruleSet } = await extractDepcruiseConfig(join(own, '.dependency-cruiser.cjs'));
  const folders = ['lib', 'functions', 'infra', 'cli'].filter((folder) => readdirSync(root).includes(folder));
  const { output } = await cruise(folders, { ...options, ruleSet, validate: true, baseDir: root });
  return output as ICruiseResult;
}

/** The areas that each area of lib/ imports. */
function arrowsOf({ modules }: ICruiseResult): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = areaOf(source);
    for (const { resolved } of dependencies) {
      const to = areaOf(resolved);
      if (from === undefined || to === undefined || from === to) continue;
      found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return found;
}

function areaOf(path: string): string | undefined {
  return /^lib\/([^/]+)\//.exec(relative(root, resolve(root, path)))?.[1];
}

/** Areas that stand on no storey: their arrows would not be looked at. */
function homeless(): string[] {
  const known = new Set(storeys.flatMap(({ areas }) => areas));
  return readdirSync(join(root, 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !known.has(entry.name))
    .map(({ name }) => `lib/${name} stands on no storey of infra/storeys.json`);
}

/** For each area that reaches itself, the way there. */
function circlesOf(): string[][] {
  return [...arrows.keys()].flatMap((area) => {
    const way = wayBack(area, [area], new Set());
    return way === undefined ? [] : [way];
  });
}

function wayBack(home: string, way: string[], seen: Set<string>): string[] | undefined {
  for (const next of arrows.get(way.at(-1) ?? '') ?? []) {
    if (next === home) return [...way, home];
    if (seen.has(next)) continue;
    seen.add(next);
    const found = wayBack(home, [...way, next], seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function printStoreys(): void {
  for (const { storey, areas } of storeys.toReversed()) {
    process.stdout.write(`${storey}\n`);
    for (const area of areas) {
      const below = [...(arrows.get(area) ?? [])].sort().join(' ');
      process.stdout.write(`  ${area.padEnd(12)} ${below === '' ? '' : `→ ${below}`}\n`);
    }
  }
  const count = [...arrows.values()].reduce((sum, { size }) => sum + size, 0);
  process.stdout.write(`${storeys.length} storeys, ${count} arrows, ${circles.length} circles of areas\n`);
}
