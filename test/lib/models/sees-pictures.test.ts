import { describe, expect, it } from '@jest/globals';
import { seesPictures } from '../../../lib/models/sees-pictures.ts';

describe('seesPictures', () => {
  it.each([
    ['gpt-4o-2024-11-20', [], true],
    ['GPT-5-mini', [], true],
    ['gpt-4o-audio-preview', [], false],
    ['o3', [], true],
    ['o3-mini', [], false],
    ['gpt-3.5-turbo', [], false],
    ['claude-sonnet-4-5', [], true],
    ['models/gemini-2.5-flash', [], true],
    ['qwen/qwen2.5-vl-72b', [], true],
    ['my-model', [], false],
    ['my-model-2', ['my-model'], true],
    ['gpt-4o', ['!gpt-4o'], false],
    ['gpt-4o-mini', ['!gpt-4', 'gpt-4o-mini'], true],
    ['constructor', [], false],
  ])('returns for %s, with %j of its own: %s', (model, own, sees) => {
    expect(seesPictures(model, own)).toBe(sees);
  });
});
