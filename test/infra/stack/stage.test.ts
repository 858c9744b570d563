import { spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readStage } from '../../../infra/stack/stage.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Creates a checkout with the single stage `given`. */
async function stageOf(text: string): Promise<string> {
  const folder = await tempFolder();
  await mkdir(join(folder, 'infra/stages'), { recursive: true });
  await cp(join(root, 'serverless.yml'), join(folder, 'serverless.yml'));
  for (const file of [
    ...['infra/network-given.yml', 'infra/network-own.yml', 'infra/commands.yml'],
    ...['infra/gateway.yml', 'infra/console.yml', 'infra/data.yml'],
  ])
    await cp(join(root, file), join(folder, file));
  await writeFile(join(folder, 'infra/stages/given.yml'), text);
  return folder;
}

describe('the stage file', () => {
  it.each(['dev', 'test', 'prod.example'])('is valid: %s', (name) => {
    expect(readStage(root, name)).toMatchObject({ AWS_REGION: expect.any(String) });
  });

  it('is named in the error if it is missing', () => {
    expect(() => readStage(root, 'nowhere')).toThrow(
      'The stage nowhere has no infra/stages/nowhere.yml. Write it first',
    );
  });

  it.each([
    ['no network', 'AWS_REGION: eu-west-1', /NETWORK: .*own.*given/],
    ['no region', 'NETWORK: own', /AWS_REGION/],
    [
      'a given network that has no name',
      'AWS_REGION: eu-west-1\nNETWORK: given\nVPC_ID: vpc-1',
      /VPC_SUBNET_A, VPC_SUBNET_B/,
    ],
    [
      'a key',
      'AWS_REGION: eu-west-1\nNETWORK: own\nPROVIDER_A_API_KEY: sk-1',
      /PROVIDER_A_API_KEY isn't an option\. .*Secrets/,
    ],
    [
      'a word of YAML',
      'AWS_REGION: eu-west-1\nNETWORK: own\nIMA_BOT_ENABLED: true',
      /IMA_BOT_ENABLED must be text\. .*quotes/,
    ],
    [
      'one run at a time',
      'AWS_REGION: eu-west-1\nNETWORK: own\nAGENT_RUNS_AT_ONCE: "1"',
      /RUNS_AT_ONCE must .*"2"/,
    ],
    [
      'a rate that is not a number',
      'AWS_REGION: eu-west-1\nNETWORK: own\nAPI_RATE: 500/s',
      /API_RATE must .*whole number/,
    ],
    [
      'a bare number',
      'AWS_REGION: eu-west-1\nNETWORK: own\nAPI_BURST: 500',
      /API_BURST must be text\. .*quotes/,
    ],
    [
      'a longer monitoring time than CloudFormation allows',
      'AWS_REGION: eu-west-1\nNETWORK: own\nROLLBACK_MINUTES: "181"',
      /ROLLBACK_MINUTES must .*"0" to "180"/,
    ],
    [
      'an unknown cost scope',
      'AWS_REGION: eu-west-1\nNETWORK: own\nDAILY_COST_SCOPE: service',
      /DAILY_COST_SCOPE: .*account.*stage/,
    ],
    [
      'an unknown value for the console',
      'AWS_REGION: eu-west-1\nNETWORK: own\nCONSOLE: maybe',
      /CONSOLE: .*on.*off/,
    ],
    [
      'a certificate of another region',
      'AWS_REGION: eu-west-1\nNETWORK: own\nCONSOLE_CERTIFICATE: arn:aws:acm:eu-west-1:1:certificate/x',
      /us-east-1/,
    ],
    [
      'a certificate for no domain',
      'AWS_REGION: eu-west-1\nNETWORK: own\nCONSOLE_CERTIFICATE: arn:aws:acm:us-east-1:1:certificate/x',
      /PUBLIC_URL/,
    ],
    [
      'only one of the two zones',
      'AWS_REGION: eu-west-1\nNETWORK: own\nZONE_A: eu-west-1a',
      /ZONE_A and ZONE_B must be set together/,
    ],
    [
      'a network that YAML reads as a number',
      'AWS_REGION: eu-west-1\nNETWORK: own\nNETWORK_PREFIX: 10.20',
      /NETWORK_PREFIX must be text\. .*quotes/,
    ],
    [
      'a network that is public',
      'AWS_REGION: eu-west-1\nNETWORK: own\nCOMMANDS_NETWORK_PREFIX: "8.8"',
      /COMMANDS_NETWORK_PREFIX must be the first two numbers of a private network/,
    ],
    [
      'the alias of a key',
      'AWS_REGION: eu-west-1\nNETWORK: own\nKMS_KEY_ARN: arn:aws:kms:eu-west-1:111122223333:alias/a',
      /KMS_KEY_ARN must be the ARN of a key/,
    ],
    [
      'a key of another region',
      'AWS_REGION: eu-west-1\nNETWORK: own\nKMS_KEY_ARN: arn:aws:kms:eu-west-2:111122223333:key/a',
      /KMS_KEY_ARN must be a key in eu-west-1/,
    ],
    [
      'an unknown value for the backup',
      'AWS_REGION: eu-west-1\nNETWORK: own\nFILES_BACKUP: weekly',
      /FILES_BACKUP: .*daily.*none/,
    ],
    ['no settings', '', /given.yml: .*empty/],
    [
      'OIDC without its issuer',
      'AWS_REGION: eu-west-1\nNETWORK: own\nAUTH_MODE: oidc',
      /given.yml: .*OIDC_ISSUER and OIDC_AUDIENCE/,
    ],
    [
      'no sign-in',
      'AWS_REGION: eu-west-1\nNETWORK: own\nAUTH_MODE: disabled',
      /given.yml: .*AUTH_MODE to token or oidc/,
    ],
    [
      'an unknown log level',
      'AWS_REGION: eu-west-1\nNETWORK: own\nLOG_LEVEL: verbose',
      /given.yml: .*LOG_LEVEL must be debug/,
    ],
  ])('is refused with %s', async (_what, text, message) => {
    const folder = await stageOf(text);
    expect(() => readStage(folder, 'given')).toThrow(message);
  });
});

describe('npm run deploy and remove', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [join(root, 'infra/package.ts'), ...args], {
      env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', ...env },
      encoding: 'utf8',
      timeout: 100_000,
    });

  it('leave dev alone if npm consumed `--stage` and passed only its value on', () => {
    const { status, stderr } = run(['remove', 'prod']);
    expect(stderr).toContain('the -- is needed');
    expect(status).toBe(2);
  });

  it.each(['stage', 'check', 'data', 'without_rollback_alarms'])(
    'refuse to start if npm consumed an option: %s',
    (option) => {
      const { status, stderr } = run(['remove', '--stage', 'nowhere'], { [`npm_config_${option}`]: 'true' });
      expect(stderr).toContain('the -- is needed');
      expect(status).toBe(2);
    },
  );

  it('name an unknown option and list all options', () => {
    const { status, stderr } = run(['deploy', '--chekc']);
    expect(stderr).toMatch(/^Unknown option --chekc\. Did you mean --check\?\n/);
    for (const option of ['--check', '--data', '--without-rollback-alarms']) expect(stderr).toContain(option);
    expect(status).toBe(2);
  });
});
