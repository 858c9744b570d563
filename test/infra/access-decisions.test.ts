import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { type CloudFormationResource, readServiceFile } from '../../infra/local/service-file.ts';
import { auditEntries } from '../../lib/audit/schema.ts';
import { tokens } from '../../lib/tokens/schema.ts';
import { arnOf, type Decision, evaluate, resolvePolicy, type Statement } from '../support/iam-policy.ts';

interface DeployedFunction {
  role: string;
  fileSystemConfig?: unknown;
}

const root = resolve(import.meta.dirname, '../..');
const { resources } = readServiceFile(join(root, 'serverless.yml'));
const { functions } = yaml.load(readFileSync(join(root, 'serverless.yml'), 'utf8')) as {
  functions: Record<string, DeployedFunction>;
};
const names = Object.keys(functions);

/** Permissions of a function's role, as in the templates. */
function statementsOf(name: string): Statement[] {
  const role = resources[functions[name]?.role ?? ''];
  const policies: { Ref: string }[] = role?.Properties.ManagedPolicyArns ?? [];
  const documents = policies.map(({ Ref }) => resources[Ref]?.Properties.PolicyDocument);
  return resolvePolicy(documents.flatMap(({ Statement }) => Statement));
}

const FILE_SYSTEM = arnOf('FileSystem');
const OWN_POINT = arnOf('AccessPoint');
const OTHER_POINT = 'arn:aws:elasticfilesystem:eu-west-1:111122223333:access-point/fsap-1';
const TLS = { 'aws:SecureTransport': 'true' };

/**
 * EFS without a file system policy allows full access to everyone. Otherwise, either policy can allow and
 * either can deny.
 */
const EVERYONE: Statement = { Effect: 'Allow', Principal: '*', Action: 'elasticfilesystem:*', Resource: '*' };

function mountAs(rights: Statement[], action: string, context: Record<string, string>): Decision {
  const { FileSystemPolicy } = resources.FileSystem?.Properties ?? {};
  const policy: Statement[] = resolvePolicy(FileSystemPolicy?.Statement ?? [EVERYONE]);
  const request = { action: `elasticfilesystem:${action}`, resource: FILE_SYSTEM, context };
  const both = [evaluate(policy, request), evaluate(rights, request)];
  return both.includes('denied') ? 'denied' : both.includes('allowed') ? 'allowed' : 'implicit';
}

const through = (point: string) => ({ ...TLS, 'elasticfilesystem:AccessPointArn': point });
const ACTIONS = ['ClientMount', 'ClientWrite', 'ClientRootAccess'];
/** The permissions that AWS's own policies give to an operator. */
const OPERATOR: Statement[] = [{ Effect: 'Allow', Action: 'elasticfilesystem:*', Resource: '*' }];

describe('file system', () => {
  it('denies clients without credentials, with TLS or not, through an access point or not', () => {
    const ways = [{}, { 'aws:SecureTransport': 'false' }, TLS, through(OTHER_POINT), through(OWN_POINT)];
    for (const action of ACTIONS)
      for (const way of ways) expect(mountAs([], action, way)).not.toBe('allowed');
  });

  it('denies the roles of functions without a mount, such as that of commands', () => {
    const others = names.filter((name) => functions[name]?.fileSystemConfig === undefined);
    expect(others).toContain('commands');
    for (const name of others)
      for (const action of ACTIONS)
        expect(mountAs(statementsOf(name), action, through(OWN_POINT))).not.toBe('allowed');
  });

  const mounted = names.filter((name) => functions[name]?.fileSystemConfig !== undefined);
  const onlyRead = ['generate', 'system'];

  it.each(mounted)('allows %s through the only access point with TLS, and not as root', (name) => {
    const rights = statementsOf(name);
    const decide = (action: string, way: Record<string, string>) => mountAs(rights, action, way);
    expect(decide('ClientMount', through(OWN_POINT))).toBe('allowed');
    expect(decide('ClientWrite', through(OWN_POINT)) === 'allowed').toBe(!onlyRead.includes(name));
    expect(decide('ClientRootAccess', through(OWN_POINT))).toBe('denied');
    for (const action of ACTIONS) {
      expect(decide(action, { ...through(OWN_POINT), 'aws:SecureTransport': 'false' })).toBe('denied');
      expect(decide(action, TLS)).toBe('denied');
      expect(decide(action, through(OTHER_POINT))).not.toBe('allowed');
    }
  });

  it('allows an operator through an access point with TLS, as in the quick start, and not as root', () => {
    expect(mountAs(OPERATOR, 'ClientWrite', through(OTHER_POINT))).toBe('allowed');
    expect(mountAs(OPERATOR, 'ClientWrite', { 'aws:SecureTransport': 'false' })).toBe('denied');
    expect(mountAs(OPERATOR, 'ClientRootAccess', through(OTHER_POINT))).toBe('denied');
  });

  it('uses only condition keys that EFS compares for its clients', () => {
    const { Statement } = resources.FileSystem?.Properties.FileSystemPolicy ?? { Statement: [] };
    const keys = (Statement as { Condition?: Record<string, object> }[]).flatMap(({ Condition = {} }) =>
      Object.values(Condition).flatMap(Object.keys),
    );
    // docs.aws.amazon.com/efs/latest/ug/iam-access-control-nfs-efs.html: EFS enforces no other actions.
    const known = ['aws:SecureTransport', 'aws:SourceIp', 'elasticfilesystem:AccessPointArn'];
    expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    expect(keys).toContain('aws:SecureTransport');
  });

  it.each(['dev', 'prod.example'])('is reachable only from the group of functions: stage %s', (stage) => {
    const of = readServiceFile(join(root, 'serverless.yml'), stage).resources as Record<
      string,
      CloudFormationResource
    >;
    const [rule, ...more] = of.FileSystemSecurityGroup?.Properties.SecurityGroupIngress ?? [];
    expect(more).toEqual([]);
    expect(rule).toMatchObject({
      SourceSecurityGroupId: { 'Fn::GetAtt': ['FunctionSecurityGroup', 'GroupId'] },
    });
  });
});

