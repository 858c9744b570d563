import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { computedPages, pageWith } from './pages.ts';
import { readResources } from './read-resources.ts';
import { capacityTables, costTables, loadLine } from './tables.ts';

/**
 * `npm run costs` prints what a stage costs and which limit a team reaches first, from serverless.yml and the data files here:
 * prices.json, quotas.json, load.json, and measured.json. `--stage NAME` takes another stage's settings; `--write` brings the
 * tables for the stage `dev` into the docs pages.
 */
const USAGE = `npm run costs                    costs and limits of the stage dev, for several team sizes
npm run costs -- --stage NAME    with the settings of infra/stages/NAME.yml
npm run costs -- --write         writes the tables for the stage dev into docs/deploy`;

const root = resolve(import.meta.dirname, '../..');

await runCommandLine(USAGE, async () => {
  const { values } = readArguments({
    stage: { type: 'string', default: 'dev' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  if (values.help) console.log(USAGE);
  else if (values.write) writePages();
  else printTables(values.stage);
});

function writePages(): void {
  for (const { file, tables } of computedPages(root)) writeFileSync(file, pageWith(file, tables));
}

function printTables(stage: string): void {
  if (!existsSync(join(root, `infra/stages/${stage}.yml`)))
    throw new UsageError(`There is no infra/stages/${stage}.yml.`);
  const resources = readResources(root, stage);
  for (const tables of [costTables(resources), capacityTables(resources)])
    for (const [heading, table] of Object.entries(tables)) console.log(`${heading}\n\n${table}\n`);
  console.log(loadLine());
}
