import type { Template, TemplateResource } from './template.ts';

const FUNCTION = /LambdaFunction$/;
const WRITE_LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];
/** The minimum that DynamoDB, S3, and SQS need; the creator of the table creates the grant. */
const USE_KEY = [
  'kms:Encrypt',
  'kms:Decrypt',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:DescribeKey',
];

export interface FunctionSettings {
  /**
   * ARN of the administrator's key for the table, the bucket, and the queues; empty for AWS's default key.
   */
  kmsKey: string;
}

/** Adds settings that are the same for every function, so that the fragments don't repeat them. */
export function settleFunctions({ Resources }: Template, { kmsKey }: FunctionSettings): void {
  const written = new Set<string>();
  for (const [id, resource] of Object.entries(Resources)) {
    if (resource.Type !== 'AWS::Lambda::Function') continue;
    const role: string = resource.Properties.Role['Fn::GetAtt'][0];
    if (written.has(role)) throw new Error(`${id} shares ${role}. Give each function a role of its own.`);
    written.add(role);
    writeOwnLog(Resources, role, id.replace(FUNCTION, 'LogGroup'));
    if (kmsKey !== '' && reachesData(Resources, role)) addPolicy(Resources[role], 'key', useOf(kmsKey));
  }
}

/**
 * Adds the permission to the role itself, because a shared policy would cover the log groups of all
 * functions.
 */
function writeOwnLog(Resources: Template['Resources'], roleId: string, logGroup: string): void {
  const [role, group] = [Resources[roleId], Resources[logGroup]];
  if (role === undefined || group === undefined) throw new Error(`${roleId} or ${logGroup} is missing.`);
  const Resource = { 'Fn::GetAtt': [logGroup, 'Arn'] };
  addPolicy(role, 'log', { Effect: 'Allow', Action: WRITE_LOG, Resource });
}

function addPolicy(role: TemplateResource | undefined, PolicyName: string, statement: object): void {
  if (role === undefined) return;
  role.Properties.Policies = [
    ...(role.Properties.Policies ?? []),
    { PolicyName, PolicyDocument: { Version: '2012-10-17', Statement: [statement] } },
  ];
}

/**
 * Returns whether the role may use the table, the bucket, or a queue. Functions without access to them, such as user
 * commands, don't get the key.
 */
function reachesData(Resources: Template['Resources'], roleId: string): boolean {
  const policies: { Ref?: string }[] = Resources[roleId]?.Properties.ManagedPolicyArns ?? [];
  const documents = policies.map(({ Ref = '' }) => Resources[Ref]?.Properties.PolicyDocument);
  return /"(dynamodb|s3|sqs):/.test(JSON.stringify(documents));
}

/** Only the services may use the key on the function's behalf; the function itself can't call KMS. */
function useOf(key: string) {
  const services = ['dynamodb', 's3', 'sqs'].map((name) => ({
    'Fn::Sub': `${name}.\${AWS::Region}.\${AWS::URLSuffix}`,
  }));
  return {
    Effect: 'Allow',
    Action: USE_KEY,
    Resource: key,
    Condition: { StringEquals: { 'kms:ViaService': services } },
  };
}
