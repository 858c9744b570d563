import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DynamoDBClient, QueryCommand, type QueryCommandInput, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import type { AuditEntry } from '../../lib/audit/schema.ts';
import type { CreatedToken } from '../../lib/tokens/schema.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apiEvent } from './api-event.ts';
import { type Deployment, deploy } from './deployment.ts';
import { readOnly } from './read-only.ts';

interface AuditedRoute {
  method: string;
  path: string;
  audit?: string;
  example?: unknown;
}

const audited = Object.entries(ROUTE_GROUPS as unknown as Record<string, AuditedRoute[]>).flatMap(
  ([name, routes]) => routes.flatMap((route) => (route.audit === undefined ? [] : [{ name, ...route }])),
);
const UNKNOWN = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';
/** The parameters that aren't IDs. No other test of the lane sets up this provider. */
const KNOWN: Record<string, string> = { provider: 'b' };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy();
}, 120_000);

/** Returns the status of a response, streamed or not. */
async function statusOf(name: string, request: Parameters<typeof apiEvent>[0]): Promise<number> {
  const { payload, stream } = await (await deployment.instance(name)).invoke(apiEvent(request));
  return stream?.prelude.statusCode ?? (payload as { statusCode: number }).statusCode;
}

/** Returns undefined, or the name of the error that a function gets for a request to the records. */
async function ask(name: string, request: Omit<QueryCommandInput, 'TableName'>): Promise<string | undefined> {
  const client = closing(
    new DynamoDBClient({ ...emulatorSettings('DYNAMODB_URL'), endpoint: deployment.records.urlFor(name) }),
  );
  const input = { TableName: deployment.values.Table, ...request };
  const command = 'KeyConditionExpression' in request ? new QueryCommand(input) : new ScanCommand(input);
  return client.send(command as QueryCommand).then(
    () => undefined,
    (error: Error) => error.name,
  );
}

describe('the permissions of the packaged functions', () => {
  it.each(audited)('let $name write $audit to the audit log', async (route) => {
    const { name, method, path, example } = route;
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => [id, KNOWN[id] ?? UNKNOWN]);
    // The name of an MCP server, and a person, which other routes ignore, or the only field of a root's
    // route.
    const isRoot = path === '/api/settings/roots';
    const query: Record<string, string> = isRoot
      ? { path: '/srv/owls' }
      : { name: 'docs', personId: 'nobody' };
    const request = { method, resource: path, params: Object.fromEntries(ids), query };
    const status = await statusOf(name, { ...request, body: example });
    // 503, because without a connected model none can be checked.
    expect([status, status < 500 || status === 503]).toEqual([status, true]);
    expect(deployment.records.refusals).toEqual([]);
  });

  it('let the activity function show the whole log, with outcomes', async () => {
    const request = { method: 'GET', resource: '/api/audit', query: { limit: '200' } };
    const { body } = await deployment.call<AuditEntry[]>('activity', request);
    const ended = body.filter(({ outcome }) => outcome !== 'begun').map(({ action }) => action);
    expect(new Set(ended)).toEqual(new Set(audited.map(({ audit }) => audit)));
  });

  it('let a chat read its own token, but neither the token hash nor the audit log', async () => {
    const body = { name: 'chat', role: 'member' };
    const created = await deployment.call<CreatedToken>('tokens', {
      method: 'POST',
      resource: '/api/tokens',
      body,
    });
    const partition = (name: string, value: string) => ({
      KeyConditionExpression: '#p = :p',
      ExpressionAttributeNames: { '#p': name },
      ExpressionAttributeValues: { ':p': { S: value } },
    });
    expect(created.status).toBe(201);
    const byId = { IndexName: 'gsi1', ...partition('gsi1pk', 'TOKEN_BY_ID') };
    expect(await ask('chat', byId)).toBeUndefined();
    expect(await ask('notes', byId)).toBe('AccessDeniedException');
    for (const name of ['chat', 'notes', 'bots', 'agent']) {
      expect(await ask(name, partition('pk', 'TOKEN'))).toBe('AccessDeniedException');
      expect(await ask(name, partition('pk', 'AUDIT'))).toBe('AccessDeniedException');
      expect(await ask(name, {})).toBe('AccessDeniedException');
    }
    expect(deployment.records.refusals).toContain('chat: dynamodb:Query TOKEN');
  });

  it('let the system function check a file system that is mounted read-only', async () => {
    expect(await statusOf('system', { method: 'GET', resource: '/api/health' })).toBe(200);
    expect(await statusOf('system', { method: 'GET', resource: '/api/system/storage' })).toBe(200);
  });

  it("are tested with a mount that can't be written to", async () => {
    const folder = await tempFolder();
    const [command = '', ...args] = [...readOnly(folder), 'touch', join(folder, 'file')];
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Read-only file system')]);
  });
});
