import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import * as z from 'zod';
import { type Caller, LOCAL, type Profile } from '../access/caller.ts';
import { PLATFORMS } from '../api-contract/chat-platforms.ts';
import { ROLES, type Role } from '../api-contract/roles.ts';
import { readPieces } from '../async/join-pieces.ts';
import { Forbidden, NotConfigured } from '../errors.ts';
import { log } from '../log.ts';
import { toLine } from '../text/one-line.ts';
import { isBoundedJson } from '../validation/bounded-json.ts';

/** Only signatures made with the issuer's private key, never `none` or a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
/** Milliseconds per request, so that discovery and keys together stay within the authorizer's ten seconds. */
const FETCH_TIMEOUT_MS = 4_000;
/** Maximum bytes; a discovery document or a key set has a few kilobytes. */
const MAX_FETCHED_BYTES = 1_000_000;
/**
 * Token types for an API (RFC 8725, 3.11). Without this check, a logout token or a proof with the same issuer
 * and audience would be accepted.
 */
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
/**
 * Matches a subject within OpenID Connect's maximum length and without control characters, because record
 * keys contain it.
 */
const SUBJECT = /^\P{Cc}{1,255}$/u;

/**
 * Matches IDs that no issuer may assign: everyone without sign-in, the service and its operator in the audit
 * log, and chat users. At some issuers, people choose the name that becomes their `sub`.
 */
const OWN_NAMES = new RegExp(`^(${LOCAL}|service|operator)$|^(${PLATFORMS.join('|')}):`);

export interface OidcSettings {
  issuer: string;
  audience: string;
  /** The claim with the role; dots separate nested claims. */
  roleClaim: string;
  /** The claim with the groups; dots separate nested claims. */
  groupsClaim: string;
  /** Roles by group, in addition to the role claim. */
  roleMap: { group: string; role: Role }[];
}

/** A user of the issuer without a role here. */
export class WithoutRole extends Forbidden {
  readonly sub: string;

  constructor(sub: string, roleClaim: string) {
    super(
      'role_unknown',
      `You have no role in this service: neither the claim ${roleClaim} of your token nor your groups (OIDC_ROLE_MAP) name one. Ask an administrator to assign one to ${sub}.`,
    );
    this.sub = sub;
  }
}

/**
 * Verifies JWTs of one issuer against its published keys. Returns undefined for an invalid token. Throws
 * WithoutRole for a valid token without a role of this service, Forbidden for one that names another kind of
 * caller, and NotConfigured while the issuer's keys are unavailable, because a 401 would sign all users out.
 */
export function oidcVerifier(settings: OidcSettings): (token: string) => Promise<Caller | undefined> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (token) => {
    keys ??= discoverKeys(settings.issuer).catch((error: unknown) => {
      keys = undefined;
      throw unavailable(error);
    });
    const payload = await verify(token, await keys, settings);
    return payload && readCaller(payload, settings);
  };
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  settings: OidcSettings,
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    const type: unknown = protectedHeader.typ;
    if (!TYPES.includes(typeof type === 'string' ? type.toLowerCase() : (type as undefined)))
      return undefined;
    return typeof payload.sub === 'string' && SUBJECT.test(payload.sub) ? payload : undefined;
  } catch (error) {
    if (isOfTheIssuer(error)) throw unavailable(error);
    return undefined;
  }
}

/**
 * Returns whether the issuer, not the token, caused the error. jose has only a generic code for a failed
 * request of the key set.
 */
function isOfTheIssuer(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(error.code);
}

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const keys = await discoverKeyAddress(issuer);
  return createRemoteJWKSet(keys, { timeoutDuration: FETCH_TIMEOUT_MS, [customFetch]: fetchBounded });
}

async function discoverKeyAddress(issuer: string): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovered = await fetchAs(discoverySchema, address);
  if (discovered.issuer !== issuer) throw new Error(`${address} belongs to another issuer.`);
  const keys = new URL(discovered.jwks_uri);
  if (keys.protocol !== 'https:' && keys.protocol !== new URL(issuer).protocol)
    throw new Error(`${address} names keys at ${keys.protocol}, which isn't secure.`);
  return keys;
}

