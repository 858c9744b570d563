import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { readConfig } from '../../../lib/config.ts';
import type { Secrets } from '../../../lib/ports/secrets.ts';
import { storedSettings } from '../../../lib/settings/schema.ts';
import { readConnection, writeConnection } from '../../../lib/settings/stored-connections.ts';
import { withProviderKeys } from '../../../lib/settings/stored-keys.ts';
import { withSettings } from '../../../lib/settings/with-settings.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const CONNECTION = { apiKey: 'sk-page', baseUrl: 'http://10.0.0.9/v1', embeddingModel: null };
const ON_AWS = {
  ...{ AWS_LAMBDA_FUNCTION_NAME: 'chat', HOST: '127.0.0.1', AUTH_MODE: 'token' },
  ...{ TABLE_NAME: 't', BUCKET_NAME: 'b', SECRETS_PREFIX: 'p/' },
};

/** The secret store of another process. `get` returns cached values unless it must refresh. */
function cachedSecrets(values: Record<string, string> = {}) {
  const stored = new Map(Object.entries(values));
  const cache = new Map<string, string | undefined>();
  let asked = 0;
  const secrets: Secrets = {
    async get(name, { fresh = false } = {}) {
      if (fresh || !cache.has(name)) {
        cache.set(name, stored.get(name));
        asked += 1;
      }
      return cache.get(name);
    },
    set: async (name, value) => void (value === null ? stored.delete(name) : stored.set(name, value)),
  };
  return { secrets, askedSoFar: () => asked };
}

describe('withProviderKeys', () => {
  it('uses a connection from the settings completely, with address checks', async () => {
    const { secrets } = cachedSecrets();
    await writeConnection(secrets, 'a', CONNECTION);
    const { providers } = await withProviderKeys(readConfig({}), secrets);
    expect(providers.openai).toEqual({ ...CONNECTION, guard: { policy: 'host', proxy: expect.anything() } });
    const deployed = await withProviderKeys(readConfig(ON_AWS), secrets);
    expect(deployed.providers.openai.guard).toMatchObject({ policy: 'cloud' });
  });

  it.each([
    ['a key', { PROVIDER_A_API_KEY: 'sk-env' }, {}, { apiKey: 'sk-env' }],
    ['a URL', { PROVIDER_A_BASE_URL: 'http://env' }, {}, { apiKey: undefined, baseUrl: 'http://env' }],
    ['a secret', {}, { PROVIDER_A_API_KEY: 'sk-operator' }, { apiKey: 'sk-operator' }],
  ])('never mixes a stored connection with %s of the operator', async (_, environment, stored, expected) => {
    const { secrets } = cachedSecrets(stored);
    await writeConnection(secrets, 'a', CONNECTION);
    const { providers } = await withProviderKeys(readConfig(environment), secrets);
    expect(providers.openai).toEqual({ baseUrl: undefined, ...expected });
  });

  it('ignores an unreadable connection, but accepts a connection with a field of a later release', async () => {
    const { secrets } = cachedSecrets({
      PROVIDER_A_CONNECTION: '{"apiKey": 1}',
      PROVIDER_B_CONNECTION: '{"apiKey": "k", "later": true}',
    });
    expect(await readConnection(secrets, 'a')).toBeUndefined();
    expect(await readConnection(secrets, 'b')).toEqual({ apiKey: 'k', embeddingModel: null });
  });
});

describe('withSettings', () => {
  it('reads the store again only once after a change by another process', async () => {
    const database = openDatabase(await tempFolder());
    whenDone(async () => database.close());
    const { secrets, askedSoFar } = cachedSecrets();
    // Another object, so that the settings are read again without waiting five seconds.
    const read = () => withSettings(readConfig({}), { records: sqliteRecords(database), secrets });
    await storedSettings.put(sqliteRecords(database), {});
    expect((await read()).providers.openai.apiKey).toBeUndefined();
    const before = askedSoFar();
    await writeConnection(secrets, 'a', CONNECTION);
    expect((await read()).providers.openai.apiKey).toBeUndefined();
    expect(askedSoFar()).toBe(before);
    await storedSettings.put(sqliteRecords(database), { connectionsVersion: '2' });
    expect((await read()).providers.openai.apiKey).toBe('sk-page');
    const after = askedSoFar();
    await read();
    expect(askedSoFar()).toBe(after);
  });
});
