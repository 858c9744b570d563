import { describe, expect, it } from '@jest/globals';
import type { LanguageModel, OwnServer } from '../../../lib/ports/language-model.ts';
import { answerDeadline } from '../../../lib/support/short-answer.ts';

function modelAt(server: OwnServer | undefined): LanguageModel {
  return { provider: 'a', model: 'm', ownServer: async () => server, stream: async function* () {} };
}

describe('answerDeadline', () => {
  it('gives a provider the usual time', async () => {
    expect(await answerDeadline(modelAt(undefined), 150_000)).toBe(150_000);
  });

  it("gives a server of the person's own three times its patience, and never less than a provider", async () => {
    const own = (patienceMs: number) => modelAt({ patienceMs, tokensReadPerSecond: undefined });
    expect(await answerDeadline(own(600_000), 150_000)).toBe(1_800_000);
    expect(await answerDeadline(own(1000), 150_000)).toBe(150_000);
  });
});
