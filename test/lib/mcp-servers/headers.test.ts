import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskSecrets } from '../../../lib/adapters/disk/secrets.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import {
  headerSecrets,
  headersOf,
  MAX_SECRET_BYTES,
  removeDueFormerHeaders,
} from '../../../lib/mcp-servers/headers.ts';
import { type McpServer, mcpServers } from '../../../lib/mcp-servers/schema.ts';
import { addServer, dropMcpServers, listServers, removeServer } from '../../../lib/mcp-servers/servers.ts';
import type { Secrets } from '../../../lib/ports/secrets.ts';
import { MEMBER } from '../../support/agent.ts';
import { killable } from '../../support/processes/killable.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = await tempFolder();
const disk = diskSecrets(join(folder, 'secrets.json'));
const now = { offsetMs: 0 };
const ports = {
  records: sqliteRecords(openDatabase(folder)),
  clock: { now: () => Date.now() + now.offsetMs },
  secrets: disk,
  remote: { check: async () => undefined },
};
const DAY_MS = 24 * 60 * 60 * 1000;

/** A workspace, and the secrets that there are of it. */
function makeWorkspace(as = ports) {
  const id = randomUUID();
  const url = 'https://far.example.com/mcp';
  return {
    id,
    add: (name: string, headers: Record<string, string> = { key: name }, by = as) =>
      addServer(by, MEMBER, id, { name, url, headers }),
    remove: (name: string, by = as) => removeServer(by, id, name),
    /** As a release with a secret per server adds one. */
    async addFormer(name: string, headers: Record<string, string> = { key: name }): Promise<McpServer> {
      const server = {
        ...{ id: randomUUID(), workspaceId: id, name, url, headerNames: Object.keys(headers) },
        ...{ createdBy: 'a', createdAt: '2026-01-01T00:00:00.000Z' },
      };
      await disk.set(`MCP_${server.id}`, JSON.stringify(headers));
      await mcpServers.create(ports.records, server);
      return server;
    },
    /** As such a release reads them. */
    former: async (server: McpServer) => JSON.parse((await disk.get(`MCP_${server.id}`)) ?? 'null'),
    secret: async () => JSON.parse((await disk.get(`MCP_OF_${id}`)) ?? 'null')?.servers,
    async headers() {
      const servers = await listServers(ports.records, id);
      const each = servers.map(async (server) => [server.name, await headersOf(disk, server)] as const);
      return Object.fromEntries(await Promise.all(each));
    },
  };
}

