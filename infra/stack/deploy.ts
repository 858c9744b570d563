import {
  GetTemplateCommand,
  SetStackPolicyCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import { readPageFiles } from '../local/page-files.ts';
import { type Ask, checkAccount } from './account.ts';
import { API } from './api-body.ts';
import { checkHealth } from './check-health.ts';
import {
  changeStack,
  deleteStack,
  findSettled,
  findStack,
  outputsOf,
  physicalIds,
  type StackChange,
} from './cloudformation.ts';
import { CODE_BUCKET, emptyBucket, putTemplate, sendArtifacts } from './code-bucket.ts';
import type { Package } from './package.ts';
import { type AlarmTarget, explainRollback, findRollbackAlarms } from './rollback-alarms.ts';
import { sendPage } from './send-page.ts';
import type { Template } from './template.ts';

/** Where and how a stage is deployed. */
export interface Target extends AlarmTarget {
  s3: S3Client;
  lambda: LambdaClient;
  /** Calls the AWS CLI to check the account's quotas; undefined if there is no CLI. */
  ask?: Ask;
  /** Calls the deployed API to check its health. */
  request?: typeof fetch;
  /** The name of the functions' stack; the other stacks append their own name to it. */
  name: string;
  /** Seconds between two polls of a stack. */
  every?: number | undefined;
}

/** The value of the service tag; each stage's deployment name begins with it. */
const SERVICE = 'workspace-research';
const PAGE_BUCKET = 'ConsoleBucket';
/** A parameter of infra/data.yml. */
const FILE_SYSTEM_KEY = 'FileSystemKeyArn';
const DATA_IDS = ['Table', 'Bucket', 'FileSystem'];
/** A function that may write to the file system. */
const WRITER = 'UploadDashworkerLambdaFunction';

/** Returns the name of a stage's deployment. */
export function deploymentName(stage: string): string {
  return `${SERVICE}-${stage}`;
}

/** Tags for the account's costs by service and stage. One tag names both, because a budget filters by one tag. */
function tagsOf({ name }: Target): Record<string, string> {
  return { service: SERVICE, stage: name.slice(SERVICE.length + 1), deployment: name };
}

export function stackNames(name: string) {
  return { data: `${name}-data`, functions: name, console: `${name}-console`, alarms: `${name}-alarms` };
}

/**
 * Deploys the data stack first, then the functions, which get the data's names, then the alarms, then the console. The
 * alarms come before the console so that nothing runs unmonitored while CloudFront takes a quarter of an hour. It may
 * stop at any line and be run again. Throws if the deployed API isn't healthy, but doesn't undo anything.
 */
export async function deployService(
  target: Target,
  { templates, start, artifacts, page, rollbackMinutes }: Package,
): Promise<void> {
  const { cloudFormation, s3, tell } = target;
  const stacks = stackNames(target.name);
  const tags = tagsOf(target);
  await settle(target);
  await checkTarget(target, { templates });
  const queueBefore = (await outputsOf(cloudFormation, stacks.functions)).UploadQueueArn ?? '';
  const kept = await keyOfFileSystem(target);
  const changeData = async (UploadQueueArn: string) => {
    const parameters = { ...kept, UploadQueueArn, HoldsData: String(await holdsData(target)) };
    await change(target, { name: stacks.data, template: templates.data, parameters, tags });
  };
  await changeData(queueBefore);
  await protectData(target, stacks.data);
  const { codeBucket, ApiId } = await startFunctions(target, start);
  const { sent, bytes } = await sendArtifacts(s3, codeBucket, artifacts);
  tell(`${sent} of ${artifacts.length} zips uploaded, ${(bytes / 1e6).toFixed(1)} MB`);
  const put = (body: string) => putTemplate(s3, codeBucket, body);
  const data = await outputsOf(cloudFormation, stacks.data);
  const given = { ...data, ApiId };
  const code = { name: stacks.functions, template: templates.functions, parameters: given, tags, put };
  await changeFunctions(target, code, rollbackMinutes);
  await mountOnce(target);
  const functions = await outputsOf(cloudFormation, stacks.functions);
  // S3 accepts only an existing queue, so at the first deployment the bucket gets its notification afterwards.
  if (functions.UploadQueueArn !== queueBefore) await changeData(functions.UploadQueueArn ?? '');
  const parameters = { ...data, ...functions };
  await change(target, { name: stacks.alarms, template: templates.alarms, parameters, tags, put });
  if (page === undefined) await dropStack(target, stacks.console);
  else
    await deployConsole(
      target,
      { name: stacks.console, template: templates.console, parameters, tags },
      page,
    );
  await checkHealth(functions.ServiceEndpoint ?? '', target);
}

/** Checks the account without changing it. Throws what checkAccount does. */
export async function checkTarget(target: Target, { templates }: Pick<Package, 'templates'>): Promise<void> {
  const { ask } = target;
  if (ask !== undefined) await checkAccount({ ...target, ask }, templates.functions);
}

/**
 * Has a function with write access mount the file system, because EFS then creates the functions' folder. No source
 * says whether a read-only function, such as that of /api/health, is enough. An empty batch does nothing else.
 */
async function mountOnce({ cloudFormation, lambda, name, tell }: Target): Promise<void> {
  const FunctionName = (await physicalIds(cloudFormation, name)).get(WRITER);
  if (FunctionName === undefined) return;
  const call = new InvokeCommand({ FunctionName, Payload: JSON.stringify({ Records: [] }) });
  const failed = await lambda.send(call).then(
    ({ FunctionError }) => FunctionError,
    (error: Error) => error.name,
  );
  if (failed !== undefined)
    tell(`${FunctionName} didn't answer (${failed}): until it mounts the file system, /api/health may fail`);
}

/** The stacks' resources, and the alarms to watch, are known only after the previous deployment. */
async function settle({ cloudFormation, name, every, tell }: Target): Promise<void> {
  for (const stack of Object.values(stackNames(name)))
    await findSettled(cloudFormation, { name: stack, every, tell });
}

/**
 * Alarms roll back only this stack, because data must not return to an earlier state, and the other stacks
 * run none of our code.
 */
async function changeFunctions(target: Target, code: StackChange, minutes: number): Promise<void> {
  const { alarms } = stackNames(target.name);
  const rollback = await findRollbackAlarms(target, alarms, minutes);
  const since = Date.now();
  await change(target, { ...code, rollback }).catch(async (error: Error) => {
    throw await explainRollback(target, alarms, { rollback, since }, error).catch(() => error);
  });
}

/**
 * Returns the key with which the file system was created. For any other key, CloudFormation would replace the
 * file system and every file in it. Returns undefined before the first deployment, which uses the key in the
 * stage's file.
 */
async function keyOfFileSystem({ cloudFormation, name }: Target): Promise<Record<string, string>> {
  const found = await findStack(cloudFormation, stackNames(name).data);
  if (found === undefined || found.StackStatus === 'ROLLBACK_COMPLETE') return {};
  const key = found.Parameters?.find(({ ParameterKey }) => ParameterKey === FILE_SYSTEM_KEY);
  return { [FILE_SYSTEM_KEY]: key?.ParameterValue ?? '' };
}

async function deployConsole(target: Target, console: StackChange, page: string): Promise<void> {
  const { cloudFormation, s3, tell } = target;
  await change(target, console);
  const bucket = (await physicalIds(cloudFormation, console.name)).get(PAGE_BUCKET);
  if (bucket === undefined) throw new Error(`${console.name} has no ${PAGE_BUCKET}.`);
  const files = readPageFiles(page);
  const { sent } = await sendPage(s3, bucket, files);
  const { ConsoleUrl } = await outputsOf(cloudFormation, console.name);
  tell(`${sent} of ${files.size} console files uploaded: ${ConsoleUrl}`);
}

/**
 * Returns the code bucket and the API's ID. The functions need both before the API can refer to them, so the
 * functions' stack starts with only these two.
 */
async function startFunctions(target: Target, template: Package['start']) {
  const { cloudFormation, name } = target;
  const status = (await findStack(cloudFormation, name))?.StackStatus;
  if (status === undefined || status === 'ROLLBACK_COMPLETE')
    await change(target, { name, template, tags: tagsOf(target) });
  const ids = await physicalIds(cloudFormation, name);
  const [codeBucket, ApiId] = [ids.get(CODE_BUCKET), ids.get(API)];
  if (codeBucket === undefined || ApiId === undefined)
    throw new Error(`${name} has no ${codeBucket === undefined ? CODE_BUCKET : API}.`);
  return { codeBucket, ApiId };
}

async function change(target: Target, stackChange: Omit<StackChange, 'every' | 'tell'>): Promise<void> {
  const { cloudFormation, every, tell } = target;
  const changed = await changeStack(cloudFormation, { ...stackChange, every, tell });
  tell(changed ? `${stackChange.name} is deployed` : `${stackChange.name} is unchanged`);
}

/** Removes functions, console, and alarms. Keeps the data unless `withData` is set. */
export async function removeService(target: Target, { withData = false } = {}): Promise<void> {
  const { cloudFormation, name, tell, every } = target;
  const stacks = stackNames(name);
  for (const stack of [stacks.alarms, stacks.console, stacks.functions]) await dropStack(target, stack);
  if (!withData || (await findStack(cloudFormation, stacks.data)) === undefined) return;
  await cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: stacks.data, EnableTerminationProtection: false }),
  );
  if (await deletesData(target, stacks.data)) await emptyHeld(target, stacks.data, ['Bucket']);
  await deleteStack(cloudFormation, stacks.data, every);
  tell(`${stacks.data} is removed. Its data stays, unless DATA_ON_REMOVAL was Delete.`);
}

