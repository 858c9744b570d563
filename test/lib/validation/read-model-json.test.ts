import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { readModelJson } from '../../../lib/validation/read-model-json.ts';

const schema = z.object({ count: z.int() });

describe('readModelJson', () => {
  it.each([
    '{"count":1}',
    'Here it is:\n```json\n{"count":1}\n```\n',
    'As {number} asks: {"count":1}',
    'Not {"count":"one"} but {"count":1}',
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
    [`${'{'.repeat(100_000)}}`, expect.stringContaining('SyntaxError')],
  ])('says what is wrong with %.20j', (text, error) => {
    expect(readModelJson(schema, text)).toEqual({ success: false, error });
  });
});
