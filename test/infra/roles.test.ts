import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { type CloudFormationResource, readServiceFile } from '../../infra/local/service-file.ts';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';

/**
 * The permissions of each function except writing its log, as in the table of docs/security/iam-matrix.md.
 */
const RIGHTS: Record<string, string[]> = {
  authorizer: ['CheckCredentials'],
  tokens: ['KeepTokens', 'SendToAgent'],
  workspaces: [
    'DropAttachments',
    'KeepMcpHeaders',
    'KeepSourceKeys',
    'MountFiles',
    'SendToCommit',
    'SendToIndex',
    'UseAuditedRecords',
  ],
  indexing: ['ReadProviderKeys', 'SendToIndex', 'UseAuditedRecords'],
  files: ['MountFiles', 'ReadExtracts', 'SendToIndex', 'SignUploads', 'UseAuditedRecords'],
  chat: [
    'KeepAttachments',
    'MountFiles',
    'ReadExtracts',
    'ReadProviderKeys',
    'ReadVectors',
    'ReadWebSearchKeys',
    'SendToIndex',
    'UseCheckedRecords',
  ],
  terminal: ['MountFiles', 'RunCommands', 'SendToIndex', 'UseCheckedAuditedRecords'],
  commands: ['JoinNetwork'],
  skills: ['UseAuditedRecords'],
  activity: ['ShowAudit'],
  conversations: ['ShowAttachments', 'UseCheckedAuditedRecords'],
  notes: ['UseAuditedRecords'],
  generate: ['MountFilesToRead', 'ReadExtracts', 'ReadProviderKeys', 'ReadVectors', 'UseRecords'],
  git: ['MountFiles', 'ReadCodeHostToken', 'ReadProviderKeys', 'SendToIndex', 'UseAuditedRecords'],
  models: ['ReadProviderKeys', 'UseRecords'],
  papers: ['MountFiles', 'ReadPaperKeys', 'SendToIndex', 'UseRecords'],
  cluster: ['JoinNetwork', 'ReadKubeconfig', 'UseRecords'],
  settings: [
    'KeepModelConnections',
    'KeepSettingKeys',
    'KeepWebhookSecrets',
    'ReadBotSecrets',
    'ReadCodeHostToken',
    'ReadKubeconfig',
    'ReadProviderKeys',
    'SendToAgent',
    'UseAuditedRecords',
  ],
  system: ['DescribeFileSystem', 'MountFilesToRead', 'ReadProviderKeys', 'UseRecords'],
  docs: [],
  mcp: [
    'KeepMcpHeaders',
    'KeepRuns',
    'MountFiles',
    'ReadAgentKeys',
    'ReadManifests',
    'RunCommands',
    'SendToAgent',
    'SendToIndex',
    'UseCheckedAuditedRecords',
  ],
  agent: [
    'KeepRuns',
    'MountFiles',
    'ReadAgentKeys',
    'RunCommands',
    'SendToAgent',
    'SendToIndex',
    'UseCheckedAuditedRecords',
  ],
  research: ['ReadProviderKeys', 'SendToAgent', 'UseAuditedRecords'],
  'agent-worker': [
    'KeepRuns',
    'MountFiles',
    'ReadAgentKeys',
    'ReadWebhookSecrets',
    'RunCommands',
    'SendToAgent',
    'SendToIndex',
    'UseCheckedAuditedRecords',
    'WorkOnAgent',
  ],
  'index-worker': [
    'KeepExtracts',
    'MountFiles',
    'ReadExtracts',
    'ReadProviderKeys',
    'ReadVectors',
    'SendToCommit',
    'SendToIndex',
    'UseRecords',
    'WorkOnIndex',
  ],
  'maintain-worker': ['DropExtracts', 'KeepVectors', 'MountFiles', 'UseRecords', 'WorkOnMaintain'],
  'commit-worker': [
    'DropExtracts',
    'KeepVectors',
    'MountFiles',
    'SendToIndex',
    'SendToMaintain',
    'UseRecords',
    'WorkOnCommit',
  ],
  'upload-worker': ['MountFiles', 'MoveUploads', 'SendToIndex', 'UseCheckedRecords', 'WorkOnUploads'],
  datasets: [
    'KeepManifests',
    'MountFiles',
    'ReadHubTokens',
    'SendToDataset',
    'SendToIndex',
    'UseAuditedRecords',
  ],
  'dataset-worker': [
    'KeepManifests',
    'MountFiles',
    'ReadHubTokens',
    'SendToDataset',
    'SendToIndex',
    'UseRecords',
    'WorkOnDataset',
  ],
  bots: ['ReadBotSecrets', 'SendToBot', 'UseRecords'],
  'bot-worker': [
    'KeepRuns',
    'MountFiles',
    'ReadAgentKeys',
    'ReadBotSecrets',
    'RunCommands',
    'SendToAgent',
    'SendToIndex',
    'UseCheckedAuditedRecords',
    'WorkOnBot',
  ],
  scheduler: [
    'SendToAgent',
    'SendToBot',
    'SendToDataset',
    'SendToIndex',
    'SendToMaintain',
    'SendToTask',
    'UseRecords',
  ],
  tasks: ['KeepSourceKeys', 'SendToTask', 'UseAuditedRecords'],
  'task-worker': [
    'KeepRuns',
    'MountFiles',
    'ReadAgentKeys',
    'ReadCodeHostToken',
    'RunCommands',
    'SendToAgent',
    'SendToIndex',
    'UseCheckedAuditedRecords',
    'WorkOnTask',
  ],
};
/** Permissions on records; record-rights.test.ts checks which of them a function needs. */
const RECORDS = [
  'CheckCredentials',
  'KeepTokens',
  'ShowAudit',
  'UseAuditedRecords',
  'UseCheckedAuditedRecords',
  'UseCheckedRecords',
  'UseRecords',
];
const MOUNTS = ['MountFiles', 'MountFilesToRead'];
/** They don't write to the file system; test/package runs them on a read-only one. */
const ONLY_READ = ['generate', 'system'];
const OBJECTS = [
  'DropAttachments',
  'KeepAttachments',
  'DropExtracts',
  'KeepExtracts',
  'KeepManifests',
  'KeepRuns',
  'MoveUploads',
  'ReadExtracts',
  'ReadManifests',
  'ShowAttachments',
  'SignUploads',
];
/** Permissions on the index's tables in the bucket; functions that run the agent read them by KeepRuns. */
const TABLES = ['KeepVectors', 'ReadVectors'];
/** AWS has no narrower resource for these. */
const ON_ANYTHING = /^(xray:Put|ec2:\w*(NetworkInterface|Subnets|PrivateIpAddresses))/;

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: unknown;
}
interface DeployedFunction {
  role?: string;
  fileSystemConfig?: unknown;
  vpc?: unknown;
}

