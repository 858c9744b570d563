import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { idleItems, totalOf } from '../../infra/costs/costs.ts';
import { readResources } from '../../infra/costs/read-resources.ts';
import { FRESH_MS } from '../../lib/adapters/secrets-manager/secrets.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Returns a page about AWS without its line breaks. */
const page = (name: string) => read(`docs/deploy/${name}.md`).replace(/\s+/g, ' ');
const quickstart = page('aws-quickstart');
const options = page('aws-options');
// biome-ignore lint/suspicious/noExplicitAny: the raw file
const { custom, functions } = yaml.load(read('serverless.yml')) as any;

describe('docs/deploy', () => {
  it('states the limit of concurrent runs', () => {
    expect(options).toContain(`| \`${/'(\d+)'/.exec(custom.agentRuns)?.[1]}\` | Concurrent agent runs`);
  });

  it('states when a new key takes effect', () => {
    expect(quickstart).toContain(`A key takes effect within ${FRESH_MS / 60_000} minutes`);
    const decision = read('docs/adr/0012-keep-settings-in-one-record-and-keys-in-the-secret-store.md');
    expect(decision).toContain(`Values and the absence of keys are cached for ${FRESH_MS / 60_000} minutes`);
  });

  it('states the idle costs that `npm run costs` computes', () => {
    const idle = Math.round(totalOf(idleItems(readResources(root))));
    expect(read('docs/deploy/README.md')).toContain(`About ${idle} USD per month idle`);
  });

  it('states the number of functions', () => {
    expect(quickstart).toContain(`${Object.keys(functions).length} functions`);
  });
});
