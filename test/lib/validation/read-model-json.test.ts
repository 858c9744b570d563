import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { JUDGE_RULES, judgedSchema } from '../../../lib/support/judge.ts';
import { modelJsonForm, readModelJson } from '../../../lib/validation/read-model-json.ts';

const schema = z.object({ count: z.int() });

describe('readModelJson', () => {
  it.each([
    '{"count":1}',
    'Here it is:\n```json\n{"count":1}\n```\n',
    'As {number} asks: {"count":1}',
    'Not {"count":"one"} but {"count":1}',
    '{"count":1} Hope this helps {smiles}.',
    '```json\n{"count":1}\n```\nIn it, `{` begins the object.',
    '<think>Perhaps {"count":7}? No.</think>\n{"count":1}',
    '{"count":1}{"count":2}',
  ])('reads the object of %j', (text) => {
    expect(readModelJson(schema, text)).toEqual({ success: true, data: { count: 1 } });
  });

  it.each([
    ['', 'it contains no JSON object'],
    ['} {', 'it contains no JSON object'],
    ['{"count":"one"}', 'count: Invalid input: expected number, received string'],
    ['{"count":', 'it contains no JSON object'],
    ['{"a":1, secret}', expect.stringMatching(/^SyntaxError: (?!.*secret)/)],
    ['{"a":secret}', expect.stringMatching(/^SyntaxError: (?!.*secret).* in JSON$/)],
    [
      `{"a":"${'b'.repeat(60)}","c":secret,"d":"${'e'.repeat(60)}"}`,
      expect.stringMatching(/^SyntaxError: (?!.*secret).* in JSON$/),
    ],
    [`${'{'.repeat(100_000)}}`, 'it is too complex'],
  ])('reports the problem of %.20j', (text, error) => {
    expect(readModelJson(schema, text)).toEqual({ success: false, error });
  });
});

describe('modelJsonForm', () => {
  it('requires the fields with defaults, and leaves numbers to the reader', () => {
    const form = z.object({
      text: z.string().trim().min(1).max(2000),
      evidence: z.array(z.string()).max(12).default([]),
      note: z.string().optional(),
    });
    expect(modelJsonForm('a part', form)).toEqual({
      name: 'a_part',
      schema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          evidence: { type: 'array', items: { type: 'string' }, default: [] },
          note: { type: 'string' },
        },
        required: ['text', 'evidence'],
        additionalProperties: false,
      },
    });
  });

  it("describes verdicts like the judge's rules", () => {
    const { schema } = modelJsonForm('verdicts', judgedSchema);
    const says = JSON.stringify(schema).match(/"enum":(\[[^\]]*\])/)?.[1] ?? '[]';
    expect(JSON.parse(says)).toHaveLength(4);
    for (const word of JSON.parse(says) as string[]) expect(JUDGE_RULES).toContain(`"${word}"`);
  });
});
