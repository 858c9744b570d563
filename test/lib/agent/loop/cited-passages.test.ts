import { describe, expect, it } from '@jest/globals';
import {
  noPassages,
  numberPassage,
  showText,
  usedPassages,
} from '../../../../lib/agent/loop/cited-passages.ts';
import { readModelAnswer } from '../../../../lib/agent/loop/model-answer.ts';
import type { StreamPart } from '../../../../lib/api-contract/stream-part.ts';
import type { Passage } from '../../../../lib/ports/vectors.ts';

function passage(startChar: number, fields: Partial<Passage> = {}): Passage {
  const place = { startLine: 1, endLine: 1, startChar, endChar: startChar + 5, part: {}, context: '' };
  return { path: 'a.md', chunk: 0, fileHash: 'h', text: 'Owls.', ...place, ...fields };
}

/** Returns the state as it's read back after it was stored. */
const storedAndRead = <State>(state: State): State => JSON.parse(JSON.stringify(state));

describe('passages of a run', () => {
  it('keep their numbers, even in another process or when they are returned again', () => {
    const cited = noPassages();
    expect([0, 9, 0].map((start) => numberPassage(cited, passage(start)))).toEqual([1, 2, 1]);
    const later = storedAndRead(cited);
    expect(numberPassage(later, passage(9))).toBe(2);
    expect(numberPassage(later, passage(9, { fileHash: 'changed' }))).toBe(3);
  });

  it('have numbers of at most three digits', () => {
    const cited = noPassages();
    const numbers = Array.from({ length: 1001 }, (_, start) => numberPassage(cited, passage(start)));
    expect(numbers.slice(-3)).toEqual([999, undefined, undefined]);
    expect(numberPassage(cited, passage(3))).toBe(4);
  });

  it('are cited by all texts of the run as 1, 2, 3 in the order of first use', () => {
    const cited = noPassages();
    for (const start of [0, 9, 20]) numberPassage(cited, passage(start));
    const shown = (state: typeof cited, text: string) => {
      const { add, end } = showText(state);
      return add(text) + end();
    };
    expect(shown(cited, 'Owls [3].')).toBe('Owls [1].');
    const later = storedAndRead(cited);
    expect(shown(later, 'Apes [2], owls [3] [44].')).toBe('Apes [2], owls [1] \\[44].');
    expect(later).toMatchObject({ text: 'Owls [1].\n\nApes [2], owls [1] \\[44].', unknown: [44] });
    expect(usedPassages(later).map(({ startChar }) => startChar)).toEqual([20, 9]);
    const code = 'I changed args[2] to argv[3], because row[0][1] was empty.\n\n    const a = b[3];';
    expect(shown(later, code)).toBe(code);
  });
});

it('citation filter emits held-back text if the answer breaks off', async () => {
  const cited = noPassages();
  numberPassage(cited, passage(0));
  async function* events() {
    yield { type: 'text' as const, text: 'Owls [1' };
    throw new Error('the model is gone');
  }
  const parts: StreamPart[] = [];
  const read = async () => {
    for await (const part of readModelAnswer(events(), 1, () => showText(cited))) parts.push(part);
  };
  await expect(read()).rejects.toThrow('the model is gone');
  expect(parts.map((part) => ('delta' in part ? part.delta : part.type))).toEqual([
    'text-start',
    'Owls ',
    '[1',
  ]);
});
