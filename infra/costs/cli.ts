import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments, runCommandLine, UsageError } from '../command-line.ts';
import { computedPages, pageWith } from './pages.ts';

/**
 * `npm run costs`: prices.json times the load in load.json, using the counts per request in measured.json and the
 * deployment in serverless.yml. `npm run bench` measures the counts again; a test compares. Each price names its
 * source.
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
  if (values.help) return console.log(USAGE);
  if (!existsSync(join(root, `infra/stages/${values.stage}.yml`)))
    throw new UsageError(`There is no infra/stages/${values.stage}.yml.`);
  for (const { file, tables } of computedPages(root, values.write ? 'dev' : values.stage)) {
    if (values.write) writeFileSync(file, pageWith(file, tables));
    else for (const [heading, table] of Object.entries(tables)) console.log(`${heading}\n\n${table}\n`);
  }
});
