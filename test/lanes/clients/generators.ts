import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installOnce } from '../../support/install-once.ts';
import { installPython, runCommand } from '../servers/install.ts';
import { TOUR } from './tour.ts';
import { type NamedOperations, openapiFetchTour, typescriptFetchTour } from './typescript-tours.ts';

/** Generators under test, by the names that the lane and the page of conformance use. */
export const VERSIONS = {
  openapiGenerator: '7.23.0',
  openapiPythonClient: '0.29.1',
  openapiTypescript: '7.13.0',
  openapiFetch: '0.17.0',
  datamodelCodegen: '0.89.0',
  redocly: '2.77.0',
  spectral: '6.16.3',
};
/** Imported by the client that openapi-generator creates for Python. */
const PYTHON_IMPORTS = [
  'pydantic==2.14.3',
  'python-dateutil==2.9.0.post0',
  'typing-extensions==4.16.0',
  'urllib3==2.8.0',
];
/** openapi-typescript needs the compiler API of TypeScript 5. */
const TYPESCRIPT = '5.9.3';
const MAVEN = 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli';
const PACKAGES = resolve(import.meta.dirname, '../../../node_modules');

/** Node resolves the imports of a module by their full names. */
export const ESM_IMPORTS = ['--additional-properties=importFileExtension=.js'];

export interface Tools {
  jar: string;
  python: string;
  /** The folder with `node_modules`. */
  npm: string;
}

/** Inputs to create and call a client. */
export interface Target {
  tools: Tools;
  /** A folder of this run. */
  work: string;
  /** The OpenAPI document, and the tour as JSON. */
  document: string;
  tour: string;
  url: string;
}

export async function installGenerators(): Promise<Tools> {
  const { openapiGenerator, openapiPythonClient, openapiTypescript, openapiFetch, datamodelCodegen } =
    VERSIONS;
  const generator = await installOnce('openapi-generator', openapiGenerator, async (folder) => {
    const url = `${MAVEN}/${openapiGenerator}/openapi-generator-cli-${openapiGenerator}.jar`;
    await runCommand('curl', ['-sSfL', '--retry', '3', '-o', join(folder, 'cli.jar'), url]);
  });
  const python = await installOnce('client-python', `${openapiPythonClient}-${datamodelCodegen}`, (folder) =>
    installPython(folder, '3.12', [
      `openapi-python-client==${openapiPythonClient}`,
      `datamodel-code-generator==${datamodelCodegen}`,
      ...PYTHON_IMPORTS,
    ]),
  );
  const packages = [
    `openapi-typescript@${openapiTypescript}`,
    `openapi-fetch@${openapiFetch}`,
    `typescript@${TYPESCRIPT}`,
    `@redocly/cli@${VERSIONS.redocly}`,
    `@stoplight/spectral-cli@${VERSIONS.spectral}`,
  ];
  const npm = await installOnce('client-npm', Object.values(VERSIONS).join('-'), async (folder) => {
    await runCommand('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', ...packages]);
  });
  return { jar: join(generator, 'cli.jar'), python: join(python, 'bin/python'), npm };
}

/** Runs openapi-generator, and returns the folder of the client. */
export async function generate(
  { tools, work, document }: Target,
  name: string,
  options: string[] = [],
  folder = join(work, name),
): Promise<string> {
  await runCommand('java', [
    '-jar',
    tools.jar,
    'generate',
    '-i',
    document,
    '-g',
    name,
    '-o',
    folder,
    ...options,
  ]);
  return folder;
}

/** Tests the client of `-g python`: makes each call of the tour with the client's own models. */
export async function tourPython(target: Target): Promise<string> {
  const client = await generate(target, 'python');
  await runCommand(target.tools.python, ['-m', 'compileall', '-q', client]);
  return runPython(target, 'tour_openapi_generator.py', client);
}

export async function tourPythonClient(target: Target): Promise<string> {
  const { tools, work, document } = target;
  const folder = join(work, 'openapi-python-client');
  await mkdir(folder);
  const args = [
    'generate',
    '--path',
    document,
    '--output-path',
    join(folder, 'workspace_client'),
    '--meta',
    'none',
  ];
  const env = { ...process.env, PATH: `${join(tools.python, '..')}:${process.env.PATH}` };
  const said = await runCommand(tools.python, ['-m', 'openapi_python_client', ...args], { env });
  if (/Unable to (process|parse) schema/i.test(said)) throw new Error(said);
  await runCommand(tools.python, ['-m', 'compileall', '-q', folder]);
  return runPython(target, 'tour_openapi_python_client.py', folder);
}

async function runPython(
  { tools, tour, document, url }: Target,
  program: string,
  client: string,
): Promise<string> {
  const args = [join(import.meta.dirname, program), url, program, tour, document];
  const env = { PATH: process.env.PATH, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' };
  return runCommand(tools.python, args, { env });
}

/** Tests the types of openapi-typescript with openapi-fetch: the tour is a program that must type-check. */
export async function tourOpenapiFetch(target: Target): Promise<string> {
  const { tools, work, document } = target;
  const folder = join(work, 'openapi-fetch');
  await mkdir(folder);
  const schema = join(folder, 'schema.d.ts');
  // A field with a default can be omitted from a request.
  await runNode(tools, 'openapi-typescript/bin/cli.js', [
    document,
    '-o',
    schema,
    '--default-non-nullable=false',
  ]);
  return runTypescript(target, folder, openapiFetchTour(await readDocument(target), TOUR));
}

export async function tourTypescriptFetch(target: Target): Promise<string> {
  const folder = join(target.work, 'typescript-fetch');
  await generate(target, 'typescript-fetch', ESM_IMPORTS, join(folder, 'client'));
  return runTypescript(target, folder, typescriptFetchTour(await readDocument(target), TOUR));
}

async function readDocument({ document }: Target): Promise<NamedOperations> {
  return JSON.parse(await readFile(document, 'utf8')) as NamedOperations;
}

async function runTypescript(target: Target, folder: string, program: string): Promise<string> {
  const built = await compileTypescript(target, folder, program);
  return runCommand(process.execPath, [built, target.url, folder.split('/').at(-1) ?? '']);
}

/** Compiles a program next to its client in strict mode. Returns the path of the executable. */
export async function compileTypescript({ tools }: Target, folder: string, program: string): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'] },
    ...{ types: ['node'], typeRoots: [join(PACKAGES, '@types')], skipLibCheck: true },
    ...{ rootDir: '.', outDir: 'built' },
  };
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', 'client/**/*.ts'] }),
  );
  await symlink(join(tools.npm, 'node_modules'), join(folder, 'node_modules'));
  await runCommand(process.execPath, [join(PACKAGES, 'typescript/bin/tsc'), '-p', folder]);
  return join(folder, 'built/program.js');
}

/** Runs a program of an npm package; returns its output. */
export function runNode({ npm }: Tools, program: string, args: string[]): Promise<string> {
  return runCommand(process.execPath, [join(npm, 'node_modules', program), ...args]);
}
