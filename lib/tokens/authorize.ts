import { type Caller, LOCAL } from '../access/caller.ts';
import { Forbidden } from '../errors.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type StoredToken, tokens } from './schema.ts';
import { hashSecret } from './tokens.ts';

const SECRET = /^wrs_[A-Za-z0-9_-]{43}$/;
const MAX_HEADER = 16_384;
const USE_NOTED_EVERY_MS = 60_000;

/** Returns the holder of this secret; undefined if it isn't a valid token or no longer is. */
export async function authorizeToken(ports: TimedRecords, secret: string): Promise<Caller | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const token = await tokens.get(ports.records, { hash: hashSecret(secret) });
  if (token === undefined || !isValid(token, ports.clock.now())) return undefined;
  await noteUse(ports, token); // awaited, because Lambda freezes work that is still running after the response
  return callerOfToken(token);
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

type Headers = Record<string, string[] | undefined>;

/** Returns the bearer credential; undefined if there is none, more than one, or one too long to be ours. */
export function readBearer(headers: Headers): string | undefined {
  const [header, ...more] = valuesOf(headers, 'authorization');
  if (header === undefined || more.length > 0 || header.length > MAX_HEADER) return undefined;
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}

/**
 * AUTH_MODE=disabled: any client that reaches the loopback address is admin, and so is every web page open in a browser on this
 * host. So the address must be a loopback name (a page can't rebind its own name to 127.0.0.1), and a request from a page,
 * which has an Origin, must come from the service's own page or from CORS_ORIGINS. A page can send GETs without an Origin (an
 * image, a link): for those the browser says where they come from, and only this very origin or a direct navigation is
 * accepted. Another port on this host is another program, so `same-site` is untrusted too. Throws Forbidden.
 */
export function localCaller(headers: Headers, corsOrigins: string[]): Caller {
  const [host = ''] = valuesOf(headers, 'host');
  const [origin] = valuesOf(headers, 'origin');
  if (!/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)) {
    throw new Forbidden(
      'origin_refused',
      'Without sign-in, the service answers only at localhost and 127.0.0.1. To use another host name, set AUTH_MODE to token or oidc.',
    );
  }
  if (origin !== undefined && origin !== `http://${host}` && !corsOrigins.includes(origin)) {
    throw new Forbidden('origin_refused', "This origin isn't listed in CORS_ORIGINS.");
  }
  if (origin === undefined && !valuesOf(headers, 'sec-fetch-site').every(isOwnSite)) {
    throw new Forbidden(
      'origin_refused',
      "With AUTH_MODE=disabled, pages of other sites can't call the API.",
    );
  }
  return { id: LOCAL, role: 'admin', workspaceIds: null };
}

function isOwnSite(site: string): boolean {
  return site === 'same-origin' || site === 'none';
}

function valuesOf(headers: Headers, wanted: string): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    name.toLowerCase() === wanted ? (values ?? []) : [],
  );
}
