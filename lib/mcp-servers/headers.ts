import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Conflict, NotFound } from '../errors.ts';
import { LeaseLost } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import { timestamp, timestampSchema } from '../ports/clock.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { refuseOvertaken } from '../records/change.ts';
import { collection } from '../records/collection.ts';
import { requireWorkspace } from '../workspaces/access.ts';
import type { McpServer } from './schema.ts';

export interface HeaderPorts extends TimedRecords {
  secrets: Secrets;
}

const headersSchema = z.record(z.string(), z.string());
type Headers = z.infer<typeof headersSchema>;
/**
 * The headers of a workspace's servers by ID, so that a new server with the name of a removed one doesn't
 * inherit them.
 */
type HeadersOfServers = Record<string, Headers>;

/** A workspace's secret. */
const storedSchema = z.object({
  /** A random ID of this write. */
  writeId: z.string(),
  servers: z.record(z.string(), headersSchema),
});

/**
 * The maximum bytes of a secret in Secrets Manager. A single host has the same limit, so that a workspace can
 * be moved.
 */
export const MAX_SECRET_BYTES = 65_536;
/**
 * In milliseconds. A change is a few calls to the secret store; other processes wait at most this long for
 * one that has died.
 */
const LEASE_MS = 30_000;
const MARGIN_MS = 3000;
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 100;
/** Number of reads. For a moment after a write, the secret store may return an earlier value. */
const READS = 6;
/** Milliseconds after a write from which on the secret store returns it. */
const SETTLED_MS = 30_000;

/**
 * The lease and the last known state of a workspace's secret. They are stored apart from it, because the secret
 * store has no conditional writes. The record exists only while the secret does.
 */
export const headerSecrets = collection({
  kind: 'mcp-headers',
  schema: z.object({
    workspaceId: z.string(),
    owner: z.string(),
    until: timestampSchema,
    /**
     * The latest successful write. For a while, the store may return another, stale value. Null if the write
     * removed the secret.
     */
    latest: z.object({ writeId: z.string(), at: timestampSchema }).nullable(),
    /** A write that was started and may have succeeded. */
    pending: z.string().nullable(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'MCP_HEADERS', sort: workspaceId }),
});
type HeaderSecret = NonNullable<Awaited<ReturnType<typeof headerSecrets.get>>>;
const leases = leasesOf({ collection: headerSecrets, ms: LEASE_MS, owner: 'owner', until: 'until' });

/** Returns a server's headers. Throws NotFound if they were deleted. */
export async function headersOf(secrets: Secrets, server: McpServer): Promise<Headers> {
  if (server.headerNames.length === 0) return {};
  const name = secretName(server.workspaceId);
  const find = (text: string | undefined) => parse(text)?.servers[server.id];
  // The cached value may be older than the server. A server's headers never change.
  const found = find(await secrets.get(name)) ?? find(await secrets.get(name, { fresh: true }));
  if (found !== undefined) return found;
  throw new NotFound(
    'mcp_headers_missing',
    `The stored headers of ${server.name} are missing. Remove the server and add it again.`,
  );
}

/**
 * A workspace's servers that have headers, locked against other changes, and a function that stores the
 * headers.
 */
interface Changing {
  headers: HeadersOfServers;
  store(headers: HeadersOfServers): Promise<void>;
}

/**
 * Changes a workspace's headers exclusively, because concurrent changes would overwrite each other.
 * `readServers` returns the workspace's servers; headers of any other server are dropped. Throws Conflict.
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
    await requireLiving(ports, mine);
    const stored = await readStored(ports, mine);
    const servers = (await readServers()).filter(({ headerNames }) => headerNames.length > 0);
    const headers = Object.fromEntries(
      servers.flatMap(({ id }) => (stored[id] ? [[id, stored[id]]] : [])),
    ) as HeadersOfServers;
    const store = async (wanted: HeadersOfServers) => {
      refuseTooMuch(wanted);
      const writeId = randomUUID();
      await remember(ports, mine, { pending: writeId });
      held.requireHeld();
      const latest = await write(ports, workspaceId, { writeId, servers: wanted });
      // Recorded before anything relies on the write, because the next change must not start from an earlier
      // value.
      await remember(ports, mine, { latest, pending: null });
    };
    return await change({ headers, store });
  } catch (error) {
    throw error instanceof LeaseLost ? refuseOvertaken() : error;
  } finally {
    held.stop();
    await leases.leave(ports, mine, { ms: 0 });
  }
}

/**
 * Throws NotFound if the workspace was deleted in the meantime, because its secret would never be removed.
 */
async function requireLiving(ports: HeaderPorts, mine: HeaderSecret): Promise<void> {
  try {
    await requireWorkspace(ports.records, mine.workspaceId);
  } catch (error) {
    if (error instanceof NotFound) await leases.remove(ports, mine);
    throw error;
  }
}

async function write(
  { secrets, clock }: HeaderPorts,
  workspaceId: string,
  { writeId, servers }: z.infer<typeof storedSchema>,
): Promise<HeaderSecret['latest']> {
  const isEmpty = Object.keys(servers).length === 0;
  await secrets.set(secretName(workspaceId), isEmpty ? null : JSON.stringify({ writeId, servers }));
  return isEmpty ? null : { writeId, at: timestamp(clock) };
}

async function remember(
  { records, secrets }: HeaderPorts,
  mine: HeaderSecret,
  written: Partial<HeaderSecret>,
): Promise<void> {
  if ((await headerSecrets.patch(records, mine, written, { owner: mine.owner })) !== undefined) return;
  // The workspace was deleted during the write.
  if ((await headerSecrets.get(records, mine)) === undefined)
    await secrets.set(secretName(mine.workspaceId), null);
  throw new LeaseLost();
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
  return Buffer.byteLength(JSON.stringify({ writeId: randomUUID(), servers }));
}

/**
 * Takes the lease. With `always`, takes it over if its holder doesn't release it in time; otherwise, throws
 * Conflict.
 */
async function acquire(
  ports: HeaderPorts,
  workspaceId: string,
  { always = false } = {},
): Promise<HeaderSecret> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const isLate = performance.now() > until;
    const mine = await tryToAcquire(ports, workspaceId, isLate && always);
    if (mine !== undefined) return mine;
    if (isLate && !always) throw refuseOvertaken();
    await sleep(LOOK_EVERY_MS);
  }
}

