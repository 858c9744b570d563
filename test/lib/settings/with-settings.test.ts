import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { readConfig } from '../../../lib/config.ts';
import { storedSettings } from '../../../lib/settings/schema.ts';
import { overlay, withSettings } from '../../../lib/settings/with-settings.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const environment = { LLM_PROVIDER: 'a', LLM_MODEL: 'model-a', REPORT_TIMEZONE: 'Europe/Berlin' };
const config = readConfig(environment);

describe('overlay', () => {
  it.each([
    [{}, { id: 'a', model: 'model-a' }],
    [{ llmModel: 'other' }, { id: 'a', model: 'other' }],
    [{ llmProvider: 'a' as const }, { id: 'a', model: 'model-a' }],
    [{ llmProvider: 'b' as const }, { id: 'b', model: undefined }],
    [
      { llmProvider: 'b' as const, llmModel: 'model-b' },
      { id: 'b', model: 'model-b' },
    ],
  ])('prefers %j to the environment', (stored, provider) => {
    expect(overlay(config, stored).provider).toEqual({ ...provider, sighted: [] });
  });

  it('sets the time zone of the reports', () => {
    expect(overlay(config, {}).reportTimezone).toBe('Europe/Berlin');
    expect(overlay(config, { reportTimezone: 'Asia/Tokyo' }).reportTimezone).toBe('Asia/Tokyo');
  });
});

describe('withSettings', () => {
  afterEach(() => void jest.useRealTimers());

  async function openStore() {
    const database = openDatabase(await tempFolder());
    whenDone(async () => database.close());
    const records = sqliteRecords(database);
    await storedSettings.put(records, {});
    return { records, secrets: { get: async () => undefined, set: async () => {} } };
  }

  it('returns the latest change by another thread of the host', async () => {
    const stores = await openStore();
    const modelNow = async () => (await withSettings(config, stores)).provider.model;
    expect(await modelNow()).toBe('model-a');
    await storedSettings.put(stores.records, { llmModel: 'other' });
    expect(await modelNow()).toBe('other');
  });

  it('returns a change by another process within five seconds on AWS', async () => {
    jest.useFakeTimers({
      now: Date.now(),
      doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'],
    });
    const aws = { TABLE_NAME: 't', BUCKET_NAME: 'b', SECRETS_PREFIX: 's/' };
    const deployed = readConfig({ ...environment, ...aws });
    const stores = await openStore();
    const { records } = stores;
    const modelNow = async () => (await withSettings(deployed, stores)).provider.model;
    expect(await modelNow()).toBe('model-a');
    await storedSettings.put(records, { llmModel: 'other' });
    jest.advanceTimersByTime(4999);
    expect(await modelNow()).toBe('model-a'); // because it isn't read again for each request
    jest.advanceTimersByTime(1);
    expect(await modelNow()).toBe('other');
  });
});
