import type { Caller } from '../http/caller.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import { type StoredToken, tokens } from './schema.ts';
import { hashSecret, type TokenPorts } from './tokens.ts';

const SECRET = /^wrs_[A-Za-z0-9_-]{43}$/;
const USE_NOTED_EVERY_MS = 60_000;

/** Who holds this secret, or undefined when it is no valid token (any more). */
export async function authorizeToken(ports: TokenPorts, secret: string): Promise<Caller | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const token = await tokens.get(ports.records, { hash: hashSecret(secret) });
  if (token === undefined || !isValid(token, ports.clock.now())) return undefined;
  void noteUse(ports, token);
  return { id: token.id, role: token.role, workspaceIds: token.workspaceIds };
}

function isValid({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** At most once a minute, beside the request; a failure is logged and harms nobody. */
async function noteUse({ records, clock }: TokenPorts, token: StoredToken): Promise<void> {
  const last = token.lastUsedAt === null ? 0 : Date.parse(token.lastUsedAt);
  if (clock.now() - last < USE_NOTED_EVERY_MS) return;
  try {
    await tokens.update(records, token, { set: { lastUsedAt: timestamp(clock) } });
  } catch (error) {
    log.error('the use of a token was not noted', { tokenId: token.id }, error);
  }
}

/** The credential of an Authorization header, or undefined when it is not a bearer's. */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 16_384) return undefined;
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}
