import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { diskSecrets } from '../../../lib/adapters/disk/secrets.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { headerSecrets, headersOf, MAX_SECRET_BYTES } from '../../../lib/mcp-servers/headers.ts';
import { addServer, dropMcpServers, listServers, removeServer } from '../../../lib/mcp-servers/servers.ts';
import { timestamp } from '../../../lib/ports/clock.ts';
import type { Secrets } from '../../../lib/ports/secrets.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
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
  remote: { check: async (): Promise<void> => undefined },
};
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Ports whose next write of a secret is delayed until `go`, either before or after the write. */
function holdUp({ where }: { where: 'before' | 'after' }) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const set: Secrets['set'] = async (name, value) => {
    if (where === 'after') await disk.set(name, value);
    reached.resolve();
    await gate.promise;
    if (where === 'before') await disk.set(name, value);
  };
  return { by: { ...ports, secrets: { ...disk, set } }, reached: reached.promise, go: gate.resolve };
}

/** Makes a change that dies right after its write of the secret. */
async function killAfterWrite(workspace: Workspace): Promise<void> {
  const { by, reached } = holdUp({ where: 'after' });
  workspace.add('killed', { key: 'killed' }, by).catch(() => undefined);
  await reached;
  now.offsetMs += MINUTE_MS;
}
type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

/** Returns `value` at the next read of a workspace's secret. */
function staleOnce(workspace: Workspace, value: string | undefined): typeof ports {
  let stale = 1;
  const get: Secrets['get'] = async (name, options) =>
    name === `MCP_OF_${workspace.id}` && stale-- > 0 ? value : disk.get(name, options);
  return { ...ports, secrets: { ...disk, get } };
}

/** Creates a workspace with its secrets. */
async function makeWorkspace(as = ports) {
  const id = randomUUID();
  await workspaces.put(ports.records, {
    id,
    name: 'owls',
    rootPath: `/${id}`,
    createdAt: timestamp(ports.clock),
  });
  const url = 'https://far.example.com/mcp';
  return {
    id,
    add: (name: string, headers: Record<string, string> = { key: name }, by = as) =>
      addServer(by, MEMBER, id, { name, url, headers }),
    remove: (name: string, by = as) => removeServer(by, id, name),
    drop: () => dropMcpServers(ports)(ports.records, id),
    /** Returns its secret, its record, and its servers. */
    async leftovers() {
      const record = await headerSecrets.get(ports.records, { workspaceId: id });
      return [await disk.get(`MCP_OF_${id}`), record, ...(await listServers(ports.records, id))].filter(
        Boolean,
      );
    },
    secret: async () => JSON.parse((await disk.get(`MCP_OF_${id}`)) ?? 'null')?.servers,
    async headers() {
      const servers = await listServers(ports.records, id);
      const each = servers.map(async (server) => [server.name, await headersOf(disk, server)] as const);
      return Object.fromEntries(await Promise.all(each));
    },
  };
}

describe("headers of a workspace's MCP servers", () => {
  it('are one secret, which is deleted with the last server that has headers', async () => {
    const workspace = await makeWorkspace();
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

  it('stay complete if several are added and removed concurrently', async () => {
    const workspace = await makeWorkspace();
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => workspace.add(name)));
    await Promise.all([workspace.remove('a'), workspace.add('e'), workspace.remove('b'), workspace.add('f')]);
    expect(await workspace.headers()).toEqual(
      Object.fromEntries(['c', 'd', 'e', 'f'].map((key) => [key, { key }])),
    );
    expect(Object.values(await workspace.secret())).toHaveLength(4);
  });

  it('stay complete if the secret store returns a write late', async () => {
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
    const workspace = await makeWorkspace({ ...ports, secrets: slow });
    for (const name of ['a', 'b']) await workspace.add(name);
    await workspace.remove('a');
    await workspace.remove('b');
    for (const name of ['c', 'd']) await workspace.add(name);
    expect(await workspace.headers()).toEqual({ c: { key: 'c' }, d: { key: 'd' } });
  });

  it('are found by a function with a cache from before the server was added', async () => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    const kept = await disk.get(`MCP_OF_${workspace.id}`);
    const two = await workspace.add('two');
    const caching: Secrets = {
      ...disk,
      get: async (name, { fresh } = {}) => (name.includes('_OF_') && !fresh ? kept : disk.get(name)),
    };
    expect(await headersOf(caching, two)).toEqual({ key: 'two' });
  });

  it('are rejected over 64 KB in total, and not stored', async () => {
    const workspace = await makeWorkspace();
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

  it('are not stored for a name that is taken', async () => {
    const workspace = await makeWorkspace();
    const one = await workspace.add('one');
    await expect(workspace.add('one', { key: 'other' })).rejects.toMatchObject({ code: 'mcp_server_exists' });
    expect(await workspace.secret()).toEqual({ [one.id]: { key: 'one' } });
  });

  it('are deleted with the workspace', async () => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    await workspace.drop();
    expect(await workspace.secret()).toBeUndefined();
    expect(await headerSecrets.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
  });
});

it('headers of a server survive a change that is killed at any call', async () => {
  for (let lives = 0; ; lives++) {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    const mortal = killable(ports, ['records', 'secrets'], lives);
    const run = workspace.add('two', { key: 'two' }, mortal.ports).then(() => 'done');
    const came = await Promise.race([mortal.died, run]);
    mortal.bury();
    await run.catch(() => undefined);
    now.offsetMs += 60_000; // its lease has expired
    await workspace.add('three');
    const { two = { key: 'two' }, ...others } = await workspace.headers();
    const expected = { one: { key: 'one' }, three: { key: 'three' } };
    expect([lives, others, two]).toEqual([lives, expected, { key: 'two' }]);
    await workspace.remove('one');
    expect(await workspace.headers()).not.toHaveProperty('one');
    if (came === 'done') break;
  }
});

describe('secret that differs from the record', () => {
  const MISSING = { code: 'mcp_headers_missing' };

  it.each([
    ['lost', null],
    ['damaged', 'Bearer sk-secret'],
  ])('can be %s without preventing that servers are removed and added again', async (_, value) => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    await workspace.add('two');
    await disk.set(`MCP_OF_${workspace.id}`, value);
    await expect(workspace.headers()).rejects.toMatchObject(MISSING);
    now.offsetMs += MINUTE_MS;
    for (const name of ['one', 'two']) await workspace.remove(name);
    await workspace.add('one');
    expect(await workspace.headers()).toEqual({ one: { key: 'one' } });
  });

  it('is restored from a backup together with its headers', async () => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    const backup = (await disk.get(`MCP_OF_${workspace.id}`)) ?? null;
    await workspace.add('two');
    await disk.set(`MCP_OF_${workspace.id}`, backup);
    now.offsetMs += MINUTE_MS;
    await workspace.remove('two');
    expect(await workspace.headers()).toEqual({ one: { key: 'one' } });
  });

  it("can come from a killed change, and isn't mistaken for the next change if it is returned late", async () => {
    const workspace = await makeWorkspace();
    await killAfterWrite(workspace);
    const killed = await disk.get(`MCP_OF_${workspace.id}`);
    await workspace.add('three');
    await workspace.add('four', { key: 'four' }, staleOnce(workspace, killed));
    expect(await workspace.headers()).toEqual({ three: { key: 'three' }, four: { key: 'four' } });
  });
});