const root = resolve(import.meta.dirname, '../..');
const service = readServiceFile(join(root, 'serverless.yml'));
const { functions } = yaml.load(readFileSync(join(root, 'serverless.yml'), 'utf8')) as {
  functions: Record<string, DeployedFunction>;
};
const names = Object.keys(functions);
const statements = Object.values(service.resources).flatMap(statementsOf);

/** Returns the statements of a role, a managed policy, or the policy of a bucket or queue. */
function statementsOf({ Properties = {} }: CloudFormationResource): Statement[] {
  const own: { PolicyDocument: { Statement: Statement[] } }[] = Properties.Policies ?? [];
  const documents = [Properties, ...own].flatMap(({ PolicyDocument }) => PolicyDocument ?? []);
  return documents.flatMap((document: { Statement: Statement[] }) => document.Statement);
}

function actionsOf({ Action }: Statement): string[] {
  return [Action].flat();
}

/** Returns the names of the managed policies of a function's role, without the one that every role has. */
function rightsOf(name: string): string[] {
  const role = service.resources[functions[name]?.role ?? ''];
  const policies: { Ref: string }[] = role?.Properties.ManagedPolicyArns ?? [];
  return policies
    .map(({ Ref }) => Ref)
    .filter((right) => right !== 'WriteTraces')
    .sort();
}

/** The functions that open secrets in another file. */
const ELSEWHERE: Record<string, string> = {
  'openAgent(': 'lib/wiring/agent.ts',
  settingsRoutes: 'lib/settings/settings.ts',
};

/**
 * Returns the source, with that of the opener of all the agent's ports, and of the rules that use secrets by
 * name.
 */
function handlerOf(name: string): string {
  const source = readFileSync(join(root, `functions/${name}/handler.ts`), 'utf8');
  const more = Object.entries(ELSEWHERE).filter(([word]) => source.includes(word));
  return [source, ...more.map(([, file]) => readFileSync(join(root, file), 'utf8'))].join('\n');
}

