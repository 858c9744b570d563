import { describe, expect, it } from '@jest/globals';
import { checkModel } from '../../../lib/models/check-model.ts';
import type { LanguageModel, ModelEvent } from '../../../lib/ports/language-model.ts';

describe('checkModel', () => {
  it('does not wait for line breaks after the JSON', async () => {
    let sent = 0;
    const model: LanguageModel = {
      ...{ provider: 'a', model: 'm' },
      async *stream({ responseSchema }): AsyncGenerator<ModelEvent> {
        yield { type: 'text', text: '{"class":"bird","legs":2}' };
        for (; responseSchema !== undefined && sent < 3000; sent++) yield { type: 'text', text: '\n' };
        yield { type: 'finish', reason: 'length', usage: { inputTokens: 5, outputTokens: 400 } };
      },
    };
    const found = await checkModel({ model, refused: () => new Set() }, AbortSignal.timeout(10_000));
    expect(found).toMatchObject({ jsonSchema: true });
    expect(sent).toBeLessThan(100);
  });
});
