import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';

/**
 * Milliseconds. This isn't enough to pull the images for the first time, but `docker compose up` returns only
 * after that.
 */
const WAIT_MS = 60_000;
const ASK_EVERY_MS = 500;
const REPORT_EVERY_MS = 5_000;
/**
 * Region and credentials come from the environment, as in the adapters. The first call may load the service, which
 * takes 0.8 s on LocalStack.
 */
const ONCE = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 3000, requestTimeout: 5000, throwOnRequestTimeout: true },
};
const HOW_TO_START = `Start them, then try again:
  with Docker:     docker compose -f infra/local/compose.yml up -d
                   npm start -- --aws --dynamodb http://127.0.0.1:8000
  without Docker:  npm run emulator
                   npm start -- --aws
See docs/deploy/aws-locally.md.`;

interface AwsService {
  name: string;
  /** The SDK's variable for this service; without it AWS_ENDPOINT_URL applies. */
  variable: string;
  ask(): Promise<unknown>;
}

const SERVICES: AwsService[] = [
  {
    name: 'DynamoDB',
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    ask: () =>
      closing(new DynamoDBClient(ONCE), (client) => client.send(new ListTablesCommand({ Limit: 1 }))),
  },
  {
    name: 'S3',
    variable: 'AWS_ENDPOINT_URL_S3',
    ask: () => closing(new S3Client(ONCE), (client) => client.send(new ListBucketsCommand({}))),
  },
  {
    name: 'SQS',
    variable: 'AWS_ENDPOINT_URL_SQS',
    ask: () =>
      closing(new SQSClient(ONCE), (client) => client.send(new ListQueuesCommand({ MaxResults: 1 }))),
  },
  {
    name: 'Secrets Manager',
    variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    ask: () =>
      closing(new SecretsManagerClient(ONCE), (client) =>
        client.send(new ListSecretsCommand({ MaxResults: 1 })),
      ),
  },
];

interface Missing {
  service: AwsService;
  reason: string;
  /** True if waiting can't help, because a setting is wrong. */
  isFinal: boolean;
}

/** Returns the URL at which a service is called. */
export function endpointOf(variable: string): string {
  return process.env[variable] || process.env.AWS_ENDPOINT_URL || 'AWS';
}

/**
 * Waits until DynamoDB, S3, SQS, and Secrets Manager respond, and reports the wait. Throws an error for the user if one
 * of them doesn't within `waitMs`, and immediately if a setting is wrong.
 */
export async function awaitAws(
  say: (line: string) => void,
  { waitMs = WAIT_MS, askEveryMs = ASK_EVERY_MS, reportEveryMs = REPORT_EVERY_MS } = {},
): Promise<void> {
  const started = performance.now();
  let missing = await findWaitedFor(SERVICES);
  if (missing.length === 0) return;
  let reported = started;
  const left = () => waitMs - (performance.now() - started);
  say(`Waiting up to ${Math.ceil(waitMs / 1000)} s for AWS services: ${list(missing)}.`);
  while (missing.length > 0) {
    if (left() <= 0) throw new Error(describeLate(missing, waitMs));
    await sleep(Math.min(askEveryMs, left()));
    missing = await findWaitedFor(missing.map(({ service }) => service));
    if (performance.now() - reported < reportEveryMs || missing.length === 0) continue;
    reported = performance.now();
    say(`Still waiting after ${Math.round((reported - started) / 1000)} s: ${list(missing)}.`);
  }
  say('All AWS services respond.');
}

/** Returns the services that don't respond yet. Throws immediately if waiting can't help. */
async function findWaitedFor(services: AwsService[]): Promise<Missing[]> {
  const asked = await Promise.all(services.map(askOne));
  const missing = asked.filter((each) => each !== undefined);
  if (missing.some(({ isFinal }) => isFinal)) throw new Error(describeWrong(missing));
  return missing;
}

async function askOne(service: AwsService): Promise<Missing | undefined> {
  return service.ask().then(
    () => undefined,
    (error: unknown) => ({ service, ...explain(service, error as SdkError) }),
  );
}

interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** A system error code, as in `connect ECONNREFUSED 127.0.0.1:4566`. */
const SYSTEM_CODE = /\bE[A-Z]{4,}\b/;
const BAD_CREDENTIALS =
  /^(UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSignature|AccessDenied|ExpiredToken)/;

function explain({ name }: AwsService, error: SdkError): { reason: string; isFinal: boolean } {
  const status = error.$metadata?.httpStatusCode;
  const wrong = explainSetting(error);
  if (wrong !== undefined) return { reason: wrong, isFinal: true };
  if (status === 501)
    return { reason: `disabled there (${firstLine(error)}) ${howToEnable(name)}`, isFinal: true };
  if (status !== undefined)
    return {
      reason: `the server there doesn't respond as ${name} (status ${status}, ${error.name})`,
      isFinal: false,
    };
  return {
    reason: `no response (${error.code ?? SYSTEM_CODE.exec(error.message)?.[0] ?? firstLine(error)})`,
    isFinal: false,
  };
}

/** Explains an error that the user's own region or credentials cause; undefined for other errors. */
function explainSetting(error: SdkError): string | undefined {
  const { AWS_PROFILE: profile, AWS_REGION: region } = process.env;
  if (error.name === 'CredentialsProviderError')
    return profile
      ? `the profile AWS_PROFILE=${profile} has no credentials. Unset AWS_PROFILE.`
      : 'credentials are missing. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or unset both.';
  if (error.message.startsWith('Region '))
    return `AWS_REGION=${region} is not a region. Unset it, or set us-east-1.`;
  if (BAD_CREDENTIALS.test(error.name))
    return `the credentials are rejected (${firstLine(error)}) Unset AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use letters and digits only.`;
  return undefined;
}

function howToEnable(name: string): string {
  return name === 'DynamoDB'
    ? 'Start DynamoDB Local, and add --dynamodb http://127.0.0.1:8000.'
    : "Add it to the emulator's SERVICES.";
}

function firstLine({ message }: Error): string {
  return message.split('\n')[0] ?? '';
}

function describeWrong(missing: Missing[]): string {
  const lines = missing.filter(({ isFinal }) => isFinal);
  return `AWS services can't be used:\n${reasons(lines)}\nSee docs/deploy/aws-locally.md.`;
}

function describeLate(missing: Missing[], waitMs: number): string {
  return `AWS services didn't respond within ${Math.ceil(waitMs / 1000)} s:\n${reasons(missing)}\n${HOW_TO_START}`;
}

/** Returns one line per URL and reason. */
function reasons(missing: Missing[]): string {
  const byReason = Map.groupBy(
    missing,
    ({ service, reason }) => `${endpointOf(service.variable)}: ${reason}`,
  );
  return [...byReason].map(([where, some]) => `  ${names(some)} at ${where}`).join('\n');
}

function list(missing: Missing[]): string {
  const byUrl = Map.groupBy(missing, ({ service }) => endpointOf(service.variable));
  return [...byUrl].map(([url, some]) => `${names(some)} at ${url}`).join('; ');
}

function names(missing: Missing[]): string {
  return missing.map(({ service }) => service.name).join(', ');
}

async function closing<Client extends { destroy(): void }>(
  client: Client,
  ask: (client: Client) => Promise<unknown>,
): Promise<unknown> {
  return ask(client).finally(() => client.destroy());
}
