import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { idleItems, totalOf } from '../../infra/costs/costs.ts';
import { readResources } from '../../infra/costs/read-resources.ts';
import { FRESH_MS } from '../../lib/adapters/secrets-manager/secrets.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The pages about AWS without their line breaks. */
const page = (name: string) => read(`docs/deploy/${name}.md`).replace(/\s+/g, ' ');
const quickstart = page('aws-quickstart');
const options = page('aws-options');
// biome-ignore lint/suspicious/noExplicitAny: the raw file
const { custom, functions } = yaml.load(read('serverless.yml')) as any;

/** The expression as it is in the file. */
const RUNS = '$' + '{self:custom.agentRuns}';
const KEPT_FREE = 100;

/** The number, or the default of `${env:NAME, '50'}` behind `${self:custom.…}`. */
function numberOf(value: unknown): number {
  const name = /^\$\{self:custom\.(\w+)\}$/.exec(String(value))?.[1];
  return name === undefined ? Number(value) : Number(/'(\d+)'/.exec(custom[name])?.[1] ?? custom[name]);
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const reservations = Object.values<any>(functions).map((one) => numberOf(one.reservedConcurrency ?? 0));
const reserved = reservations.reduce((total, value) => total + value, 0);

describe('docs/deploy', () => {
  it('names the quota that a new account needs', () => {
    expect(quickstart).toContain(`| ${reserved + KEPT_FREE}: the commit worker reserves`);
  });

  it('states the maximum number of concurrent runs and commands', () => {
    expect(options).toContain(`| \`${numberOf(RUNS)}\` | Concurrent agent runs`);
    expect(numberOf(functions.commands.reservedConcurrency)).toBe(numberOf(RUNS));
  });

  it('states when a new key takes effect', () => {
    expect(quickstart).toContain(`A key takes effect within ${FRESH_MS / 60_000} minutes`);
    const decision = read('docs/adr/0012-keep-settings-in-one-record-and-keys-in-the-secret-store.md');
    expect(decision).toContain(`Reads and absences are kept ${FRESH_MS / 60_000} minutes`);
  });

  it('states the idle costs that `npm run costs` computes', () => {
    const idle = Math.round(totalOf(idleItems(readResources(root))));
    expect(read('docs/deploy/README.md')).toContain(`About ${idle} USD per month idle`);
  });

  it('states the number of functions', () => {
    expect(quickstart).toContain(`${Object.keys(functions).length} functions`);
  });
});
