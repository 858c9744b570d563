import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackEventsCommand,
  paginateListStackResources,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import { packagedFunctions, resourcesOf } from '../lanes/packaged-service.ts';
import { closing, createBucket, emulatorS3Client, emulatorSettings, queueArn } from '../support/emulator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { deployableTemplate } from './deployable-template.ts';

export const STAGE = 'lane';
const STACK = `workspace-research-${STAGE}`;

export interface Stack {
  /** Where API Gateway answers. */
  url: string;
  /** The folder that stands for the mounted file system. */
  mount: string;
  /** Logical ids of the template with their types. */
  leftOut: Record<string, string>;
  /** What a `Ref` to the resource means there: the address of `IndexQueue`, the name of `Table`. */
  physicalId(logicalId: string): string;
}

interface QueueProperties {
  RedrivePolicy?: { deadLetterTargetArn: { 'Fn::GetAtt': [string, string] }; maxReceiveCount: number };
}

const settings = emulatorSettings('MINISTACK_URL');
const cloudFormation = closing(new CloudFormationClient(settings));
const sqs = closing(new SQSClient(settings));
const s3 = emulatorS3Client('MINISTACK_URL');

/** Deploys the packaged service to MiniStack, `variables` added to every function's environment. */
export async function deployStack(variables: Record<string, string>): Promise<Stack> {
  const bucket = await createBucket(s3, `deploy-${randomUUID()}`);
  const mount = await tempFolder();
  const { template, leftOut } = deployableTemplate({ bucket, mount, settings: variables });
  await Promise.all(packagedFunctions().map(({ name, zip }) => upload(bucket, `${name}.zip`, zip)));
  await createStack(bucket, JSON.stringify(template));
  const ids = await physicalIds();
  const physicalId = (logicalId: string) => {
    const id = ids.get(logicalId);
    if (id === undefined) throw new Error(`the stack has no ${logicalId}`);
    return id;
  };
  await setRedrivePolicies(physicalId);
  const url = `${settings.endpoint}/restapis/${physicalId('ApiGatewayRestApi')}/${STAGE}/_user_request_`;
  return { url, mount, leftOut, physicalId };
}

/** In parts: the time MiniStack takes for a body grows with the square of its length. */
async function upload(bucket: string, key: string, file: string): Promise<void> {
  const params = { Bucket: bucket, Key: key, Body: createReadStream(file) };
  await new Upload({ client: s3, params, partSize: 8 * 1024 * 1024 }).done();
}

/** From an address: over 51,200 bytes CloudFormation takes no template in the request. */
async function createStack(bucket: string, template: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'template.json', Body: template }));
  const TemplateURL = `${settings.endpoint}/${bucket}/template.json`;
  await cloudFormation.send(new CreateStackCommand({ StackName: STACK, TemplateURL }));
  await waitUntilStackCreateComplete(
    { client: cloudFormation, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { StackName: STACK },
  ).catch(async (error: unknown) => {
    throw new Error(`the stack did not come about: ${await firstFailure()}`, { cause: error });
  });
}

async function firstFailure(): Promise<string | undefined> {
  const { StackEvents = [] } = await cloudFormation.send(
    new DescribeStackEventsCommand({ StackName: STACK }),
  );
  const failures = StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED');
  return failures.map((event) => `${event.LogicalResourceId}: ${event.ResourceStatusReason}`).at(-1);
}

async function physicalIds(): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: STACK })) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of page.StackResourceSummaries ?? []) {
      ids.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return ids;
}

/** MiniStack's CloudFormation drops them without a word; test/deploy/template.test.ts holds the template to them. */
async function setRedrivePolicies(physicalId: Stack['physicalId']): Promise<void> {
  for (const [id, { Properties }] of resourcesOf<QueueProperties>('AWS::SQS::Queue')) {
    if (Properties.RedrivePolicy === undefined) continue;
    const { deadLetterTargetArn, maxReceiveCount } = Properties.RedrivePolicy;
    const deadLetters = physicalId(deadLetterTargetArn['Fn::GetAtt'][0]);
    const policy = { deadLetterTargetArn: await queueArn(sqs, deadLetters), maxReceiveCount };
    const Attributes = { RedrivePolicy: JSON.stringify(policy) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: physicalId(id), Attributes }));
  }
}
