import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import type { AuditEntry } from '../../lib/audit/schema.ts';
import type { CreatedToken } from '../../lib/tokens/schema.ts';
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

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy();
}, 120_000);

/** The status of an answer, of a function that streams or of another. */
async function statusOf(name: string, request: Parameters<typeof apiEvent>[0]): Promise<number> {
  const { payload, stream } = await (await deployment.instance(name)).invoke(apiEvent(request));
  return stream?.prelude.statusCode ?? (payload as { statusCode: number }).statusCode;
}

/** A request in the name of a function, to the records that it gets. */
async function ask(name: string, action: string, body: object): Promise<unknown> {
  const response = await fetch(deployment.records.urlFor(name), {
    method: 'POST',
    headers: { 'x-amz-target': `DynamoDB_20120810.${action}`, 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({ TableName: deployment.values.Table, ...body }),
  });
  return ((await response.json()) as { __type?: string }).__type?.split('#')[1];
}

describe('the rights of the packaged functions', () => {
  it.each(audited)('$name: write what $audit did into the audit log', async (route) => {
    const { name, method, path, example } = route;
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, UNKNOWN]));
    const status = await statusOf(name, { method, resource: path, params, body: example });
    expect(status).toBeLessThan(500);
    expect(deployment.records.refusals).toEqual([]);
  });

  it('let the activity show all of it, with how it ended', async () => {
    const request = { method: 'GET', resource: '/api/audit', query: { limit: '200' } };
    const { body } = await deployment.call<AuditEntry[]>('activity', request);
    const ended = body.filter(({ outcome }) => outcome !== 'begun').map(({ action }) => action);
    expect(new Set(ended)).toEqual(new Set(audited.map(({ audit }) => audit)));
  });

  it('let a chat find the token that it runs as, and neither its hash nor the audit log', async () => {
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
    expect(await ask('chat', 'Query', byId)).toBeUndefined();
    expect(await ask('notes', 'Query', byId)).toBe('AccessDeniedException');
    for (const name of ['chat', 'notes', 'bots', 'agent']) {
      expect(await ask(name, 'Query', partition('pk', 'TOKEN'))).toBe('AccessDeniedException');
      expect(await ask(name, 'Query', partition('pk', 'AUDIT'))).toBe('AccessDeniedException');
      expect(await ask(name, 'Scan', {})).toBe('AccessDeniedException');
    }
    expect(deployment.records.refusals).toContain('chat: dynamodb:Query TOKEN');
  });

  it('let the system look at a file system that it can only read', async () => {
    expect(await statusOf('system', { method: 'GET', resource: '/api/health' })).toBe(200);
    expect(await statusOf('system', { method: 'GET', resource: '/api/system/storage' })).toBe(200);
  });

  it('are those of a mount that refuses to be written', async () => {
    const folder = await tempFolder();
    const [command = '', ...args] = [...readOnly(folder), 'touch', join(folder, 'file')];
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Read-only file system')]);
  });
});
