import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openApiText } from '../../infra/openapi.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { startService } from '../support/service.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import {
  generate,
  installGenerators,
  runNode,
  type Target,
  tourOpenapiFetch,
  tourPython,
  tourPythonClient,
  tourTypescriptFetch,
  VERSIONS,
} from './clients/generators.ts';
import { runTenCallsInPython, runTenCallsInTypescript } from './clients/ten-calls.ts';
import { TOUR } from './clients/tour.ts';
import { runCommand } from './servers/install.ts';

/**
 * Clients that third-party generators create from our OpenAPI document: each compiles, and those for Python
 * and TypeScript run the tour against a running service. `npm run test:clients -- python`: the rows whose
 * names match.
 */
const { openapiGenerator, openapiPythonClient, openapiTypescript, openapiFetch } = VERSIONS;
const PAGE = resolve(import.meta.dirname, '../../docs/reference/conformance.md');

interface Row {
  name: string;
  version: string;
  /** A program that the row needs in addition to the installed programs. */
  needs?: string;
  run(target: Target): Promise<string>;
}

const ROWS: Row[] = [
  { name: 'openapi-generator -g python', version: openapiGenerator, run: tourPython },
  { name: 'openapi-python-client', version: openapiPythonClient, run: tourPythonClient },
  {
    name: 'openapi-typescript, openapi-fetch',
    version: `${openapiTypescript}, ${openapiFetch}`,
    run: tourOpenapiFetch,
  },
  { name: 'openapi-generator -g typescript-fetch', version: openapiGenerator, run: tourTypescriptFetch },
  { name: 'openapi-generator -g go', version: openapiGenerator, needs: 'go', run: compileGo },
  { name: 'openapi-generator -g java', version: openapiGenerator, needs: 'mvn', run: compileJava },
  { name: 'datamodel-codegen', version: VERSIONS.datamodelCodegen, run: importModels },
  { name: 'Redocly CLI, recommended', version: VERSIONS.redocly, run: lintByRedocly },
  { name: 'Spectral, spectral:oas', version: VERSIONS.spectral, run: lintBySpectral },
  { name: 'ten calls of the page, Python', version: openapiGenerator, run: runTenCallsInPython },
  { name: 'ten calls of the page, TypeScript', version: openapiGenerator, run: runTenCallsInTypescript },
];

const wanted = process.argv[2] ?? '';
const tools = await installGenerators();
const work = await tempFolder();
const provider = await startFakeOpenai();
const service = await startService({ PROVIDER_A_BASE_URL: provider.url });
const results: string[] = [];
try {
  const document = join(work, 'openapi.json');
  const tour = join(work, 'tour.json');
  await writeFile(document, openApiText());
  await writeFile(tour, JSON.stringify(TOUR));
  for (const row of ROWS.filter(({ name }) => name.includes(wanted)))
    results.push(await runRow(row, { tools, work, document, tour, url: service.url }));
} finally {
  await service.stop();
  await provider.stop();
  await cleanUp();
  console.log(results.join('\n'));
}

async function runRow({ name, version, needs, run }: Row, target: Target): Promise<string> {
  const start = `${name.padEnd(38)}  ${version.padEnd(16)}`;
  if (needs !== undefined && !(await isInstalled(needs))) return `${start}  not run: needs ${needs}`;
  try {
    return `${start}  ${(await run(target)).trim()}`;
  } catch (error) {
    process.exitCode = 1;
    return `${start}  FAILED ${String(error)}`;
  }
}

async function isInstalled(program: string): Promise<boolean> {
  return runCommand('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

async function compileGo(target: Target): Promise<string> {
  // Without this option, two enums with the same value declare one constant twice.
  const folder = await generate(target, 'go', ['--additional-properties=enumClassPrefix=true']);
  await runCommand('go', ['mod', 'tidy'], { cwd: folder });
  await runCommand('go', ['build', './...'], { cwd: folder });
  return `compiles, ${(await runCommand('go', ['env', 'GOVERSION'])).trim()}`;
}

async function compileJava(target: Target): Promise<string> {
  const folder = await generate(target, 'java');
  await runCommand('mvn', ['-q', '-B', 'compile'], { cwd: folder });
  const version = await runCommand('sh', ['-c', 'java -version 2>&1']);
  return `compiles, JDK ${/"(\d+)/.exec(version)?.[1]}`;
}

async function importModels({ tools: { python }, work: folder, document }: Target): Promise<string> {
  const options = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel'];
  const args = ['--input', document, '--output', join(folder, 'models.py'), ...options];
  await runCommand(python, ['-W', 'ignore', '-m', 'datamodel_code_generator', ...args]);
  const count = 'import models; print(sum(isinstance(each, type) for each in vars(models).values()))';
  const said = await runCommand(python, ['-c', count], { cwd: folder });
  return `${said.trim()} classes`;
}

async function lintByRedocly({ tools: npm, document, work: folder }: Target): Promise<string> {
  const report = join(folder, 'redocly.json');
  const args = ['lint', document, '--extends', 'recommended', '--format', 'json'];
  await writeFile(report, await runNode(npm, '@redocly/cli/bin/cli.js', args));
  const { totals } = JSON.parse(await readFile(report, 'utf8')) as { totals: Record<string, number> };
  return expectOnPage(VERSIONS.redocly, `${totals.errors} errors, ${totals.warnings} warnings`);
}

async function lintBySpectral({ tools: npm, document, work: folder }: Target): Promise<string> {
  const rules = join(folder, 'spectral.yml');
  await writeFile(rules, 'extends: spectral:oas\n');
  const args = [
    'lint',
    document,
    '--ruleset',
    rules,
    '--format',
    'json',
    '--quiet',
    '--fail-severity',
    'error',
  ];
  const said = await runNode(npm, '@stoplight/spectral-cli/dist/index.js', args);
  const found = JSON.parse(said || '[]') as { severity: number }[];
  const errors = found.filter(({ severity }) => severity === 0).length;
  return expectOnPage(VERSIONS.spectral, `${errors} errors, ${found.length - errors} warnings`);
}

/**
 * Throws if the conformance page has another count for this version, because the page explains each warning.
 */
async function expectOnPage(version: string, result: string): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  if (!page.includes(`| ${version} | ${result} |`)) throw new Error(`${result}, unlike ${PAGE}`);
  return result;
}
