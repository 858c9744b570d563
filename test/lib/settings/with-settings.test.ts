import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../lib/config.ts';
import { overlay } from '../../../lib/settings/with-settings.ts';

const config = readConfig({ LLM_PROVIDER: 'a', LLM_MODEL: 'model-a', REPORT_TIMEZONE: 'Europe/Berlin' });

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
  ])('puts %j before the environment', (stored, provider) => {
    expect(overlay(config, stored).provider).toEqual(provider);
  });

  it('sets the time zone of the reports', () => {
    expect(overlay(config, {}).reportTimezone).toBe('Europe/Berlin');
    expect(overlay(config, { reportTimezone: 'Asia/Tokyo' }).reportTimezone).toBe('Asia/Tokyo');
  });
});
