import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withTurningWords } from '../../../../lib/research/work/whole-sentence.ts';
import { findAsWritten, findExactQuote } from '../../../../lib/retrieval/cite/locate.ts';
import { PARAPHRASES } from '../../support/rules/paraphrases.ts';

const SOURCE = PARAPHRASES.map(([sentence, ...quotes]) => `${sentence} ${quotes.join(' ')}`).join('\n\n');

const readable = (text: string) => ({ text, runs: [{ start: 0, end: text.length }] });

/** Returns the source's words for a quote. */
function repaired(text: string, quote: string, line?: number): string | undefined {
  const place = findAsWritten(readable(text), quote, line);
  return place && text.slice(place.start, place.end);
}

describe('findExactQuote', () => {
  it('finds every sequence of whole words, at its location', () => {
    const words = [...SOURCE.matchAll(/\S+/g)];
    const stretch = fc.tuple(fc.nat(words.length - 1), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(stretch, ([first, count]) => {
        const start = words[first]?.index ?? 0;
        const last = words[Math.min(words.length, first + count) - 1];
        const quote = SOURCE.slice(start, (last?.index ?? 0) + (last?.[0].length ?? 0));
        fc.pre(/[\p{L}\p{N}]/u.test(quote));
        const line = SOURCE.slice(0, start).split('\n').length;
        const place = findExactQuote(readable(SOURCE), quote, line);
        expect(place && SOURCE.slice(place.start, place.end)).toBe(quote);
        expect(place && SOURCE.slice(0, place.start).split('\n').length).toBe(line);
      }),
    );
  });

  it.each<[string, string]>([
    ['15 % of users', '5 % of users'],
    ['a rise of 1.5', 'a rise of 1'],
    ['costs 1,234 euros', '234 euros'],
    ['a change of -5 points', '5 points'],
    ['unsafe in patients', 'safe in patients'],
    ['he was untreated', 'he was untreat'],
    ['共三百二十人', '二十人'],
    ['nothing at all', ''],
    ['nothing … at all', ' … '],
  ])('does not find in "%s" the quote "%s"', (source, quote) => {
    expect(findExactQuote(readable(source), quote)).toBeUndefined();
    expect(repaired(source, quote)).toBeUndefined();
  });

  it('returns the nearest of several locations, but no location outside the text that was read', () => {
    const text = 'one\nsame words\ntwo\nsame words\nthree\n<!-- hidden words -->';
    expect(findExactQuote(readable(text), 'same words', 4)?.start).toBe(text.lastIndexOf('same'));
    expect(findExactQuote(readable(text), 'same words', 400)?.start).toBe(text.lastIndexOf('same'));
    expect(findExactQuote(readable(text), 'same words')?.start).toBe(4);
    const runs = [{ start: 0, end: text.indexOf('<!--') }];
    expect(findExactQuote({ text, runs }, 'hidden words')).toBeUndefined();
  });
});

