import type { Template, TemplateResource } from './template.ts';

const FUNCTION = /LambdaFunction$/;
const WRITE_LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];
/** What DynamoDB needs at least, and with it S3 and SQS; a grant is made by who creates the table. */
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
  /** The administrator's key of table, bucket, and queues, by its ARN; empty for AWS's own. */
  kmsKey: string;
}

/** Adds what is the same for every function, and would be repeated in the fragments. */
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

/** Adds the permission to the role itself: a shared one would reach the log groups of all functions. */
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

/** Table, bucket, or a queue: user commands, for example, reach none of them, so they never get to the key. */
function reachesData(Resources: Template['Resources'], roleId: string): boolean {
  const policies: { Ref?: string }[] = Resources[roleId]?.Properties.ManagedPolicyArns ?? [];
  const documents = policies.map(({ Ref = '' }) => Resources[Ref]?.Properties.PolicyDocument);
  return /"(dynamodb|s3|sqs):/.test(JSON.stringify(documents));
}

/** The services use the key in the name of the function, and only they: the function itself can't ask KMS. */
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