const TABLE = arnOf('Table');
const INDEX = `${TABLE}/index/gsi1`;
const TOKEN = tokens.key({ hash: 'h' } as never).partition;
const AUDIT = auditEntries.key({ id: 'i' }).partition;
const BY_ID = 'TOKEN_BY_ID';
const READS = ['GetItem', 'BatchGetItem', 'Query'];
const WRITES = ['PutItem', 'UpdateItem'];
const REMOVALS = ['DeleteItem', 'BatchWriteItem'];
const ALL = [...READS, ...WRITES, ...REMOVALS];

/**
 * Returns the actions that a function may perform in a partition. For several keys in one request, all must
 * be allowed.
 */
function doneBy(name: string, keys: string | string[], resource = TABLE, actions = ALL): string[] {
  const rights = statementsOf(name);
  const context = { 'dynamodb:LeadingKeys': keys };
  return actions.filter(
    (action) => evaluate(rights, { action: `dynamodb:${action}`, resource, context }) === 'allowed',
  );
}

const WITHOUT = ['commands', 'docs', 'authorizer'];
/** record-rights.test.ts compares this with the bundles in both directions. */
const ADD_AUDIT = [
  ...[
    'activity',
    'agent',
    'agent-worker',
    'bot-worker',
    'conversations',
    'datasets',
    'files',
    'git',
    'indexing',
    'mcp',
  ],
  ...['notes', 'research', 'settings', 'skills', 'task-worker', 'tasks', 'terminal', 'tokens', 'workspaces'],
];
const FIND_TOKENS = [
  'agent',
  'agent-worker',
  'bot-worker',
  'chat',
  'conversations',
  'mcp',
  'task-worker',
  'terminal',
  'tokens',
  'upload-worker',
];
const using = names.filter((name) => !WITHOUT.includes(name));

describe('permissions on records', () => {
  it.each(using)('allow %s every partition except those of tokens and of the audit log', (name) => {
    expect(doneBy(name, 'WORKSPACE')).toEqual(ALL);
    expect(doneBy(name, 'NOTE', INDEX, ['Query'])).toEqual(['Query']);
  });

  it.each(using)('allow %s tokens only if the function manages them', (name) => {
    expect(doneBy(name, TOKEN)).toEqual(name === 'tokens' ? [...READS, ...WRITES] : []);
    expect(doneBy(name, BY_ID, INDEX, ['Query'])).toEqual(FIND_TOKENS.includes(name) ? ['Query'] : []);
  });

  it.each(using)(
    'allow %s to append to the audit log, and allow only functions that show the log to read it',
    (name) => {
      const reads = name === 'activity' ? READS : [];
      expect(doneBy(name, AUDIT)).toEqual([...reads, ...(ADD_AUDIT.includes(name) ? WRITES : [])]);
    },
  );

  it.each(using)('deny %s a batch that contains a forbidden partition', (name) => {
    if (name !== 'tokens') expect(doneBy(name, ['WORKSPACE', TOKEN])).toEqual([]);
    const removals = doneBy(name, ['WORKSPACE', AUDIT], TABLE, REMOVALS);
    expect(removals).toEqual([]);
  });

  it('restrict the authorizer to credentials', () => {
    expect(doneBy('authorizer', TOKEN)).toEqual(['GetItem', 'UpdateItem']);
    for (const partition of ['WORKSPACE', AUDIT]) expect(doneBy('authorizer', partition)).toEqual([]);
    expect(doneBy('authorizer', BY_ID, INDEX)).toEqual([]);
  });

  it.each(names)('deny %s scans, transactions, and statements, which ignore partitions', (name) => {
    const others = ['Scan', 'TransactWriteItems', 'TransactGetItems', 'PartiQLSelect', 'ExecuteStatement'];
    for (const resource of [TABLE, INDEX]) expect(doneBy(name, 'WORKSPACE', resource, others)).toEqual([]);
  });

  it('deny both kinds of records to functions that use no records', () => {
    for (const name of ['commands', 'docs']) expect(doneBy(name, 'WORKSPACE')).toEqual([]);
  });
});
