import type { Caller } from '../access/caller.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { laterSecrets, type StoredToken, tokens } from './schema.ts';
import { hashSecret } from './tokens.ts';

const SECRET = /^wrs_[A-Za-z0-9_-]{43}$/;
const MAX_HEADER = 16_384;
const USE_NOTED_EVERY_MS = 60_000;

/** Returns whether a credential claims to be an API token of this service, which a JWT never does. */
export function isToken(credential: string): boolean {
  return credential.startsWith('wrs_');
}

/** Returns the holder of this secret; undefined if the secret isn't a valid token, or no longer is. */
export async function authorizeToken(ports: TimedRecords, secret: string): Promise<Caller | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const hash = hashSecret(secret);
  const token = await findBySecret(ports.records, hash);
  if (token === undefined || !isValid(token, ports.clock.now())) return undefined;
  const used = secretsOf(token, ports.clock.now()).find((each) => each.hash === hash);
  if (used === undefined) return undefined;
  // Awaited, because Lambda freezes work that is still running after the response.
  await noteUse(ports, token);
  return callerOfToken({ ...token, expiresAt: earlierEnd(token.expiresAt, used.until) });
}

/** Returns the token that has this secret, or had it before a rotation. */
export async function findBySecret(records: Records, hash: string): Promise<StoredToken | undefined> {
  const token = await tokens.get(records, { hash });
  if (token !== undefined) return token;
  const later = await laterSecrets.get(records, { hash });
  return later && tokens.get(records, { hash: later.of });
}

/** Returns the secrets that the token still accepts, the current one first. */
export function secretsOf({ hash, secrets }: StoredToken, now: number): NonNullable<StoredToken['secrets']> {
  const all = secrets ?? [{ hash, until: null }];
  return all.filter(({ until }) => until === null || Date.parse(until) > now);
}

/**
 * An earlier secret expires before its token, so it must not create, change, or rotate one that lasts longer.
 */
export function earlierEnd(one: string | null, other: string | null): string | null {
  return [one, other].filter((each) => each !== null).sort()[0] ?? null;
}

export function callerOfToken(token: StoredToken): Caller {
  const { id, name, role, workspaceIds, expiresAt, continues } = token;
  return {
    ...(continues === undefined ? { id } : { id: continues, tokenId: id }),
    ...{ role, workspaceIds, expiresAt: expiresAt ?? undefined, profile: { kind: 'token', name } },
  };
}

export function isValid({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** Records the use at most once per minute; a failure is logged and has no other effect. */
async function noteUse({ records, clock }: TimedRecords, token: StoredToken): Promise<void> {
  const last = token.lastUsedAt === null ? 0 : Date.parse(token.lastUsedAt);
  if (clock.now() - last < USE_NOTED_EVERY_MS) return;
  try {
    await tokens.update(records, token, { set: { lastUsedAt: timestamp(clock) } });
  } catch (error) {
    log.error('the use of a token was not noted', { tokenId: token.id }, error);
  }
}

export type Headers = Record<string, string[] | undefined>;

/**
 * Returns the bearer credential. Undefined if there is none or more than one, or if it is longer than any of
 * this service.
 */
export function readBearer(headers: Headers): string | undefined {
  const [header, ...more] = valuesOf(headers, 'authorization');
  if (header === undefined || more.length > 0 || header.length > MAX_HEADER) return undefined;
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}

/** Returns all values of a header. The name must be in lower case. */
export function valuesOf(headers: Headers, wanted: string): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    name.toLowerCase() === wanted ? (values ?? []) : [],
  );
}