describe('deleted workspace', () => {
  it('waits for a change in progress, and leaves nothing', async () => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    const { by, reached, go } = holdUp({ where: 'before' });
    const added = workspace.add('two', { key: 'two' }, by);
    await reached;
    const dropped = workspace.drop();
    await Promise.race([dropped, sleep(300)]); // otherwise it would be done by now
    go();
    await Promise.all([added, dropped]);
    expect(await workspace.leftovers()).toEqual([]);
  });

  it('leaves nothing of a change whose lease had expired', async () => {
    const workspace = await makeWorkspace();
    await workspace.add('one');
    const { by, reached, go } = holdUp({ where: 'before' });
    const added = workspace.add('two', { key: 'two' }, by);
    await reached;
    now.offsetMs += MINUTE_MS;
    await workspace.drop();
    go();
    await expect(added).rejects.toMatchObject({ code: 'concurrent_changes' });
    expect(await workspace.leftovers()).toEqual([]);
  });

  it.each([
    ['with', { key: 'one' }],
    ['without', {}],
  ])('leaves nothing while the URL of a server %s headers is checked', async (_, headers) => {
    const workspace = await makeWorkspace();
    const check = async () => {
      await workspace.drop();
      await workspaces.delete(ports.records, workspace);
    };
    const added = workspace.add('one', headers, { ...ports, remote: { check } });
    await expect(added).rejects.toMatchObject({ code: 'workspace_not_found' });
    expect(await workspace.leftovers()).toEqual([]);
  });
});

it('delayed removal keeps a newer server of the same name', async () => {
  const workspace = await makeWorkspace();
  await workspace.add('far', { key: 'old' });
  const others = [() => workspace.remove('far'), () => workspace.add('far', { key: 'new' })];
  const get: typeof ports.records.get = async (key) => {
    const found = await ports.records.get(key);
    for (const other of others.splice(0)) await other();
    return found;
  };
  await workspace.remove('far', { ...ports, records: { ...ports.records, get } });
  expect(await workspace.headers()).toEqual({ far: { key: 'new' } });
});

it('header change continues immediately after a write whose response was lost', async () => {
  const workspace = await makeWorkspace();
  await workspace.add('one');
  const set: Secrets['set'] = async (name, value) => {
    await disk.set(name, value);
    throw new Error('the answer was lost');
  };
  const lossy = { ...ports, secrets: { ...disk, set } };
  await expect(workspace.add('two', { key: 'two' }, lossy)).rejects.toThrow('lost');
  const unanswered = await disk.get(`MCP_OF_${workspace.id}`);
  await workspace.add('three');
  await workspace.add('four', { key: 'four' }, staleOnce(workspace, unanswered));
  const expected = ['one', 'three', 'four'].map((key) => [key, { key }]);
  expect(await workspace.headers()).toEqual(Object.fromEntries(expected));
});

it('header change returns 409 after it lost its lease', async () => {
  const workspace = await makeWorkspace();
  const { by, reached, go } = holdUp({ where: 'before' });
  const added = workspace.add('one', { key: 'one' }, by);
  await reached;
  now.offsetMs += MINUTE_MS;
  await workspace.add('two');
  go();
  await expect(added).rejects.toMatchObject({ status: 409, code: 'concurrent_changes' });
});

it("header change doesn't wait for a dead holder from before the clock was set back", async () => {
  const workspace = await makeWorkspace();
  await workspace.add('one');
  now.offsetMs += DAY_MS;
  await killAfterWrite(workspace);
  now.offsetMs -= DAY_MS;
  await workspace.add('two');
  expect(await workspace.headers()).toEqual({ one: { key: 'one' }, two: { key: 'two' } });
});
