import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { computedPages, pageWith } from './pages.ts';
import { readResources } from './read-resources.ts';
import { capacityTables, costTables, loadLine } from './tables.ts';

/**
 * `npm run costs` prints what a stage costs and which limit a team reaches first, from serverless.yml and the data files here:
 * prices.json, quotas.json, load.json, and measured.json. `--stage NAME` takes another stage's settings; `--write` brings the
 * tables for the stage `dev` into the docs pages.
 */
const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { stage: { type: 'string', default: 'dev' }, write: { type: 'boolean', default: false } },
});

if (values.write) {
  for (const { file, tables } of computedPages(root)) writeFileSync(file, pageWith(file, tables));
} else {
  const resources = readResources(root, values.stage);
  for (const tables of [costTables(resources), capacityTables(resources)])
    for (const [heading, table] of Object.entries(tables)) console.log(`${heading}\n\n${table}\n`);
  console.log(loadLine());
}