describe('the headers of the MCP servers of a workspace', () => {
  it('are one secret, which goes with the last server that has any', async () => {
    const workspace = makeWorkspace();
    const [one, two] = [await workspace.add('one'), await workspace.add('two')];
    await workspace.add('three', {});
    expect(await workspace.secret()).toEqual({ [one.id]: { key: 'one' }, [two.id]: { key: 'two' } });
    expect(await workspace.headers()).toEqual({ one: { key: 'one' }, two: { key: 'two' }, three: {} });
    for (const name of ['one', 'three']) await workspace.remove(name);
    expect(await workspace.secret()).toEqual({ [two.id]: { key: 'two' } });
    await workspace.remove('two');
    expect(await workspace.secret()).toBeUndefined();
    await workspace.add('one', { key: 'again' });
    expect(await workspace.headers()).toEqual({ one: { key: 'again' } });
  });

  it('stay complete when several are added and removed at once', async () => {
    const workspace = makeWorkspace();
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => workspace.add(name)));
    await Promise.all([workspace.remove('a'), workspace.add('e'), workspace.remove('b'), workspace.add('f')]);
    expect(await workspace.headers()).toEqual(
      Object.fromEntries(['c', 'd', 'e', 'f'].map((key) => [key, { key }])),
    );
    expect(Object.values(await workspace.secret())).toHaveLength(4);
  });

  it('stay complete where the secret store answers late with what was written', async () => {
    const before = new Map<string, string | undefined>();
    let stale = 0;
    const slow: Secrets = {
      get: async (name) => (stale-- > 0 ? before.get(name) : disk.get(name)),
      async set(name, value) {
        before.set(name, await disk.get(name));
        await disk.set(name, value);
        stale = 2;
      },
    };
    const workspace = makeWorkspace({ ...ports, secrets: slow });
    for (const name of ['a', 'b']) await workspace.add(name);
    await workspace.remove('a');
    await workspace.remove('b');
    for (const name of ['c', 'd']) await workspace.add(name);
    expect(await workspace.headers()).toEqual({ c: { key: 'c' }, d: { key: 'd' } });
  });

  it('are found by a function that keeps what it read before the server was added', async () => {
    const workspace = makeWorkspace();
    await workspace.add('one');
    const kept = await disk.get(`MCP_OF_${workspace.id}`);
    const two = await workspace.add('two');
    const caching: Secrets = {
      ...disk,
      get: async (name, { fresh } = {}) => (name.includes('_OF_') && !fresh ? kept : disk.get(name)),
    };
    expect(await headersOf(caching, two)).toEqual({ key: 'two' });
  });

  it('over 64 KB together are refused, and nothing of them is kept', async () => {
    const workspace = makeWorkspace();
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${at}`, 'x'.repeat(4096)]));
    await workspace.add('one', long);
    await expect(workspace.add('two', long)).rejects.toMatchObject({ code: 'mcp_headers_too_large' });
    expect(await workspace.headers()).toEqual({ one: long });
    expect(Buffer.byteLength((await disk.get(`MCP_OF_${workspace.id}`)) ?? '')).toBeLessThan(
      MAX_SECRET_BYTES,
    );
    await workspace.add('two');
    expect(await workspace.headers()).toEqual({ one: long, two: { key: 'two' } });
  });

  it('of a name that is taken are not kept', async () => {
    const workspace = makeWorkspace();
    const one = await workspace.add('one');
    await expect(workspace.add('one', { key: 'other' })).rejects.toMatchObject({ code: 'mcp_server_exists' });
    expect(await workspace.secret()).toEqual({ [one.id]: { key: 'one' } });
  });

  it('go with the workspace, also those of a former release', async () => {
    const workspace = makeWorkspace();
    const old = await workspace.addFormer('old');
    await workspace.add('one');
    await dropMcpServers(disk)(ports.records, workspace.id);
    expect([await workspace.secret(), await workspace.former(old)]).toEqual([undefined, null]);
    expect(await headerSecrets.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
  });
});

describe('a secret per server, of a former release', () => {
  it('is read, and taken over at the next change; the former release finds it for another week', async () => {
    const workspace = makeWorkspace();
    const [old, gone] = [await workspace.addFormer('old'), await workspace.addFormer('gone')];
    expect(await workspace.headers()).toEqual({ old: { key: 'old' }, gone: { key: 'gone' } });
    await workspace.remove('gone');
    expect(await workspace.former(gone)).toBeNull();
    expect(await workspace.secret()).toEqual({ [old.id]: { key: 'old' } });
    now.offsetMs += 6 * DAY_MS;
    await removeDueFormerHeaders(ports);
    expect(await workspace.former(old)).toEqual({ key: 'old' });
    now.offsetMs += 2 * DAY_MS;
    for (let tick = 0; tick < 2; tick++) await removeDueFormerHeaders(ports);
    expect(await workspace.former(old)).toBeNull();
    expect(await workspace.headers()).toEqual({ old: { key: 'old' } });
    const known = await headerSecrets.get(ports.records, { workspaceId: workspace.id });
    expect(known).toMatchObject({ former: [], removeFormerAt: null });
  });

  it('stays where it is if there is no room for it', async () => {
    const workspace = makeWorkspace();
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${at}`, 'x'.repeat(4096)]));
    await workspace.addFormer('one', long);
    const two = await workspace.addFormer('two', long);
    await workspace.add('three');
    expect(await workspace.headers()).toEqual({ one: long, two: long, three: { key: 'three' } });
    now.offsetMs += 8 * DAY_MS;
    await removeDueFormerHeaders(ports);
    expect(await workspace.headers()).toEqual({ one: long, two: long, three: { key: 'three' } });
    expect(await workspace.former(two)).toEqual(long);
  });
});

it('loses no headers of a server when a change is killed at any call', async () => {
  for (let lives = 0; ; lives++) {
    const workspace = makeWorkspace();
    await workspace.addFormer('old');
    await workspace.add('one');
    const mortal = killable(ports, ['records', 'secrets'], lives);
    const run = workspace.add('two', { key: 'two' }, mortal.ports).then(() => 'done');
    const came = await Promise.race([mortal.died, run]);
    mortal.bury();
    await run.catch(() => undefined);
    now.offsetMs += 60_000; // its lease is over
    await workspace.add('three');
    const { two = { key: 'two' }, ...others } = await workspace.headers();
    const expected = { old: { key: 'old' }, one: { key: 'one' }, three: { key: 'three' } };
    expect([lives, others, two]).toEqual([lives, expected, { key: 'two' }]);
    await workspace.remove('one');
    expect(await workspace.headers()).not.toHaveProperty('one');
    if (came === 'done') break;
  }
});