describe('findAsWritten', () => {
  it.each<[string, string, string]>([
    ['white space', 'the  quick\n   brown fox', 'quick brown fox'],
    ['a hyphenated word', 'a large exam-\nple of it', 'large example of it'],
    ['a hyphen at the end of a line', 'the state-\nof-the-art way', 'state-of-the-art way'],
    ['quotation marks', 'it is “very” slow, he said', 'it is "very" slow'],
    ['an apostrophe', 'it doesn’t work', "it doesn't work"],
    ['dashes', 'pages 10–20 of it', 'pages 10-20 of it'],
    ['a dash with spaces', 'one thing—another thing', 'one thing - another thing'],
    ['ligatures', 'an eﬃcient ﬁnd', 'an efficient find'],
    ['line breaks in Chinese', '这种方法十\n分有效。', '这种方法十分有效'],
    ['quotation marks around it', 'so it goes on', '“it goes on.”'],
    ['an invisible character', 'zero\u200Bwidth space', 'zerowidth space'],
  ])('gives the letters of the source for another form of %s', (_kind, source, quote) => {
    expect(repaired(source, quote)).toBeDefined();
  });

  it('fills an ellipsis from the source, within one paragraph', () => {
    const source = 'The drug is not, as some say, safe in children.\n\nOther things are cheap.';
    expect(repaired(source, 'The drug is … safe in children')).toBe(
      'The drug is not, as some say, safe in children',
    );
    expect(repaired(source, 'The drug is [...] cheap')).toBeUndefined();
    expect(repaired(source, 'safe in children ... The drug is')).toBeUndefined();
  });

  it('creates no long text from many ellipses', () => {
    const text = Array.from({ length: 150 }, (_, at) => `k${at} ${'owls '.repeat(115)}`).join(' ');
    const quote = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`).join(' … ');
    expect(repaired(text, quote(150))).toBeUndefined();
    expect(repaired(text, quote(5))?.length).toBeLessThan(4000);
  });

  it('reads only the part near the line of a very long text', () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `Line ${at} says “so”.`);
    const text = lines.join('\n');
    expect(repaired(text, 'Line 50000 says "so"', 50_010)).toBe('Line 50000 says “so');
    expect(repaired(text, 'Line 50000 says "so"', 1)).toBeUndefined();
  });

  it('never mistakes another word or digit for the same one', () => {
    const words = [...SOURCE.matchAll(/[A-Za-z]{3,}|\d+|\p{Script=Han}/gu)];
    const other = fc.stringMatching(/^([a-z]{3,9}|[0-9]{1,5}|[\u4e00-\u9fa5])$/);
    fc.assert(
      fc.property(fc.nat(words.length - 1), other, (at, word) => {
        const { 0: own, index } = words[at] ?? { 0: '', index: 0 };
        const [start, end] = [SOURCE.lastIndexOf('\n', index) + 1, SOURCE.indexOf('\n', index)];
        const line = SOURCE.slice(start, end === -1 ? undefined : end);
        const quote = line.slice(0, index - start) + word + line.slice(index - start + own.length);
        fc.pre(!SOURCE.includes(quote));
        expect(repaired(SOURCE, quote)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, string]>([
    ['resign now', 're-sign now'],
    ['about 1 2 of them', 'about 12 of them'],
    ['10² metres', '102 metres'],
    ['the ﬁn of it', 'in of it'],
    ['It is 5 – 7 units', 'It is 57 units'],
  ])('does not treat %s as %s', (source, quote) => {
    expect(repaired(source, quote)).toBeUndefined();
  });
});

describe('withTurningWords', () => {
  it.each<[string, string, string]>([
    ['One. It is false that owls are safe. Two.', 'owls are safe', 'It is false that owls are safe.'],
    [
      'Owls hunt by day, which nobody has\nseen. Two.',
      'Owls hunt by day',
      'Owls hunt by day, which nobody has\nseen.',
    ],
    ['Head\n\nIf fed, owls are safe', 'owls are safe', 'If fed, owls are safe'],
    ['前面。并非所有猫头鹰都安全。后面。', '猫头鹰都安全', '并非所有猫头鹰都安全。'],
    ['It is not so. Owls are safe. Nothing else is.', 'Owls are safe.', 'Owls are safe.'],
    ['In May the owls hunt by day.', 'owls hunt', 'owls hunt'],
    ['Owls are safe. This is not true. Two.', 'Owls are safe.', 'Owls are safe. This is not true.'],
    [
      'One. Owls are safe for cats. However, few believe it.',
      'Owls are safe',
      'Owls are safe for cats. However, few believe it.',
    ],
    [
      'Owls are safe.\nThe claim was retracted in May.',
      'are safe.',
      'are safe.\nThe claim was retracted in May.',
    ],
    ['Owls are safe.\n\nThis is not true.', 'Owls are safe.', 'Owls are safe.'],
    ['Owls are safe. This is well known.', 'Owls are safe.', 'Owls are safe.'],
    [
      'None of the following is true. Owls are safe. Two.',
      'Owls are safe.',
      'None of the following is true. Owls are safe.',
    ],
    ['猫头鹰很安全。但这是谣言。后面。', '猫头鹰很安全。', '猫头鹰很安全。但这是谣言。'],
    ['猫头鹰很安全。它们在夜里捕猎。', '猫头鹰很安全。', '猫头鹰很安全。'],
    [`${'nor this '.repeat(100)}owls hunt`, 'owls hunt', `${'nor this '.repeat(67).slice(4)}owls hunt`],
  ])('extends in "%s" the quote "%s" to %s', (text, quote, whole) => {
    const start = text.indexOf(quote);
    const place = withTurningWords(text, { start, end: start + quote.length }, [
      { start: 0, end: text.length },
    ]);
    expect(text.slice(place.start, place.end)).toBe(whole);
    expect(findExactQuote(readable(text), whole)).toEqual(place);
  });
});
