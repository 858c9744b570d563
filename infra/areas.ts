import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { VariableDeclaration } from '@swc/core';
import { Visitor } from '@swc/core/Visitor.js';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';

/**
 * Part of `npm run check`: checks the imports against .dependency-cruiser.cjs, and prints the layers of lib/ with the imports
 * between its areas. `node infra/areas.ts [folder]` checks another checkout with the rules of this one.
 */
interface Layers {
  layers: { layer: string; areas: string[] }[];
  exceptions: { from: string[]; to: string }[];
}

const own = resolve(import.meta.dirname, '..');
const root = resolve(process.argv[2] ?? own);
const { layers, exceptions } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'layers.json'), 'utf8'),
) as Layers;

// dependency-cruiser parses with swc's visitor, which lacks `await using`; its declarators are those of a `const`.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if ((statement.type as string) !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(
    (statement as unknown as { decls: VariableDeclaration['declarations'] }).decls,
  );
  return statement;
};

const known = new Set(layers.flatMap(({ areas }) => areas));
const result = await cruiseProject();
const imports = importsOf(result);
const cycles = cyclesOf();
const faults = [
  ...withoutLayer(),
  ...(root === own ? unusedExceptions() : []),
  ...cycles.map((cycle) => `a cycle of areas: ${cycle.join(' → ')}`),
];
printLayers();
const { output } = await format(result, { outputType: 'err' });
if (result.summary.error > 0) process.stdout.write(String(output));
for (const fault of faults) process.stdout.write(`  error ${fault}\n`);
process.exitCode = result.summary.error > 0 || faults.length > 0 ? 1 : 0;

async function cruiseProject(): Promise<ICruiseResult> {
  const { options, ...ruleSet } = await extractDepcruiseConfig(join(own, '.dependency-cruiser.cjs'));
  const folders = ['lib', 'functions', 'infra', 'cli'].filter((folder) => readdirSync(root).includes(folder));
  const { output } = await cruise(folders, { ...options, ruleSet, validate: true, baseDir: root });
  return output as ICruiseResult;
}

/** Returns the areas that each area of lib/ imports. */
function importsOf({ modules }: ICruiseResult): Map<string, Set<string>> {
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

/** An area is a folder of lib/, or a folder of such a folder, if half of it belongs to another layer. */
function areaOf(path: string): string | undefined {
  const [, area, half] = /^lib\/([^/]+)\/(?:([^/]+)\/)?/.exec(relative(root, resolve(root, path))) ?? [];
  return known.has(`${area}/${half}`) ? `${area}/${half}` : area;
}

/** Returns areas that no layer lists, because their imports wouldn't be checked. */
function withoutLayer(): string[] {
  const found = new Set(result.modules.map(({ source }) => areaOf(source)));
  return [...found]
    .filter((area) => area !== undefined && !known.has(area))
    .map((area) => `lib/${area} is in no layer of infra/layers.json`);
}

/** Returns exceptions that no import needs, because each could hide a new import. */
function unusedExceptions(): string[] {
  return exceptions.flatMap(({ from, to }) =>
    from
      .filter((area) => !imports.get(area)?.has(to))
      .map((area) => `infra/layers.json has an unused exception: ${area} → ${to}`),
  );
}

/** Returns an import path for each area that imports itself through others. */
function cyclesOf(): string[][] {
  return [...imports.keys()].flatMap((area) => {
    const path = pathBack(area, [area], new Set());
    return path === undefined ? [] : [path];
  });
}

function pathBack(start: string, path: string[], seen: Set<string>): string[] | undefined {
  for (const next of imports.get(path.at(-1) ?? '') ?? []) {
    if (next === start) return [...path, start];
    if (seen.has(next)) continue;
    seen.add(next);
    const found = pathBack(start, [...path, next], seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function printLayers(): void {
  for (const { layer, areas } of layers.toReversed()) {
    process.stdout.write(`${layer}\n`);
    for (const area of areas) {
      const below = [...(imports.get(area) ?? [])].sort().join(' ');
      process.stdout.write(`  ${area.padEnd(12)} ${below === '' ? '' : `→ ${below}`}\n`);
    }
  }
  const count = [...imports.values()].reduce((sum, { size }) => sum + size, 0);
  process.stdout.write(
    `${layers.length} layers, ${count} imports between areas, ${cycles.length} cycles of areas\n`,
  );
}
