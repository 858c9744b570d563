import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { findStack, physicalIds } from './cloudformation.ts';
import type { Template } from './template.ts';

/** Runs a command of the AWS CLI and returns what it prints. */
export type Ask = (args: string[]) => Promise<string>;

type Credentials = Awaited<ReturnType<CloudFormationClient['config']['credentials']>>;

interface AccountTarget {
  cloudFormation: CloudFormationClient;
  /** The name of the functions' stack. */
  name: string;
  tell: (line: string) => void;
  ask: Ask;
}

/**
 * Quotas that a stage needs. Without this check, CloudFormation would fail because of them, but only after
 * minutes.
 */
const COUNTED = [
  {
    type: 'AWS::EC2::VPC',
    quota: 'VPCs per Region',
    id: ['vpc', 'L-F678F1CE'],
    used: ['ec2', 'describe-vpcs', '--query', 'length(Vpcs)'],
  },
  {
    type: 'AWS::EC2::EIP',
    quota: 'EC2-VPC Elastic IPs',
    id: ['ec2', 'L-0263D0A3'],
    used: ['ec2', 'describe-addresses', '--query', 'length(Addresses)'],
  },
] as const;

/** A team of 200 needs 20 concurrent executions in its busiest hour (docs/deploy/aws-capacity.md); a new account has ten. */
const FEW_EXECUTIONS = 100;
const TIMEOUT_MS = 60_000;

/**
 * Checks the account before anything is changed. Throws an Error that says what to request from AWS. Reports
 * quotas that it can't read, because the person who deploys may lack the permission.
 */
export async function checkAccount(target: AccountTarget, functions: Template): Promise<void> {
  const account = await read(target, 'the account', ['sts', 'get-caller-identity', '--query', 'Account']);
  if (account !== undefined) target.tell(`account ${account}`);
  await checkExecutions(target);
  const held = await heldIds(target);
  const missing: string[] = [];
  for (const { type, quota, id, used } of COUNTED) {
    const own = Object.entries(functions.Resources).filter(([, { Type }]) => Type === type);
    const needed = own.filter(([logicalId]) => !held.has(logicalId)).length;
    if (needed === 0) continue;
    const [service, code] = id;
    const query = ['--service-code', service, '--quota-code', code, '--query', 'Quota.Value'];
    const limit = await read(target, quota, ['service-quotas', 'get-service-quota', ...query]);
    const count = await read(target, quota, [...used]);
    if (limit === undefined || count === undefined) continue;
    target.tell(`${quota}: ${count} of ${Number(limit)} used, ${needed} needed`);
    const wanted = Number(count) + needed;
    if (!(wanted <= Number(limit))) missing.push(`"${quota}" (${service}, ${code}) to at least ${wanted}`);
  }
  if (missing.length > 0)
    throw new Error(
      `The account has too little for this stage. Raise ${missing.join(' and ')} under Service Quotas, which may take days. Nothing was changed.`,
    );
}

async function checkExecutions(target: AccountTarget): Promise<void> {
  const query = ['--query', 'AccountLimit.ConcurrentExecutions'];
  const limit = await read(target, 'Concurrent executions', ['lambda', 'get-account-settings', ...query]);
  if (limit === undefined) return;
  const few = Number(limit) < FEW_EXECUTIONS;
  const advice =
    '. It deploys and serves a small team (docs/deploy/aws-capacity.md). Ask for 1,000 under Service Quotas (lambda, L-B99A9384)';
  target.tell(`Concurrent executions: ${limit}${few ? advice : ''}`);
}

/** Returns the physical IDs of resources that a deployed stage already has. */
async function heldIds({ cloudFormation, name }: AccountTarget): Promise<Map<string, string>> {
  const found = await findStack(cloudFormation, name);
  return found === undefined ? new Map() : physicalIds(cloudFormation, name);
}

async function read({ ask, tell }: AccountTarget, what: string, args: string[]): Promise<string | undefined> {
  return ask(args).catch((error: Error) => {
    tell(`${what} couldn't be checked: ${error.message.trim().split('\n').at(-1)}`);
    return undefined;
  });
}

/** Calls the AWS CLI, which the operator docs require anyway, with the credentials of the deployment. */
export function awsCli(region: string, credentials: CloudFormationClient['config']['credentials']): Ask {
  const run = promisify(execFile);
  return async (args) => {
    const env = { ...process.env, ...environmentOf(await credentials()) };
    const options = { timeout: TIMEOUT_MS, env };
    const { stdout } = await run('aws', [...args, '--region', region, '--output', 'text'], options);
    return stdout.trim();
  };
}

/** Keys without a session token must not be combined with the token of other keys. */
function environmentOf({ accessKeyId, secretAccessKey, sessionToken }: Credentials): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
}
