import {
  CloudFormationClient,
  CreateChangeSetCommand,
  ExecuteChangeSetCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { findStack, physicalIds } from '../../infra/stack/cloudformation.ts';
import { deployService, stackNames, type Target } from '../../infra/stack/deploy.ts';
import { readStack, resourcesOf } from '../lanes/packaged-service.ts';
import { closing, emulatorS3Client, emulatorSettings, queueArn } from '../support/emulator.ts';
import { deployablePackage, type Place } from './deployable-template.ts';

/** The package's stage: names in the template contain it. */
export const STAGE = 'test';

export interface Deployed {
  /** URL of API Gateway. */
  url: string;
  /** Value of a `Ref` to the resource: the URL of `IndexQueue`, the name of `Table`. */
  physicalId(logicalId: string): string;
}

interface QueueProperties {
  RedrivePolicy?: { deadLetterTargetArn: { 'Fn::GetAtt': [string, string] }; maxReceiveCount: number };
}

const settings = emulatorSettings('MINISTACK_URL');
const sqs = closing(new SQSClient(settings));
const lines: string[] = [];

export const target: Target = {
  cloudFormation: closing(new CloudFormationClient(settings)),
  s3: emulatorS3Client('MINISTACK_URL'),
  cloudWatch: closing(new CloudWatchClient(settings)),
  lambda: closing(new LambdaClient(settings)),
  name: `workspace-research-${STAGE}`,
  tell: (line) => lines.push(line),
  every: 0.3,
  request: (url, options) => fetch(emulatedUrl(String(url)), options),
};

/** MiniStack serves an API under its own path. */
function emulatedUrl(url: string): string {
  const [, api, path] = /^https:\/\/(\w+)\.execute-api\.eu-west-1\.[\w.]+\/(.*)$/.exec(url) ?? [];
  if (api === undefined) throw new Error(`${url} isn't an API's.`);
  return `${settings.endpoint}/restapis/${api}/${path?.replace('/', '/_user_request_/')}`;
}

/** Returns the lines printed since the last call. */
export function told(): string[] {
  return lines.splice(0);
}

/**
 * Deploys the packaged service to MiniStack as `npm run deploy` does, with the settings of `place` added to
 * every function's own.
 */
export async function deployPackage(place: Place, { by = target, read = readStack } = {}): Promise<Deployed> {
  await deployService(by, deployablePackage(place, read));
  const deployed = await findDeployed();
  await setRedrivePolicies(deployed);
  return deployed;
}

/** Returns a target whose program is killed after this many calls that change a stack. */
function killedBefore(left: number): Target {
  const cloudFormation = Object.create(target.cloudFormation);
  let calls = 0;
  cloudFormation.send = (command: unknown) => {
    if (command instanceof CreateChangeSetCommand || command instanceof ExecuteChangeSetCommand) calls += 1;
    if (calls > left) throw new Error('killed');
    return target.cloudFormation.send(command as never);
  };
  return { ...target, cloudFormation };
}

/**
 * Kills the deployment before its first call that changes a stack, then before the second, and so on, until a
 * deployment finishes. Returns how often it was killed.
 */
export async function deployKilledEverywhere(place: Place): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    try {
      await deployPackage(place, { by: killedBefore(kills) });
      return kills;
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
    }
  }
}

/** Returns the resources of the stacks. */
async function findDeployed(): Promise<Deployed> {
  const { functions, ...others } = stackNames(target.name);
  const ids = new Map<string, string>();
  for (const stack of [functions, ...Object.values(others)]) {
    if ((await findStack(target.cloudFormation, stack)) === undefined) continue;
    for (const [logicalId, id] of await physicalIds(target.cloudFormation, stack)) ids.set(logicalId, id);
  }
  const physicalId = (logicalId: string) => {
    const id = ids.get(logicalId);
    if (id === undefined) throw new Error(`the stacks have no ${logicalId}`);
    return id;
  };
  return {
    url: `${settings.endpoint}/restapis/${physicalId('ApiGatewayRestApi')}/${STAGE}/_user_request_`,
    physicalId,
  };
}

/**
 * MiniStack's CloudFormation silently ignores them, so test/package/template.test.ts checks them in the
 * template.
 */
async function setRedrivePolicies({ physicalId }: Deployed): Promise<void> {
  for (const [id, { Properties }] of resourcesOf<QueueProperties>('AWS::SQS::Queue')) {
    if (Properties.RedrivePolicy === undefined) continue;
    const { deadLetterTargetArn, maxReceiveCount } = Properties.RedrivePolicy;
    const deadLetters = physicalId(deadLetterTargetArn['Fn::GetAtt'][0]);
    const policy = { deadLetterTargetArn: await queueArn(sqs, deadLetters), maxReceiveCount };
    const Attributes = { RedrivePolicy: JSON.stringify(policy) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: physicalId(id), Attributes }));
  }
}