async function tryToAcquire(
  ports: HeaderPorts,
  workspaceId: string,
  evenIfHeld: boolean,
): Promise<HeaderSecret | undefined> {
  const there = await headerSecrets.get(ports.records, { workspaceId });
  if (there !== undefined) return isHeld(there, ports) && !evenIfHeld ? undefined : leases.take(ports, there);
  return leases.create(ports, { workspaceId, owner: '', until: '', latest: null, pending: null });
}

/**
 * Returns whether the lease is held. An end that is later than any renewal explains was written before the
 * clock was set back; its holder has died, or will correct it soon.
 */
function isHeld(there: HeaderSecret, { clock }: HeaderPorts): boolean {
  return leases.isHeld(there, clock) && leases.endOf(there) <= clock.now() + 2 * LEASE_MS;
}

/**
 * Reads the secret. Throws Conflict while the store returns another value than the latest, because it may be
 * an earlier one. After the settling time, another value counts: the latest write was lost, or an earlier
 * value was restored.
 */
async function readStored(
  { secrets, clock }: HeaderPorts,
  { workspaceId, latest, pending }: HeaderSecret,
): Promise<HeadersOfServers> {
  if (latest === null) return {};
  // The clock may have been set back.
  const isSettled = Math.abs(clock.now() - Date.parse(latest.at)) >= SETTLED_MS;
  for (let read = 1; ; read++) {
    const stored = parse(await secrets.get(secretName(workspaceId), { fresh: true }));
    const isKnown = stored !== undefined && [latest.writeId, pending].includes(stored.writeId);
    if (isSettled || isKnown) return stored?.servers ?? {};
    if (read === READS) throw refuseOvertaken();
    await sleep(LOOK_EVERY_MS * 2 ** read);
  }
}

/** Deletes a workspace's headers and, with `dropServers`, its servers, once no change is in progress. */
export async function dropHeaders(
  ports: HeaderPorts,
  workspaceId: string,
  dropServers: () => Promise<void>,
): Promise<void> {
  if ((await headerSecrets.get(ports.records, { workspaceId })) === undefined) return dropServers();
  const mine = await acquire(ports, workspaceId, { always: true });
  await dropServers();
  await ports.secrets.set(secretName(workspaceId), null);
  await headerSecrets.delete(ports.records, mine);
}

/** Parses a secret. A damaged one counts as missing, so that its servers can be removed and added again. */
function parse(text: string | undefined): z.infer<typeof storedSchema> | undefined {
  if (text === undefined) return undefined;
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // the parser's message would quote the secret
  }
}

function secretName(workspaceId: string): string {
  return `MCP_OF_${workspaceId}`;
}
