import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as yaml from 'js-yaml';
import { writeDocsAssets } from '../docs-assets.ts';
import { readPageFiles } from '../local/page-files.ts';
import { ROUTE_GROUPS } from '../openapi.ts';
import { buildPage } from '../web/build.ts';
import { API, describeApi, emptyApi } from './api-body.ts';
import { type StageSettings, settleStage } from './api-stage.ts';
import { inlinePolicies } from './inline-policies.ts';
import { invokeByRole } from './invoke-role.ts';
import { makeNativeLayer } from './native-layer.ts';
import { type ConsoleSettings, settleConsole } from './settle-console.ts';
import { type FunctionSettings, settleFunctions } from './settle-functions.ts';
import { type StackTemplates, splitStacks } from './split.ts';
import type { Template } from './template.ts';
import { refuseTooLarge, unpackedSizes } from './unpacked-size.ts';
import { refuseManyVariables, settleVariables } from './variables.ts';

/** The bundler's plugin waits forever if a module can't be resolved, so packaging has a time limit. */
const PACKAGE_TIMEOUT_MS = 10 * 60_000;
const FOLDER = '.serverless';
const LAYER = 'NativeLayer';

/** A file of the package, named by the hash of its bytes, so that files already in the bucket aren't uploaded again. */
export interface Artifact {
  key: string;
  file: string;
}

export interface Package {
  templates: StackTemplates;
  /** Only the code bucket and the API without routes, with which the functions' stack starts. */
  start: Template;
  artifacts: Artifact[];
  /** The folder of the built console; undefined if the stage has none. */
  page: string | undefined;
  /** Minutes for which the alarms are watched after an update of the functions. */
  rollbackMinutes: number;
}

/**
 * Creates zips and templates in .serverless/, without credentials or network. Throws if the Framework fails.
 */
export async function packageService(root: string, stage: string): Promise<Package> {
  // .esbuild is removed, too, because files of an earlier run would get into the zips.
  for (const folder of ['assets', FOLDER, '.esbuild'])
    rmSync(join(root, folder), { recursive: true, force: true });
  writeDocsAssets(join(root, 'assets'));
  const [layer, page, code] = await Promise.all([
    makeNativeLayer(root),
    buildPage(),
    runServerless(root, stage),
  ]);
  if (code !== 0) throw new Error('Packaging failed. The lines above say why.');
  const folder = join(root, FOLDER);
  const whole = readJson(join(folder, 'cloudformation-template-update-stack.json'));
  const settings = stageSettings(folder);
  settleFunctions(whole, settings);
  inlinePolicies(whole);
  settleVariables(root, whole);
  refuseManyVariables(whole, `infra/stages/${stage}.yml`);
  invokeByRole(whole);
  describeApi(whole);
  settleStage(whole, settings, Object.values(ROUTE_GROUPS).flat());
  settleConsole(whole, [...readPageFiles(page).keys()], settings);
  const artifacts = nameByBytes(whole, folder, layer);
  refuseTooLarge(whole, await unpackedSizes(artifacts));
  const ids = {
    data: idsOf(root, 'infra/data.yml'),
    console: idsOf(root, 'infra/console.yml'),
    alarms: idsOf(root, 'infra/alarms.yml'),
  };
  const templates = splitStacks(whole, ids);
  const start = readJson(join(folder, 'cloudformation-template-create-stack.json'));
  start.Resources[API] = emptyApi(whole);
  mkdirSync(join(folder, 'stacks'));
  for (const [name, template] of Object.entries({ ...templates, start })) {
    writeFileSync(join(folder, `stacks/${name}.json`), JSON.stringify(template, undefined, 1));
  }
  writeFileSync(join(folder, 'artifacts.json'), JSON.stringify(artifacts, undefined, 1));
  return {
    templates,
    start,
    artifacts,
    page: settings.console === 'off' ? undefined : page,
    rollbackMinutes: Number(settings.rollbackMinutes),
  };
}

/** Puts the hash of each zip into its key in the template, so that an unchanged function isn't deployed again. */
function nameByBytes({ Resources }: Template, folder: string, layer: string): Artifact[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    const code =
      Type === 'AWS::Lambda::Function' ? Properties.Code : id === LAYER ? Properties.Content : undefined;
    if (code === undefined) return [];
    const file = id === LAYER ? layer : join(folder, basename(code.S3Key));
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 32);
    const name = id === LAYER ? 'native-layer' : basename(file, '.zip');
    code.S3Key = `code/${name}-${hash}.zip`;
    return [{ key: code.S3Key, file }];
  });
}

/** Returns serverless.yml as the Framework parsed it. */
function stageSettings(
  folder: string,
): StageSettings & FunctionSettings & ConsoleSettings & { rollbackMinutes: string } {
  return JSON.parse(readFileSync(join(folder, 'serverless-state.json'), 'utf8')).service.custom;
}

function idsOf(root: string, file: string): ReadonlySet<string> {
  const { Resources } = yaml.load(readFileSync(join(root, file), 'utf8')) as Template;
  return new Set(Object.keys(Resources));
}

function readJson(file: string): Template {
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function runServerless(root: string, stage: string): Promise<number> {
  const framework = join(root, 'node_modules/serverless/bin/serverless.js');
  // The bundler's plugin leaves copies in the temporary folder.
  const temporary = mkdtempSync(join(tmpdir(), 'workspace-research-'));
  const env = { ...process.env, TMPDIR: temporary, PACKAGING_STACKS: 'true' };
  const options = { cwd: root, stdio: 'inherit', timeout: PACKAGE_TIMEOUT_MS, env } as const;
  const child = spawn(process.execPath, [framework, 'package', '--stage', stage], options);
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed);
    // After a signal, the Framework may exit with 0, although an interrupted run has no package.
    child.once('exit', (code) => done(child.killed ? 1 : (code ?? 1)));
  });
  rmSync(temporary, { recursive: true, force: true });
  return code;
}
