import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as yaml from 'js-yaml';
import * as z from 'zod';
import { parseConfig } from '../../lib/config.ts';

/** The settings of a deployment, from its versioned file `infra/stages/<NAME>.yml`. */
export type Stage = { AWS_REGION: string } & Record<string, string>;

/** Accepts a whole number, as text. Anything else would mean no limit at all, or fail late in the deployment. */
function wholeNumber(least: number, most: number) {
  const fits = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z
    .string('must be text. Put it in quotes')
    .refine(fits, `must be a whole number, "${least}" to "${most}"`);
}

/** Accepts the first two numbers of a private /16, as text, because YAML would read 10.20 as 10.2. */
function networkPrefix() {
  return z
    .string('must be text. Put it in quotes')
    .regex(
      /^(10\.(1?\d?\d|2[0-4]\d|25[0-5])|172\.(1[6-9]|2\d|3[01])|192\.168)$/,
      'must be the first two numbers of a private network, such as "10.20"',
    );
}

const CHECKED = {
  AWS_REGION: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-west-1'),
  NETWORK: z.enum(['own', 'given']),
  DATA_ON_REMOVAL: z.enum(['Retain', 'Delete']),
  BUCKET_BACKUP: z.enum(['none', 'daily']),
  VECTORS: z.enum(['files', 's3']),
  FILES_BACKUP: z.enum(['daily', 'none']),
  NETWORK_PREFIX: networkPrefix(),
  COMMANDS_NETWORK_PREFIX: networkPrefix(),
  KMS_KEY_ARN: z
    .string()
    .regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a key, not of an alias'),
  CONSOLE: z.enum(['on', 'off']),
  CONSOLE_CERTIFICATE: z
    .string()
    .regex(
      /^arn:[\w-]+:acm:us-east-1:/,
      'must be a certificate in us-east-1, the only region that CloudFront accepts',
    ),
  // The range that event sources accept.
  AGENT_RUNS_AT_ONCE: wholeNumber(2, 1000),
  API_RATE: wholeNumber(1, 100_000),
  API_BURST: wholeNumber(1, 100_000),
  // The range that CloudFormation accepts.
  ROLLBACK_MINUTES: wholeNumber(0, 180),
  DAILY_COST_SCOPE: z.enum(['account', 'stage']),
};
const ORIGIN = /^https:\/\/[^/]+$/;
const WITH_GIVEN = ['VPC_ID', 'VPC_SUBNET_A', 'VPC_SUBNET_B'];

/** Returns the variables that a stage may set: those that serverless.yml and its fragments use. */
export function stageVariables(root: string): string[] {
  const files = ['serverless.yml', ...globSync('infra/*.yml', { cwd: root })];
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/\$\{self:custom\.stage\.(\w+)/g)].map(([, name = '']) => name))];
}

/** Returns a stage's settings. Throws an Error with a message for the operator. */
export function readStage(root: string, name: string): Stage {
  const file = `infra/stages/${name}.yml`;
  if (!existsSync(join(root, file))) {
    throw new Error(
      `The stage ${name} has no ${file}. Write it first (docs/deploy/aws-options.md), or choose another --stage.`,
    );
  }
  const result = stageSchema(root).safeParse(readYaml(root, file));
  if (!result.success) throw new Error(`${file}: ${tellIssues(result.error)}`);
  const stage = result.data as Stage;
  const missing = WITH_GIVEN.filter((variable) => stage[variable] === undefined);
  if (stage.NETWORK === 'given' && missing.length > 0) {
    throw new Error(`${file}: NETWORK is given, so ${missing.join(', ')} must be set.`);
  }
  refuseContradictions(file, stage);
  if (stage.CONSOLE_CERTIFICATE !== undefined && !ORIGIN.test(stage.PUBLIC_URL ?? '')) {
    throw new Error(`${file}: CONSOLE_CERTIFICATE needs PUBLIC_URL in the form https://NAME.`);
  }
  refuseConfiguration(file, name, stage);
  return stage;
}

/**
 * Reads the settings as a function does at its start, because a deployed function that refuses its settings
 * can't answer any request.
 */
function refuseConfiguration(file: string, name: string, stage: Stage): void {
  try {
    parseConfig({ ...stage, STAGE: name, AWS_LAMBDA_FUNCTION_NAME: name });
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function refuseContradictions(file: string, { AWS_REGION, ZONE_A, ZONE_B, KMS_KEY_ARN }: Stage): void {
  if ((ZONE_A === undefined) !== (ZONE_B === undefined) || (ZONE_A !== undefined && ZONE_A === ZONE_B))
    throw new Error(`${file}: ZONE_A and ZONE_B must be set together, to two different zones.`);
  if (KMS_KEY_ARN !== undefined && KMS_KEY_ARN.split(':')[3] !== AWS_REGION)
    throw new Error(`${file}: KMS_KEY_ARN must be a key in ${AWS_REGION}, the region of the stage.`);
}

function readYaml(root: string, file: string): unknown {
  try {
    return yaml.load(readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * All values are text, as in the environment. Only these two have no default, because they must never change
 * by accident.
 */
function stageSchema(root: string) {
  const text = z.string('must be text. Put it in quotes');
  const names = stageVariables(root);
  const shape = Object.fromEntries(names.map((name) => [name, text.optional()]));
  const { AWS_REGION, NETWORK, ...others } = CHECKED;
  const optional = Object.fromEntries(
    Object.entries(others).map(([name, check]) => [name, check.optional()]),
  );
  return z.strictObject({ ...shape, ...optional, AWS_REGION, NETWORK });
}

function tellIssues({ issues }: z.ZodError): string {
  const lines = issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${issue.keys.join(', ')} isn't an option. Keys and tokens are stored in Secrets Manager, never here.`
      : describeIssue(issue),
  );
  return lines.join(' ');
}

/** Our own messages are predicates, such as `must be …`. */
function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const name = path.join('.') || 'The file';
  return /^[a-z]/.test(message) ? `${name} ${message}.` : `${name}: ${message}.`;
}
