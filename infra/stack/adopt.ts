import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { deleteStack, findStack, physicalIds, templateOf } from './cloudformation.ts';
import { CODE_BUCKET, putTemplate } from './code-bucket.ts';
import { change, DATA_IDS, holdsData, isOneStack, stackNames, type Target } from './deploy.ts';
import { mapReferences, type Substitute, type Template, type TemplateResource } from './template.ts';

/** The names by which CloudFormation identifies each resource when it imports one. */
const IDENTIFIERS: Record<string, string> = {
  Table: 'TableName',
  Bucket: 'BucketName',
  FileSystem: 'FileSystemId',
};
/** Leaves the old stack and is created again by the next deployment: a bucket has one policy, and two stacks can't share it. */
const POLICY = 'BucketPolicy';
/** A description of the data, stored next to the code before it leaves the one stack until the other has it. */
const NOTE = 'adoption/data.json';

interface Adoption {
  /** Physical ids by logical id. */
  ids: Record<string, string>;
  template: Template;
}

/**
 * Moves the data of a stage that release 1.0 deployed into a stack of its own, without touching it: the one stack releases
 * table, bucket, and file system (they are kept, because their policy is Retain), and the data stack imports them as they are.
 * Functions keep running, with the same names. May end at any line and be run again.
 */
export async function adoptData(target: Target): Promise<void> {
  const { cloudFormation, name, tell } = target;
  const stacks = stackNames(name);
  if (await holdsData(target)) {
    if (await isOneStack(target))
      throw new Error(`Both ${name} and ${stacks.data} contain data. Nothing was moved.`);
    return tell(`${stacks.data} exists, so there is nothing to adopt.`);
  }
  const codeBucket = (await physicalIds(cloudFormation, name)).get(CODE_BUCKET);
  if (codeBucket === undefined)
    throw new Error(`${name} is not deployed in this region, so there is nothing to adopt.`);
  const adoption = (await isOneStack(target))
    ? await letGo(target, codeBucket)
    : await readNote(target, codeBucket);
  // What a failed import left behind: nothing but its name.
  const failed = await findStack(cloudFormation, stacks.data);
  if (failed?.StackStatus?.endsWith('ROLLBACK_COMPLETE'))
    await deleteStack(cloudFormation, stacks.data, target.every);
  const imports = DATA_IDS.map((id) => ({
    LogicalResourceId: id,
    ResourceType: adoption.template.Resources[id]?.Type ?? '',
    ResourceIdentifier: { [IDENTIFIERS[id] ?? '']: adoption.ids[id] ?? '' },
  }));
  await change(target, { name: stacks.data, template: adoption.template, imports });
  tell(
    `${stacks.data} now contains ${DATA_IDS.map((id) => adoption.ids[id]).join(', ')}. Deploy the stage now.`,
  );
}

/** Removes the data from the one stack; everything else in it stays as it is, because references to the data are written out. */
async function letGo(target: Target, codeBucket: string): Promise<Adoption> {
  const { cloudFormation, s3, name } = target;
  const whole = await templateOf(cloudFormation, name);
  refuseWhatWouldBeDeleted(whole, name);
  const adoption = await describe(target, whole);
  await s3.send(new PutObjectCommand({ Bucket: codeBucket, Key: NOTE, Body: JSON.stringify(adoption) }));
  const written = (value: unknown) =>
    mapReferences(value, (id, attribute) => writtenOut(adoption, id, attribute));
  const kept = Object.entries(whole.Resources).filter(([id]) => ![...DATA_IDS, POLICY].includes(id));
  const Resources = Object.fromEntries(
    kept.map(([id, resource]) => [id, written(resource) as TemplateResource]),
  );
  // Set here already, so that the bucket never stops notifying its queue of uploads.
  const UploadQueueArn = { Value: { 'Fn::GetAtt': ['UploadQueue', 'Arn'] } };
  const Outputs = { ...(written(whole.Outputs ?? {}) as Record<string, unknown>), UploadQueueArn };
  const put = (body: string) => putTemplate(s3, codeBucket, body);
  await change(target, { name, template: { ...whole, Resources, Outputs }, put });
  return adoption;
}

function refuseWhatWouldBeDeleted({ Resources }: Template, name: string): void {
  const unsafe = DATA_IDS.filter((id) => Resources[id]?.DeletionPolicy !== 'Retain');
  if (unsafe.length === 0) return;
  throw new Error(
    `${name} would delete ${unsafe.join(', ')}, because it was deployed with DATA_ON_REMOVAL=Delete. ` +
      'Deploy release 1.0 once more without it, then adopt.',
  );
}

/** Describes the data as deployed, with every reference written out. */
async function describe({ cloudFormation, name }: Target, whole: Template): Promise<Adoption> {
  const all = await physicalIds(cloudFormation, name);
  const ids = Object.fromEntries(DATA_IDS.map((id) => [id, all.get(id) ?? '']));
  const queue = all.get('UploadQueue')?.split('/').at(-1) ?? '';
  const text = `arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:${queue}`;
  const written = (resource: unknown) =>
    mapReferences(resource, (id) => (id === 'UploadQueue' ? { text } : undefined));
  const Resources = Object.fromEntries(
    DATA_IDS.map((id) => {
      const { DependsOn: _, ...resource } = whole.Resources[id] as TemplateResource;
      return [id, written(resource) as TemplateResource];
    }),
  );
  return { ids, template: { AWSTemplateFormatVersion: '2010-09-09', Resources } };
}

async function readNote({ s3 }: Target, Bucket: string): Promise<Adoption> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: NOTE }));
  return JSON.parse((await Body?.transformToString()) ?? '');
}

const ARNS: Record<string, (id: string) => string> = {
  Table: (id) => `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${id}`,
  Bucket: (id) => `arn:\${AWS::Partition}:s3:::${id}`,
  FileSystem: (id) =>
    `arn:\${AWS::Partition}:elasticfilesystem:\${AWS::Region}:\${AWS::AccountId}:file-system/${id}`,
};

function writtenOut({ ids }: Adoption, id: string, attribute?: string): Substitute | undefined {
  const name = ids[id];
  if (name === undefined) return undefined;
  if (attribute === undefined) return { text: name };
  const arn = attribute === 'Arn' ? ARNS[id]?.(name) : undefined;
  if (arn === undefined) throw new Error(`The value of ${id}.${attribute} is unknown.`);
  return { text: arn };
}
