import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';

/** How long a value that was rotated elsewhere may still be used, and a new one be missed. */
export const FRESH_MS = 5 * 60 * 1000;
const WRITE_ATTEMPTS = 6;

interface Cached {
  value: Promise<string | undefined>;
  until: number;
}

/**
 * Secrets of AWS Secrets Manager, each under `prefix` + its name. Reads are kept in memory (5 minutes); what
 * this very object wrote is seen at once.
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
    get(name) {
      const known = cache.get(name);
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

/** Another writer may create or remove the secret between two of our steps, so the steps are tried in turn. */
async function write(client: SecretsManagerClient, id: string, value: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await replace(client, id, value)) return;
    if (await create(client, id, value, attempt === WRITE_ATTEMPTS)) return;
    await sleep(100 * 2 ** attempt);
  }
}

/** False when there is no such secret. */
async function replace(client: SecretsManagerClient, id: string, value: string): Promise<boolean> {
  try {
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString: value }));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** False when there is one by now, or the one before is still being removed. */
async function create(
  client: SecretsManagerClient,
  id: string,
  value: string,
  last: boolean,
): Promise<boolean> {
  try {
    await client.send(new CreateSecretCommand({ Name: id, SecretString: value }));
    return true;
  } catch (error) {
    const passing = nameOf(error) === 'ResourceExistsException' || isBeingRemoved(error);
    if (passing && !last) return false;
    throw error;
  }
}

/** Deletes at once and permanently: a person who clears a token doesn't expect a recovery window. */
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

/** "You can't perform this operation on the secret because it was marked for deletion." */
function isBeingRemoved(error: unknown): boolean {
  return nameOf(error) === 'InvalidRequestException' && /deletion|deleted/.test((error as Error).message);
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
