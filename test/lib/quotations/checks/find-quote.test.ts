import { describe, expect, it } from '@jest/globals';
import { lineStarts } from '../../../../lib/formats/lines.ts';
import { findAsQuoted, findWholeQuotes, placeOf } from '../../../../lib/quotations/checks/find-quote.ts';
import { findRuns } from '../../../../lib/quotations/checks/find-runs.ts';
import type { Quote } from '../../../../lib/quotations/records/schema.ts';
import type { QuotableFile } from '../../../../lib/retrieval/cite/sources.ts';

function fileOf(text: string, hash = 'now'): QuotableFile {
  const runs = [{ start: 0, end: text.length }];
  return { text, hash, lines: lineStarts(text), runs, partAt: () => undefined };
}

async function lineOf(quote: string, text: string): Promise<number | undefined> {
  const file = fileOf(text);
  const [run] = (await findWholeQuotes(file, [quote])) ?? [];
  return run && placeOf(file, run).startLine;
}

describe('findWholeQuotes', () => {
  it.each([
    ['12 owls live here.', '112 owls live here.'],
    ['5 mg per day is safe.', '1.5 mg per day is safe.'],
    ['5 degrees were measured', 'At night, -5 degrees were measured'],
    ['Dose: 5', 'Dose: 50'],
    ['Dose: 5', 'Dose: 5.5'],
    ['| Berlin | 3', '| Berlin | 31 |'],
    ['able to fly in winter', 'Owls are unable to fly in winter'],
    ['able to fly in winter', 'Owls are not able to fly in winter'],
    ['会导致癌症。', '不会导致癌症。'],
    ['五人死亡。', '十五人死亡。'],
    ['a flow of 10\u00B2 liters', 'It has a flow of 102 liters'],
    ['The resume ended', 'The résumé ended'],
    ['мой дом там', 'мои дом там'],
  ])('does not find %j in %j', async (quote, text) => {
    expect(await lineOf(quote, text)).toBeUndefined();
  });

  it.each([
    ['12 owls live here.', '112 owls live here.\n\n12 owls live here.', 3],
    ['Owls hunt', 'All owls: Owls\nhunt', 1],
    ['Dose: 5', 'Dose: 5.', 1],
    ['会导致癌症。', '研究表明会导致癌症。', 1],
    ['"Owls" hunt', 'Say:"Owls" hunt', 1],
    ['The café opened', 'The cafe\u0301 opened.', 1],
    ['The cafe\u0301 opened', 'The café opened.', 1],
    ['financial efficiency', 'Its ﬁnancial eﬃciency', 1],
    ['an encyclopedia of owls', 'It is an encyclo-\n  pedia of owls.', 1],
    ['a well-known owl', 'It is a well-\nknown owl.', 1],
    ['\u201cOwls\u201d don\u2019t \u2014 hunt', '\n"Owls" don\'t --\nhunt', 2],
    ['ＡＢＣ 123', 'ABC １２３', 1],
    ['한글 문서', '한글 문서'.normalize('NFD'), 1],
  ])('finds %j in %j', async (quote, text, line) => {
    expect(await lineOf(quote, text)).toBe(line);
  });

  it('finds the stored beginning of a long quote, which may end within a word', async () => {
    const long = 'Owls hunt at night. '.repeat(40);
    expect(await lineOf(long.slice(0, 400), long)).toBe(1);
    expect(await lineOf(long.slice(0, 397), long.replace('Owls', 'howls'))).toBeUndefined();
  });
});

it.each([
  ['zeros', '0 '.repeat(200_000), `${'0 '.repeat(199)}1`],
  ['a difference in the middle', '0 '.repeat(200_000), `${'0 '.repeat(100)}1 ${'0 '.repeat(98)}0`],
  ['equal rows', '1;2;3;4\n'.repeat(50_000), `${'1;2;3;4 '.repeat(40)}1;2;3;5`],
])('findWholeQuotes searches for a nearly matching quote in a few passes over %s', async (_, text, quote) => {
  const file = fileOf(text);
  const cpuOf = async (work: () => unknown) => {
    const before = process.threadCpuUsage();
    await work();
    return process.threadCpuUsage(before).user;
  };
  const one = () => text.replaceAll(/\s+/g, ' ').includes('never there');
  one();
  const pass = await cpuOf(one);
  const wanted = [{ quote, expected: 0, isKeptShort: false, mayBeCut: 'no' as const }];
  const search = await cpuOf(() => findRuns(file, wanted));
  expect(search).toBeLessThan(40 * pass + 50_000);
});

describe('findAsQuoted', () => {
  const quoted = { quote: 'wls hunt', startLine: 1, fileHash: 'old', isCut: false } as Quote;

  const find = async (file: QuotableFile, quote: Quote) => (await findAsQuoted(file, [quote]))?.[0];

  it('finds a selection that starts within a word, even in later versions', async () => {
    expect(await find(fileOf('Owls hunt', 'old'), quoted)).toMatchObject({ isCut: true });
    expect(await find(fileOf('Owls hunt'), { ...quoted, isCut: true })).toBeDefined();
    expect(await find(fileOf('Owls hunt'), { ...quoted, fileHash: null })).toBeDefined();
  });

  it('does not find a whole-word selection within words of another version', async () => {
    expect(await find(fileOf('Owls hunt'), quoted)).toBeUndefined();
    expect(await find(fileOf('wls hunt', 'old'), quoted)).toMatchObject({ isCut: false });
  });
});