async function dropStack(target: Target, stack: string): Promise<void> {
  const { cloudFormation, tell, every } = target;
  if ((await findStack(cloudFormation, stack)) === undefined) return;
  await emptyHeld(target, stack, [CODE_BUCKET, PAGE_BUCKET]);
  await deleteStack(cloudFormation, stack, every);
  tell(`${stack} is removed`);
}

async function emptyHeld({ cloudFormation, s3 }: Target, stack: string, ids: string[]): Promise<void> {
  const held = await physicalIds(cloudFormation, stack);
  for (const id of ids) {
    const bucket = held.get(id);
    if (bucket !== undefined) await emptyBucket(s3, bucket);
  }
}

/**
 * Returns whether the stage was deployed with DATA_ON_REMOVAL=Delete, according to the deployed template, not
 * the stage's file.
 */
async function deletesData({ cloudFormation }: Target, StackName: string): Promise<boolean> {
  const { TemplateBody = '' } = await cloudFormation.send(
    new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
  );
  return (JSON.parse(TemplateBody) as Template).Resources.Bucket?.DeletionPolicy === 'Delete';
}

/** Returns whether a data stack with data exists, because a failed creation leaves an empty stack. */
async function holdsData({ cloudFormation, name }: Target): Promise<boolean> {
  const { data } = stackNames(name);
  if ((await findStack(cloudFormation, data)) === undefined) return false;
  return (await physicalIds(cloudFormation, data)).has('Table');
}

/**
 * Makes AWS refuse to delete the stack, and to replace or remove its resources, even if a template says so.
 */
async function protectData({ cloudFormation }: Target, StackName: string): Promise<void> {
  const StackPolicyBody = JSON.stringify({
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' },
      {
        Effect: 'Deny',
        Principal: '*',
        Action: ['Update:Replace', 'Update:Delete'],
        Resource: DATA_IDS.map((id) => `LogicalResourceId/${id}`),
      },
    ],
  });
  await cloudFormation.send(new SetStackPolicyCommand({ StackName, StackPolicyBody }));
  await cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true }),
  );
}
