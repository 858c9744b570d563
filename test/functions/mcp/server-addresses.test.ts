import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { newId } from '../../../lib/identifiers.ts';
import { type McpServer, mcpServers } from '../../../lib/mcp-servers/schema.ts';
import { makeCaller } from '../../support/callers.ts';
import { startPaperHost } from '../../support/fakes/paper-host.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const HOST = 'tickets.example.com';
const host = await startPaperHost([HOST]);
const service = await startService({ ...host.environment, AUTH_MODE: 'token' });
const admin = await makeCaller(service, 'admin');
const { id } = await makeWorkspace(admin);
const path = `/api/workspaces/${id}/mcp-servers`;
const viewer = await makeCaller(service, 'viewer');
const member = await makeCaller(service, 'member');

async function urlsFor(caller: Pick<typeof viewer, 'call'>): Promise<string[]> {
  const { status, body } = await caller.call<McpServer[]>('GET', path);
  expect(status).toBe(200);
  return body.map(({ url }) => url);
}

describe('URL of a remote server', () => {
  it.each([
    ['a key in its query', `https://${HOST}/mcp?api_key=far-secret`, 'api_key'],
    ['a key by another name', `https://${HOST}/mcp?profile=a&exaApiKey=far-secret`, 'exaApiKey'],
    ['a token', `https://${HOST}/mcp?access_token=far-secret`, 'access_token'],
    ['a login', `https://ada:far-secret@${HOST}/mcp`, 'a user name or password'],
  ])('is rejected with %s, which is not repeated', async (_what, url, name) => {
    const { status, body } = await admin.call('POST', path, { name: 'far', url });
    const error = `url can't contain a credential (${name}). Put it into headers, which are stored as secrets.`;
    expect([status, body]).toEqual([400, { error }]);
    expect(service.output()).not.toContain('far-secret');
  });

  it('is complete for members, without its query for viewers, and without stored keys for everyone', async () => {
    const url = `https://${HOST}/mcp?profile=far`;
    expect((await member.call<McpServer>('POST', path, { name: 'a', url })).body.url).toBe(url);
    const kept = { id: newId(), workspaceId: id, headerNames: [], createdBy: 'local' };
    const old = {
      ...kept,
      name: 'b',
      url: `https://u:p@${HOST}/old?key=far-secret`,
      createdAt: new Date().toISOString(),
    };
    await mcpServers.create(sqliteRecords(openDatabase(service.dataDir)), old);
    expect(await urlsFor(member)).toEqual([url, `https://${HOST}/old`]);
    expect(await urlsFor(viewer)).toEqual([`https://${HOST}/mcp`, `https://${HOST}/old`]);
  });
});
