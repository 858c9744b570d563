import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Conflict, NotFound } from '../errors.ts';
import { duePages } from '../leases/due.ts';
import { LeaseLost } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import { timestamp, timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import type { McpServer } from './schema.ts';

export interface HeaderPorts extends TimedRecords {
  secrets: Secrets;
}

type Headers = Record<string, string>;
/** The headers of a workspace's servers, by the IDs of these: one that is added again under a name gets no others' headers. */
type HeadersOfServers = Record<string, Headers>;

/** The secret of a workspace. */
const storedSchema = z.object({
  /** Rises with each write. */
  generation: z.int(),
  servers: z.record(z.string(), z.record(z.string(), z.string())),
});

/** The most bytes that Secrets Manager stores in a secret; on one host as well, so that a workspace may move. */
export const MAX_SECRET_BYTES = 65_536;
/** A change is a few calls of the secret store; others wait no longer than this for one that died. */
const LEASE_MS = 30_000;
const MARGIN_MS = 3000;
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 100;
/** The secret store may answer with an earlier value for a moment after a write. */
const READS = 6;
/** A release that knows only a secret per server may still run, or come back. */
const KEEP_FORMER_MS = 7 * 24 * 60 * 60 * 1000;

const FORMER = 'MCP_HEADERS_FORMER';

/**
 * The lease of a workspace's secret, which the secret store can't write conditionally, and what is known of it. Exists if the
 * secret does.
 */
export const headerSecrets = collection({
  kind: 'mcp-headers',
  schema: z.object({
    workspaceId: z.string(),
    owner: z.string(),
    until: timestampSchema,
    /** The latest write that succeeded: an earlier value of the secret is stale. */
    generation: z.int(),
    /** That write removed the secret. */
    isEmpty: z.boolean(),
    /** Servers whose former secrets wait for their removal. */
    former: z.array(z.string()),
    removeFormerAt: timestampSchema.nullable(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'MCP_HEADERS', sort: workspaceId }),
  index: ({ workspaceId, removeFormerAt }) =>
    removeFormerAt === null ? undefined : { partition: FORMER, sort: `${removeFormerAt}#${workspaceId}` },
});
type HeaderSecret = NonNullable<Awaited<ReturnType<typeof headerSecrets.get>>>;
const leases = leasesOf({ collection: headerSecrets, ms: LEASE_MS, owner: 'owner', until: 'until' });

/** Throws NotFound if they were deleted. */
export async function headersOf(secrets: Secrets, server: McpServer): Promise<Headers> {
  if (server.headerNames.length === 0) return {};
  const name = secretName(server.workspaceId);
  const find = (text: string | undefined) => parse(text).servers[server.id];
  // What is kept in memory may be older than the server, whose headers never change.
  const found =
    find(await secrets.get(name)) ??
    parseFormer(await secrets.get(formerName(server.id))) ??
    find(await secrets.get(name, { fresh: true }));
  if (found !== undefined) return found;
  throw new NotFound(
    'mcp_headers_missing',
    `The stored headers of ${server.name} are missing. Remove the server and add it again.`,
  );
}

/** The servers of the workspace that have headers, while no one else changes them, and a way to store those. */
interface Changing {
  headers: HeadersOfServers;
  store(headers: HeadersOfServers): Promise<void>;
}

/**
 * Changes the headers of a workspace while no other change is made: one of two would lose the other's. `readServers` answers with
 * the servers of the workspace; headers of others are left out, and former secrets are taken over. Throws Conflict.
 */
export async function changeHeaders<Answer>(
  ports: HeaderPorts,
  workspaceId: string,
  readServers: () => Promise<McpServer[]>,
  change: (changing: Changing) => Promise<Answer>,
): Promise<Answer> {
  const mine = await acquire(ports, workspaceId);
  const held = leases.hold(ports, mine, { marginMs: MARGIN_MS, about: { workspaceId } });
  try {
    const stored = await readStored(ports.secrets, mine);
    let { generation } = stored;
    const servers = (await readServers()).filter(({ headerNames }) => headerNames.length > 0);
    const headers = Object.fromEntries(
      servers.flatMap(({ id }) => (stored.servers[id] ? [[id, stored.servers[id]]] : [])),
    );
    const store = async (wanted: HeadersOfServers) => {
      refuseTooMuch(wanted);
      const { all, taken } = await takeFormer(ports.secrets, servers, headers, wanted);
      held.requireHeld();
      generation += 1;
      const isEmpty = Object.keys(all).length === 0;
      const value = isEmpty ? null : JSON.stringify({ generation, servers: all });
      await ports.secrets.set(secretName(workspaceId), value);
      // Before anything relies on it: the next change must not start from an earlier value.
      await remember(ports, mine, { generation, isEmpty, ...formerOf(ports, mine, taken) });
    };
    return await change({ headers, store });
  } finally {
    held.stop();
    await leases.leave(ports, mine, { ms: 0 });
  }
}

async function remember(
  { records }: HeaderPorts,
  mine: HeaderSecret,
  written: Partial<HeaderSecret>,
): Promise<void> {
  if ((await headerSecrets.patch(records, mine, written, { owner: mine.owner })) === undefined)
    throw new LeaseLost();
}

function formerOf({ clock }: HeaderPorts, { former }: HeaderSecret, taken: string[]): Partial<HeaderSecret> {
  if (taken.length === 0) return {};
  const removeFormerAt = timestamp(clock, KEEP_FORMER_MS);
  return { former: [...new Set([...former, ...taken])], removeFormerAt };
}

function refuseTooMuch(headers: HeadersOfServers): void {
  if (sizeOf(headers) <= MAX_SECRET_BYTES) return;
  throw new Conflict(
    'mcp_headers_too_large',
    'The headers of all MCP servers of a workspace can have at most 64 KB together. Use shorter headers, or remove a server first.',
    { field: 'headers' },
  );
}

function sizeOf(servers: HeadersOfServers): number {
  return Buffer.byteLength(JSON.stringify({ generation: Number.MAX_SAFE_INTEGER, servers }));
}

/** Adds the headers that are still in a secret per server, as far as there is room: the rest stays where it is. */
async function takeFormer(
  secrets: Secrets,
  servers: McpServer[],
  known: HeadersOfServers,
  wanted: HeadersOfServers,
): Promise<{ all: HeadersOfServers; taken: string[] }> {
  const all = { ...wanted };
  const taken: string[] = [];
  for (const { id } of servers) {
    if (id in known) continue;
    const former = parseFormer(await secrets.get(formerName(id)));
    if (former === undefined || sizeOf({ ...all, [id]: former }) > MAX_SECRET_BYTES) continue;
    all[id] = former;
    taken.push(id);
  }
  return { all, taken };
}

async function acquire(ports: HeaderPorts, workspaceId: string): Promise<HeaderSecret> {
  const none = {
    workspaceId,
    owner: '',
    until: '',
    ...{ generation: 0, isEmpty: true, former: [], removeFormerAt: null },
  };
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const there = await headerSecrets.get(ports.records, { workspaceId });
    const mine =
      there === undefined
        ? await leases.create(ports, none)
        : leases.isHeld(there, ports.clock)
          ? undefined
          : await leases.take(ports, there);
    if (mine !== undefined) return mine;
    if (performance.now() > until) throw refuseForNow();
    await sleep(LOOK_EVERY_MS);
  }
}

function refuseForNow(): Conflict {
  return new Conflict('concurrent_changes', 'This was updated at the same time. Try again.');
}

/** Throws if the store keeps answering with a value from before the latest change, which would lose that. */
async function readStored(secrets: Secrets, { workspaceId, generation, isEmpty }: HeaderSecret) {
  if (isEmpty) return { generation, servers: {} };
  for (let read = 1; ; read++) {
    const stored = parse(await secrets.get(secretName(workspaceId), { fresh: true }));
    if (stored.generation >= generation) return stored;
    if (read === READS) throw refuseForNow();
    await sleep(LOOK_EVERY_MS * 2 ** read);
  }
}

/** For the removal of a server, or of a workspace: its headers from before workspaces had one secret. */
export async function removeFormerHeaders(secrets: Secrets, { id, headerNames }: McpServer): Promise<void> {
  if (headerNames.length > 0) await secrets.set(formerName(id), null);
}

/** Drops the headers of a workspace with it. */
export async function dropHeaders(records: Records, secrets: Secrets, workspaceId: string): Promise<void> {
  const known = await headerSecrets.get(records, { workspaceId });
  if (known === undefined) return;
  await secrets.set(secretName(workspaceId), null);
  for (const id of known.former) await secrets.set(formerName(id), null);
  await headerSecrets.delete(records, { workspaceId });
}

/** For the minute tick: removes former secrets whose headers were taken over a week ago. Idempotent. */
export async function removeDueFormerHeaders({ records, clock, secrets }: HeaderPorts): Promise<void> {
  const query = { partition: FORMER, to: `${timestamp(clock)}$` };
  const { value: due = [] } = await duePages(records, headerSecrets, query).next();
  for (const found of due) {
    for (const id of found.former) await secrets.set(formerName(id), null);
    const { removeFormerAt } = found;
    await headerSecrets.patch(records, found, { former: [], removeFormerAt: null }, { removeFormerAt });
  }
}

function parse(text: string | undefined): z.infer<typeof storedSchema> {
  return text === undefined ? { generation: 0, servers: {} } : storedSchema.parse(JSON.parse(text));
}

function parseFormer(text: string | undefined): Headers | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Headers);
}

function secretName(workspaceId: string): string {
  return `MCP_OF_${workspaceId}`;
}

/** Releases before 1.1 had a secret per server. */
function formerName(id: string): string {
  return `MCP_${id}`;
}
