import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stageVariables } from '../../infra/stack/stage.ts';
import { QUEUE_URL_PREFIX } from '../../lib/config/cloud.ts';
import { environmentSchema } from '../../lib/config.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the first column of every table on a page: `` | `NAME`, `NAME` | … ``. */
function variablesOfTables(page: string): string[] {
  const cells = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_*]*)`/g)].map(([, name = '']) => name));
}

/** The variables that programs of infra/ read by name, in addition to lib/config.ts. */
function variablesReadBy(pattern: string): string[] {
  const sources = globSync(pattern, { cwd: root }).map(read).join('\n');
  return [...sources.matchAll(/process\.env\.([A-Z0-9_]+)/g)].map(([, name = '']) => name);
}

describe('configuration table', () => {
  it('lists each variable once, and no unknown variable', () => {
    const fromConfig = [...Object.keys(environmentSchema.shape), `${QUEUE_URL_PREFIX}*`];
    const all = new Set([...fromConfig, ...variablesReadBy('infra/**/*.ts')]);
    expect(variablesOfTables(read('docs/reference/configuration.md')).sort()).toEqual([...all].sort());
  });
});

describe('environment', () => {
  it('is read by functions only in lib/config.ts, and passed only in part to isolated processes', () => {
    const files = globSync('{lib,functions}/**/*.ts', { cwd: root });
    expect(files.filter((file) => read(file).includes('process.env'))).toEqual([
      'lib/config.ts',
      'lib/isolation/start-process.ts',
    ]);
  });
});

describe('options in docs/deploy/aws-options.md', () => {
  /** `HUB_*_BASE_URL` stands for several variables. */
  const documented = variablesOfTables(read('docs/deploy/aws-options.md'));
  const deployed = stageVariables(root);
  const stands = (option: string, name: string) =>
    new RegExp(`^${option.replaceAll('*', '[A-Z0-9_]+')}$`).test(name);

  it('list every variable of a deployment', () => {
    const missing = deployed.filter((name) => !documented.some((option) => stands(option, name)));
    expect(missing).toEqual([]);
  });

  it('list no other variables', () => {
    expect(documented.filter((option) => !deployed.some((name) => stands(option, name)))).toEqual([]);
  });
});