const keySetSchema = z.object({ keys: z.array(z.unknown()) });

/** Returns how many keys the issuer publishes now. Throws an Error that names the problem. */
export async function countIssuerKeys(issuer: string): Promise<number> {
  const address = await discoverKeyAddress(issuer);
  return (await fetchAs(keySetSchema, address.href)).keys.length;
}

async function fetchAs<Schema extends z.ZodType>(schema: Schema, url: string): Promise<z.infer<Schema>> {
  const response = await fetchBounded(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success)
    throw new Error(`${url} returned ${response.status} without valid OpenID Connect data.`);
  return parsed.data;
}

/** Fetches without following redirects. Throws for a body that is longer or more complex than an issuer's documents. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'error' });
  const tooLarge = () => new Error(`${url} returned more than ${MAX_FETCHED_BYTES} bytes.`);
  const body = await readPieces(response.body ?? [], MAX_FETCHED_BYTES, tooLarge);
  if (!isBoundedJson(body.toString())) throw new Error(`${url} returned more than can be read.`);
  return new Response(body as Uint8Array<ArrayBuffer>, { status: response.status });
}

function unavailable(cause: unknown): Error {
  return new NotConfigured(
    'issuer_unreachable',
    "Can't reach the OIDC issuer (OIDC_ISSUER). Try again, or ask an administrator to check it.",
    { cause },
  );
}

function readCaller(payload: JWTPayload, settings: OidcSettings): Caller {
  const { sub = '' } = payload;
  if (OWN_NAMES.test(sub))
    throw new Forbidden(
      'role_unknown',
      `The sub of your token, ${sub}, is a name that this service uses itself. Ask an administrator to change it at the issuer.`,
    );
  const groups = readNames(readClaim(payload, settings.groupsClaim));
  const named = readNames(readClaim(payload, settings.roleClaim));
  const mapped = settings.roleMap.flatMap(({ group, role }) => (groups.includes(group) ? [role] : []));
  const role = ROLES.findLast((each) => [...named, ...mapped].includes(each));
  if (role === undefined) throw new WithoutRole(sub, settings.roleClaim);
  const workspaceIds = readWorkspaceIds(payload.workspaceIds);
  return { id: sub, role, workspaceIds, groups: boundGroups(groups), profile: readProfile(payload) };
}

/**
 * Reads the standard claims for a person's name. The name is only for display, because at many issuers people
 * choose it themselves. Ignores an email address that the issuer hasn't verified.
 */
function readProfile({ name, preferred_username, email, email_verified }: JWTPayload): Profile {
  const shown = readText(name) ?? readText(preferred_username);
  const address = email_verified === false ? undefined : readText(email);
  return { kind: 'user', ...(shown && { name: shown }), ...(address && { email: address }) };
}

/** Maximum characters, because the text is sent with each request, next to the groups. */
const MAX_TEXT = 100;

function readText(claim: unknown): string | undefined {
  return typeof claim === 'string' ? toLine(claim, MAX_TEXT).trim() || undefined : undefined;
}

function readClaim(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Record<string, unknown>)[name];
  }, payload);
}

/** Reads a name or a list of names. */
function readNames(claim: unknown): string[] {
  return [claim].flat().filter((name) => typeof name === 'string' && name !== '') as string[];
}

/** Maximum groups. They are sent with each request, and stored with the work that it starts. */
const MAX_GROUPS = 1000;
const MAX_GROUPS_BYTES = 6000;

/**
 * Returns undefined if there are no groups. If there are too many, none count: the remaining ones would
 * depend on their order. Issuers that omit groups because of their number (like Entra) send none either.
 */
function boundGroups(groups: string[]): string[] | undefined {
  if (groups.length === 0) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(groups));
  if (groups.length <= MAX_GROUPS && bytes <= MAX_GROUPS_BYTES) return groups;
  log.warn('a token names too many groups: none of them counts', { groups: groups.length, bytes });
  return undefined;
}

/**
 * Returns null (every workspace) if the claim is absent, and no workspaces if it's anything but a list of
 * texts.
 */
function readWorkspaceIds(claim: unknown): string[] | null {
  if (claim === undefined) return null;
  return z.array(z.string()).catch([]).parse(claim);
}
