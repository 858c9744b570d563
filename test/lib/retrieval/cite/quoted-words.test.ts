import { describe, expect, it } from '@jest/globals';
import { lineStarts } from '../../../../lib/formats/lines.ts';
import { findQuotedWords, quotationsIn } from '../../../../lib/retrieval/cite/quoted-words.ts';
import { widenToSentence } from '../../../../lib/retrieval/cite/sentences-within.ts';
import { longestSlice, MOST_SLICE_MS } from '../../../support/processes/longest-slice.ts';
import { threadTime } from '../../../support/processes/thread-time.ts';

/** Longer than the text that is read around a passage. */
const FILLER = 'Nothing of interest is on this line of words.\n'.repeat(10_000);

function file(text: string, runs = [{ start: 0, end: text.length }]) {
  return { hash: 'h', text, runs, lines: lineStarts(text), partAt: () => undefined };
}

async function found(text: string, words: string, near = 0): Promise<string | boolean> {
  const place = await findQuotedWords(file(text), words, near);
  return typeof place === 'boolean' ? place : text.slice(place.start, place.end);
}

describe('quotationsIn', () => {
  it.each<[string, string[]]>([
    ['It says “owls sleep by day,” and no more.', ['owls sleep by day']],
    ['It says "owls sleep" and "mice hide".', ['owls sleep', 'mice hide']],
    ['Sie „schlafen am Tag“, heißt es.', ['schlafen am Tag']],
    ['Elles «dorment le jour», dit-on.', ['dorment le jour']],
    ['Elles « dorment le jour ».', ['dorment le jour']],
    ['报告说「猫头鹰白天睡觉」。', ['猫头鹰白天睡觉']],
    ['报告说“猫头鹰”睡觉。', []],
    ['The “owl” sleeps.', []],
    ['Boards of 5" and 6" are sold.', []],
    ['It says “[the] owls … sleep”.', ['… owls … sleep']],
    ['Owls sleep.', []],
    ['It says ‘owls’ nests don’t burn’.', ['owls']],
    ['It says ‘owls can’t sleep’ at night.', ['owls can’t sleep']],
    ["It says 'owls can't sleep', and the dogs' owners don't.", ["owls can't sleep"]],
    ['Sie ‚schlafen am Tag‘, ‹nie nachts›, ›immer hier‹.', ['schlafen am Tag', 'nie nachts', 'immer hier']],
    ['报告说＂猫头鹰白天睡觉＂。', ['猫头鹰白天睡觉']],
    ['报告称其为“欺诈”。', ['欺诈']],
    ['He called it “fraud”.', ['fraud']],
    ['It says “owls “really” can fly”.', ['owls “really” can fly']],
    ['It says “the drug is [not] safe”.', ['the drug is [not] safe']],
    [
      'It says “the drug [which was sold for many years] works”.',
      ['the drug [which was sold for many years] works'],
    ],
  ])('returns the quotations in %j', (sentence, expected) => {
    expect(quotationsIn(sentence)).toEqual(expected);
  });
});