/** Secrets, by the code that reads them from the store. */
const SECRETS: [RegExp, string][] = [
  [/\bwith(Settings|ProviderKeys)\(/, 'ReadProviderKeys'],
  [/\bopenRepositories\(|'CODE_HOST_TOKEN'/, 'ReadCodeHostToken'],
  [/\bwithHubTokens\(/, 'ReadHubTokens'],
  [/\bopenPapers\(/, 'ReadPaperKeys'],
  [/\bopenCluster\(|'KUBECONFIG'/, 'ReadKubeconfig'],
  [/\bwithBotSecrets\(/, 'ReadBotSecrets'],
  [/\.set\('HUB_A_TOKEN'/, 'KeepSettingKeys'],
  [/\bfindLocalServers\b/, 'KeepModelConnections'],
  [/\.\.\.webhookRoutes\b/, 'KeepWebhookSecrets'],
  [/\.\.\.sourceRoutes\b|\bdropSources\(/, 'KeepSourceKeys'],
  [/\bdeliverDue\(/, 'ReadWebhookSecrets'],
  [/\bopenWebSearch\(/, 'ReadWebSearchKeys'],
  [/\bdropMcpServers\(|\bserve\(mcpRoutes\b/, 'KeepMcpHeaders'],
];

/** One permission set for the agent's models and tools, because a role can have at most ten. */
const OF_AGENTS = ['ReadProviderKeys', 'ReadPaperKeys', 'ReadWebSearchKeys', 'ReadKubeconfig'];

function secretsOf(source: string): string[] {
  const rights = SECRETS.flatMap(([use, right]) => (use.test(source) ? [right] : []));
  if (!source.includes('openAgent(')) return rights;
  return [...rights.filter((right) => !OF_AGENTS.includes(right)), 'ReadAgentKeys'];
}

/**
 * Anyone may call all of its routes, so nothing is stored under an idempotency key. Its records are opened
 * and never used.
 */
function isPublic(name: string): boolean {
  const routes = (ROUTE_GROUPS as Record<string, { access: string; credential?: string }[]>)[name] ?? [];
  return routes.length > 0 && routes.every(({ access, credential }) => access === 'public' && !credential);
}

/**
 * Returns the permissions that a handler's source requires: for each adapter that it opens, its queue, and
 * the mount.
 */
function wantedBy(name: string): string[] {
  const source = handlerOf(name);
  const opened = [...source.matchAll(/\bopen(\w+)\(config(?:, '([\w-]+)')?\)/g)];
  const queues = opened.flatMap(([, port, queue]) => (port === 'Queue' && queue ? [queue] : []));
  const fed = service.queues.filter(({ worker }) => worker?.function === name);
  const own = NO_RIGHT_TO_SEND[name];
  return [
    ...new Set(queues.filter((queue) => queue !== own).map((queue) => `SendTo${laneOf(queue)}`)),
    ...new Set(fed.map((queue) => `WorkOn${queue.name === 'upload' ? 'Uploads' : laneOf(queue.name)}`)),
    ...secretsOf(source),
    ...(source.includes('openFileSystem(') ? ['DescribeFileSystem'] : []),
    ...(source.includes('openCommands(') ? ['RunCommands'] : []),
    ...mountOf(name),
  ].sort();
}

/**
 * Functions that only hide failed messages in their queue, or whose permission for it includes sending,
 * because a role can have at most ten policies.
 */
const NO_RIGHT_TO_SEND: Record<string, string> = {
  'commit-worker': 'commit',
  'maintain-worker': 'maintain',
  'upload-worker': 'upload',
  'bot-worker': 'bot',
  'task-worker': 'task',
};

/** One permission for both lanes of the index. */
function laneOf(queue: string): string {
  return capitalize(queue === 'touch' ? 'index' : queue);
}

/** Finds the mount by its access point or, without one, by its network. */
function mountOf(name: string): string[] {
  const reference = JSON.stringify(functions[name]?.fileSystemConfig ?? '');
  if (reference.includes('mounted')) return [ONLY_READ.includes(name) ? 'MountFilesToRead' : 'MountFiles'];
  return functions[name]?.vpc === undefined ? [] : ['JoinNetwork'];
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

describe('function role', () => {
  it('belongs to one function, with named permissions, to which packaging adds the permission for its log', () => {
    const roles = names.map((name) => functions[name]?.role ?? 'none');
    expect(new Set(roles).size).toBe(names.length);
    for (const role of roles) {
      const { ManagedPolicyArns, Policies } = service.resources[role]?.Properties ?? {};
      // User commands could write traces, too.
      const traces = role === 'CommandsRole' ? [] : [{ Ref: 'WriteTraces' }];
      expect(ManagedPolicyArns.filter(({ Ref }: { Ref: string }) => Ref === 'WriteTraces')).toEqual(traces);
      expect(Policies).toBeUndefined();
    }
  });

  it('has exactly the permissions of the table', () => {
    expect(Object.fromEntries(names.map((name) => [name, rightsOf(name)]))).toEqual(RIGHTS);
  });

  it.each(names)('matches the queues, secrets, and mount that the handler of %s opens', (name) => {
    const others = rightsOf(name).filter((right) => ![...RECORDS, ...OBJECTS, ...TABLES].includes(right));
    expect(others).toEqual(wantedBy(name));
  });

  it.each(names)('allows records and objects only if the handler of %s opens them', (name) => {
    const source = handlerOf(name);
    const rights = rightsOf(name);
    const usesRecords = source.includes('openRecords(') && !isPublic(name);
    expect(rights.filter((right) => RECORDS.includes(right))).toHaveLength(usesRecords ? 1 : 0);
    expect(rights.some((right) => OBJECTS.includes(right))).toBe(source.includes('openObjects('));
  });

  it.each(names)('has the mount if the handler of %s opens vectors', (name) => {
    if (!handlerOf(name).includes('openVectors(')) return;
    expect(rightsOf(name).filter((right) => MOUNTS.includes(right))).toHaveLength(1);
  });

  it.each(names)(
    'allows tables in the bucket if the handler of %s opens vectors, and writes if it commits',
    (name) => {
      const source = handlerOf(name);
      const writes = /\b(commitMessages|maintainTable)\(/.test(source);
      const reads = /\bopen(Vectors|VectorStore)\(/.test(source) && !source.includes('openAgent(');
      const wanted = writes ? ['KeepVectors'] : reads ? ['ReadVectors'] : [];
      expect(rightsOf(name).filter((right) => TABLES.includes(right))).toEqual(wanted);
    },
  );

  it('lets the authorizer read a credential and record its use, and nothing else', () => {
    const source = readFileSync(join(root, 'lib/tokens/authorize.ts'), 'utf8');
    const calls = [...source.matchAll(/\btokens\.(\w+)\(/g)].map(([, call]) => call);
    expect(new Set(calls)).toEqual(new Set(['get', 'update']));
    const { CheckCredentials = { Type: 'none' } } = service.resources;
    expect(statementsOf(CheckCredentials).flatMap(actionsOf)).toEqual([
      'dynamodb:GetItem',
      'dynamodb:UpdateItem',
    ]);
  });
});

describe('permissions', () => {
  it('are all used by a function', () => {
    const policies = Object.entries(service.resources).filter(
      ([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy',
    );
    const given = new Set([...names.flatMap(rightsOf), 'WriteTraces']);
    expect(policies.map(([id]) => id).sort()).toEqual([...given].sort());
  });

  it('are the same for the agent as for its models and tools elsewhere', () => {
    const resourcesOf = (right: string) =>
      statementsOf(service.resources[right] ?? { Type: 'none' }).flatMap(({ Resource }) => [Resource].flat());
    expect(resourcesOf('ReadAgentKeys')).toEqual([...OF_AGENTS, 'KeepMcpHeaders'].flatMap(resourcesOf));
  });

  it('are read-only for the tables of the index, except for the function that maintains them', () => {
    const toTables = Object.entries(service.resources).flatMap(([id, resource]) =>
      statementsOf(resource).flatMap((statement) =>
        JSON.stringify(statement.Resource).includes('/vectors/*') ? [[id, actionsOf(statement)]] : [],
      ),
    );
    expect(Object.fromEntries(toTables)).toEqual({
      ReadVectors: ['s3:GetObject'],
      KeepRuns: ['s3:GetObject'],
      KeepVectors: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    });
  });

  it("are at most ten per role, which is AWS's quota", () => {
    const most = Math.max(...names.map((name) => rightsOf(name).length + 1)); // the log
    expect(most).toBeLessThanOrEqual(10);
  });

  it('name every action completely', () => {
    expect(statements.length).toBeGreaterThan(20);
    expect(statements.flatMap(actionsOf).filter((action) => !/^[a-z0-9]+:[A-Za-z]+$/.test(action))).toEqual(
      [],
    );
  });

  it('name their resources if AWS supports it', () => {
    const wide = statements.filter(
      ({ Effect, Resource }) => Effect === 'Allow' && [Resource].flat().includes('*'),
    );
    expect(wide.flatMap(actionsOf).filter((action) => !ON_ANYTHING.test(action))).toEqual([]);
  });

  it('deny the network interfaces to the code of the functions', () => {
    for (const right of [...MOUNTS, 'JoinNetwork']) {
      const [allowed = [], denied = []] = ['Allow', 'Deny'].map((effect) =>
        statementsOf(service.resources[right] ?? { Type: 'none' })
          .filter(({ Effect }) => Effect === effect)
          .flatMap(actionsOf)
          .filter((action) => action.startsWith('ec2:')),
      );
      expect(allowed).toContain('ec2:CreateNetworkInterface');
      expect(denied).toEqual(allowed);
    }
  });
});
