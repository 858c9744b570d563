import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { inlinePolicies } from '../../../infra/stack/inline-policies.ts';
import { stageVariables } from '../../../infra/stack/stage.ts';
import type { Template } from '../../../infra/stack/template.ts';
import {
  MAX_BYTES,
  modulesOf,
  READERS,
  refuseManyVariables,
  settleVariables,
  variableBytes,
} from '../../../infra/stack/variables.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const CHOSEN: Record<string, string> = {
  ...{ AWS_REGION: 'ap-southeast-2', NETWORK: 'own', AUTH_MODE: 'oidc', BUCKET_BACKUP: 'daily' },
  ...{ CONSOLE: 'on', DATA_ON_REMOVAL: 'Retain', FILES_BACKUP: 'daily', VECTORS: 's3', LOG_LEVEL: 'info' },
};

/** Returns a value of ordinary length. */
function ordinaryValue(name: string): string {
  if (name.endsWith('_URL') || name.startsWith('OIDC_')) return 'https://gateway.research.example.org/v1';
  if (/_(MODEL|MODELS|HOSTS|NAMESPACES|IMAGE|ENDPOINT|PROXY)$/.test(name))
    return 'a-name-of-thirty-characters-xy';
  return CHOSEN[name] ?? '20';
}

/** js-yaml leaves `<<` to its callers. */
function merged({ '<<': base, ...own }: Record<string, unknown>): Record<string, unknown> {
  return base === undefined ? own : { ...merged(base as Record<string, unknown>), ...own };
}

/**
 * Returns the functions of a stage that sets every option, with their roles, as the Framework provides them.
 */
async function stageWithAllOptions(): Promise<Template> {
  const folder = await tempFolder();
  await mkdir(join(folder, 'infra/stages'), { recursive: true });
  for (const file of ['serverless.yml', ...globSync('infra/*.yml', { cwd: root })])
    await cp(join(root, file), join(folder, file));
  const lines = stageVariables(root).map((name) => `${name}: ${JSON.stringify(ordinaryValue(name))}`);
  await writeFile(join(folder, 'infra/stages/all.yml'), lines.join('\n'));
  const { functions, resources } = readServiceFile(join(folder, 'serverless.yml'), 'all');
  const made = functions.map(({ name, module, role, environment }) => [
    name,
    {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: name,
        Handler: `${module}.handler`,
        Role: { 'Fn::GetAtt': [role, 'Arn'] },
        Environment: { Variables: merged(environment) },
      },
    },
  ]);
  return { Resources: { ...resources, ...Object.fromEntries(made) } };
}

describe('the variables of a stage that sets every option', () => {
  let template: Template;
  let settled: Template;
  const of = (name: string) => Object.keys(settled.Resources[name]?.Properties.Environment.Variables);
  beforeAll(async () => {
    template = await stageWithAllOptions();
    inlinePolicies(template);
    settled = await packaged;
  });

  it('fit only because each function gets only the variables that it reads', () => {
    expect(Math.max(...Object.values(template.Resources).map(variableBytes))).toBeGreaterThan(MAX_BYTES);
    expect(() => refuseManyVariables(template, 'infra/stages/all.yml')).toThrow(
      /^infra\/stages\/all\.yml: The variables of .*mcp.* have up to \d+ bytes, and Lambda accepts 4096.*OIDC_ROLE_MAP \(39\)/,
    );
    expect(() => refuseManyVariables(settled, 'infra/stages/all.yml')).not.toThrow();
  });

  it("are the variables of the function's own parts, without the queues and logins of others", () => {
    expect(of('notes')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(QUEUE_URL|PROVIDER|OIDC)_/)]),
    );
    expect(of('authorizer')).toContain('OIDC_ISSUER');
    expect(of('settings')).toEqual(expect.arrayContaining(['IMA_BOT_ENABLED', 'IMB_BOT_ENABLED']));
    expect(of('index-worker').filter((name) => name.startsWith('QUEUE_URL_'))).toEqual(
      ['INDEX', 'TOUCH', 'COMMIT'].map((name) => `QUEUE_URL_${name}`),
    );
    expect(of('bot-worker')).toEqual(
      expect.arrayContaining(['IMA_APP_ID', 'K8S_IMAGE', 'PROVIDER_A_BASE_URL']),
    );
  });

  it('are all read by some code', () => {
    const given = new Set(
      Object.keys(settled.Resources).flatMap((name) =>
        name.includes('-') || /^[a-z]/.test(name) ? of(name) : [],
      ),
    );
    expect(READERS.filter(({ variables }) => ![...given].some((name) => variables.test(name)))).toEqual([]);
  });
});

describe('the queues of a function', () => {
  const { functions } = readServiceFile(join(root, 'serverless.yml'));

  it.each(functions.map(({ name, module }) => [name, module]))(
    'are the queues that the function opens: %s',
    async (name, module) => {
      const template = await packaged;
      const opened = [...modulesOf(root, `${module}.handler`)].flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/openQueue\(config, '([\w-]+)'\)/g)].map(
          ([, queue = '']) => queue,
        ),
      );
      const variables = Object.keys(template.Resources[name]?.Properties.Environment.Variables);
      for (const queue of opened) expect(variables).toContain(`QUEUE_URL_${queue.toUpperCase()}`);
    },
  );
});

const packaged = stageWithAllOptions().then((template) => {
  inlinePolicies(template);
  settleVariables(root, template);
  return template;
});

/** They read only keys, and the path of one key, which a deployment doesn't pass on. */
const KEYS_ONLY = [
  ...['stored-keys', 'settings', 'model-connections'].map((name) => `lib/settings/${name}.ts`),
  'lib/wiring/commands.ts',
];

describe('a part of the settings', () => {
  const files = globSync('{lib,functions}/**/*.ts', { cwd: root });

  it.each(READERS.map(({ part, modules }) => [part, modules] as const))(
    'is read by no other module: %s',
    (part, modules) => {
      const reads = new RegExp(
        `config\\.${part}\\.(?!\\w*[tT]oken|kubeconfigPath|mode\\b)|\\{[^{}]*\\b${part}\\b[^{}]*\\}: (Pick<)?Config\\b`,
      );
      const has = (file: string) =>
        modules.some((module) => modulesOf(root, `${file.slice(0, -3)}.handler`).has(module));
      const readers = files.filter((file) => reads.test(readFileSync(join(root, file), 'utf8')));
      expect(readers.filter((file) => !has(file) && !KEYS_ONLY.includes(file))).toEqual([]);
    },
  );
});