describe('findQuotedWords', () => {
  it.each<[string, string, string, string | boolean]>([
    ['as they are', 'All owls sleep by day.', 'owls sleep by day', 'owls sleep by day'],
    ['across a line break', 'All owls\n  sleep by day.', 'owls sleep by day', 'owls\n  sleep by day'],
    [
      'hyphenated at a line end',
      'Owls are noc-\nturnal birds.',
      'are nocturnal birds',
      'are noc-\nturnal birds',
    ],
    ['with different signs', 'The owl’s nest — a hole.', "the owl's nest—a hole", 'The owl’s nest — a hole'],
    [
      'with an ellipsis',
      'All owls of the wood sleep by day.',
      'All owls … sleep by day',
      'All owls of the wood sleep by day',
    ],
    ['with another first letter', 'It is said that owls sleep.', 'Owls sleep', 'owls sleep'],
    ['between Markdown marks', 'All **owls** sleep *by* day.', 'owls sleep by day', true],
    [
      'but not across the end of a sentence that an ellipsis omits',
      'The committee rejected it. Later the mayor approved the plan.',
      'The committee … approved the plan',
      false,
    ],
    ['but not with a negation in brackets', 'The drug is safe.', 'The drug is [not] safe', false],
    [
      'with other quotation marks inside',
      'All owls "really" can fly.',
      'owls “really” can fly',
      'owls "really" can fly',
    ],
    ['but no different words', 'All owls sleep by night.', 'owls sleep by day', false],
    ['but not in a longer number', 'It was 15 % of owls.', '5 % of owls', false],
    ['in Chinese', '据报告，猫头鹰\n白天睡觉。', '猫头鹰白天睡觉', '猫头鹰\n白天睡觉'],
  ])('finds quoted words %s', async (_, text, words, expected) => {
    expect(await found(text, words)).toBe(expected);
  });

  it('finds nothing in invisible text', async () => {
    const text = 'Owls fly. <!-- owls sleep --> Owls hunt.';
    const runs = [
      { start: 0, end: 10 },
      { start: text.indexOf('Owls hunt'), end: text.length },
    ];
    expect(await findQuotedWords(file(text, runs), 'owls sleep', 0)).toBe(false);
  });

  it('finds the place nearest to the passage', async () => {
    const text = `Owls sleep. ${'x '.repeat(50)}\nOwls sleep.`;
    expect(await findQuotedWords(file(text), 'Owls sleep', text.length - 1)).toMatchObject({
      start: text.lastIndexOf('Owls'),
    });
  });

  it.each([
    ['across a line break', 'All owls\nsleep by day.', 'owls sleep by day', 'object'],
    ['between tags', 'All <b>owls</b> <i>sleep</i> by day.', 'owls sleep by day', 'boolean'],
    ['in Chinese', '猫头鹰\n白天<b>睡</b>觉。', '猫头鹰白天睡觉', 'boolean'],
  ])('finds words far from the passage %s', async (_, text, words, type) => {
    const source = `${FILLER}${text}\n${FILLER}`;
    const runs = [...source.matchAll(/[^<>]+(?=<(?!>)|$)/g)].map(({ 0: run, index }) => {
      return { start: index, end: index + run.length };
    });
    const place = await findQuotedWords(file(source, runs), words, 0);
    expect([typeof place, place !== false]).toEqual([type, true]);
  });

  it('searches a large file without blocking other requests', async () => {
    const source = file(FILLER.repeat(20));
    const look = () => findQuotedWords(source, 'of interest nothing is', 0);
    const started = threadTime(process.pid);
    expect(await look()).toBe(false);
    expect(threadTime(process.pid) - started).toBeLessThan(2000);
    expect(await longestSlice(look)).toBeLessThan(MOST_SLICE_MS);
  });
});

describe('widenToSentence', () => {
  it.each([
    [
      'a sentence',
      'Bears swim. All owls sleep by day, he says. Mice hide.',
      'All owls sleep by day, he says.',
    ],
    ['a sentence over two lines', 'Bears swim. All\nowls sleep by day. Mice', 'All\nowls sleep by day.'],
    ['a paragraph', 'Title\n\nAll owls sleep by day\n\nMore', 'All owls sleep by day'],
    ['a line of a table', `${'a | b\n'.repeat(99)}owls sleep | 5\n${'c | d\n'.repeat(99)}`, 'owls sleep | 5'],
    ['Chinese', '熊会游泳。owls sleep白天。猫', 'owls sleep白天。'],
  ])('returns %s', (_, text, expected) => {
    const start = text.indexOf('owls sleep');
    const { start: from, end } = widenToSentence(file(text), { start, end: start + 10 });
    expect(text.slice(from, end)).toBe(expected);
  });
});
