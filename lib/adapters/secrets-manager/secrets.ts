import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';

/** Milliseconds for which a secret that was changed or added elsewhere may go unnoticed. */
export const FRESH_MS = 5 * 60 * 1000;
const MAX_WRITES = 6;
const FIRST_WAIT_MS = 400;

interface Cached {
  value: Promise<string | undefined>;
  until: number;
}

/**
 * Secrets in AWS Secrets Manager, each named by `prefix` and its name. Reads are cached in memory for 5
 * minutes; writes through this object are visible immediately.
 */
export function secretsManagerSecrets(
  client: SecretsManagerClient,
  prefix: string,
  clock: Clock = systemClock,
): Secrets {
  const cache = new Map<string, Cached>();
  const keep = (name: string, value: Cached['value'], milliseconds: number) => {
    const cached = { value, until: clock.now() + milliseconds };
    cache.set(name, cached);
    return cached;
  };
  return {
    get(name, { fresh = false } = {}) {
      const known = fresh ? undefined : cache.get(name);
      if (known !== undefined && clock.now() < known.until) return known.value;
      const cached = keep(name, read(client, prefix + name), FRESH_MS);
      cached.value.catch(() => cache.get(name) === cached && cache.delete(name));
      return cached.value;
    },
    async set(name, value) {
      cache.delete(name);
      await (value === null ? remove(client, prefix + name) : write(client, prefix + name, value));
      keep(name, Promise.resolve(value ?? undefined), FRESH_MS);
    },
  };
}

async function read(client: SecretsManagerClient, id: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a secret. Between the two steps, another writer may create or remove it. A removed secret may
 * continue to exist for a while.
 */
async function write(client: SecretsManagerClient, id: string, value: string): Promise<void> {
  await retry(() => replaceOrCreate(client, id, value), {
    maxTries: MAX_WRITES,
    waitAfter: (error, tries) =>
      nameOf(error) === 'ResourceExistsException' || isBeingRemoved(error)
        ? jitteredDelay(tries, FIRST_WAIT_MS)
        : undefined,
  });
}

async function replaceOrCreate(client: SecretsManagerClient, id: string, value: string): Promise<void> {
  try {
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString: value }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    await client.send(new CreateSecretCommand({ Name: id, SecretString: value }));
  }
}

/**
 * Deletes immediately and permanently, because a person who clears a token doesn't expect that it can be
 * recovered.
 */
async function remove(client: SecretsManagerClient, id: string): Promise<void> {
  try {
    await client.send(new DeleteSecretCommand({ SecretId: id, ForceDeleteWithoutRecovery: true }));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return nameOf(error) === 'ResourceNotFoundException' || isBeingRemoved(error);
}

/**
 * Recognizes the error "You can't perform this operation on the secret because it was marked for deletion."
 */
function isBeingRemoved(error: unknown): boolean {
  return nameOf(error) === 'InvalidRequestException' && /deletion|deleted/.test((error as Error).message);
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
