import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { builtExamplePath, builtExampleText } from '../../../infra/example/build.ts';
import { findCitedSentences } from '../../../lib/api-contract/cited-sentences.ts';
import { EXAMPLE_FILES, EXAMPLES } from '../../../lib/example/built.ts';

describe('example workspace', () => {
  // Building it finds each quote in its file, and compares the numbers and names of the sentence with the
  // quote.
  it('is up to date with infra/example (otherwise, run npm run example)', async () => {
    expect(readFileSync(builtExamplePath(), 'utf8')).toBe(await builtExampleText());
  });

  it('has eight papers, four of them PDFs, with notes and a table', () => {
    const paths = EXAMPLE_FILES.map(({ path }) => path);
    expect(paths.filter((path) => /^papers\/20/.test(path))).toHaveLength(8);
    expect(paths.filter((path) => path.endsWith('.pdf'))).toHaveLength(4);
    expect(paths).toEqual(expect.arrayContaining(['data/air-temperature.csv', 'notes/reading-notes.md']));
  });

  it('states in every answer and report that no model was called', () => {
    const said = { en: 'no model was asked', 'zh-CN': '未调用任何模型' };
    for (const language of ['en', 'zh-CN'] as const) {
      const { turns, report } = EXAMPLES[language];
      for (const { answer } of turns) expect(answer).toContain(said[language]);
      expect(JSON.stringify(report.sections.at(-1))).toContain(said[language]);
    }
  });

  it('cites several papers, pages, and both languages in each', () => {
    for (const { turns, report } of Object.values(EXAMPLES)) {
      const cited = [...turns.flatMap(({ citations }) => citations), ...report.evidence];
      expect(cited.length).toBeGreaterThan(20);
      expect(new Set(cited.map(({ path }) => path)).size).toBeGreaterThan(7);
      expect(cited.filter(({ page }) => page === 2).length).toBeGreaterThan(2);
      expect(cited.filter(({ quote }) => /\p{sc=Han}/u.test(quote)).length).toBeGreaterThan(4);
      expect(cited.every(({ verified }) => verified)).toBe(true);
    }
  });

  it('contains the years of its papers, but not their days', () => {
    expect(EXAMPLES.en.report.evidence.map(({ source }) => source.publishedDate)).not.toContain('2021-01-01');
    expect(EXAMPLES.en.report.evidence[0]?.source).toMatchObject({ year: 2021 });
  });

  // Code can't detect that a superlative is missing from the quotes, and no model judged these sentences.
  it("contains no word that isn't in its quotes", () => {
    expect(citedSentences().flatMap(({ text, quotes }) => foreignWords(text, quotes))).toEqual([]);
  });

  it('has no superlative in Chinese, because no quote has one', () => {
    expect(JSON.stringify(EXAMPLES['zh-CN'].report.sections)).not.toMatch(/最/);
    expect(JSON.stringify(EXAMPLES['zh-CN'].turns)).not.toMatch(/最/);
  });
});

/** Returns English sentences with English quotes, in the answers and the report. */
function citedSentences(): { text: string; quotes: string[] }[] {
  const { turns, report } = EXAMPLES.en;
  const quoteOf = new Map(report.evidence.map(({ id, quote }) => [id, quote]));
  const answered = turns.flatMap(({ answer, citations }) =>
    findCitedSentences(answer).map(({ claim, numbers }) => ({
      text: claim,
      quotes: citations.filter(({ index }) => numbers.includes(index)).map(({ quote }) => quote),
    })),
  );
  const written = report.sections.flatMap(({ paragraphs }) =>
    paragraphs
      .flat()
      .map(({ text, evidence }) => ({ text, quotes: evidence.map((id) => quoteOf.get(id) ?? '') })),
  );
  return [...answered, ...written].filter(
    ({ quotes }) => quotes.length > 0 && !quotes.some((quote) => /\p{sc=Han}|^2021-/u.test(quote)),
  );
}

/** Labels of the list, and a verb that makes "we expect" impersonal. */
const KNOWN = new Set(['school', 'mist', 'expected', 'that', 'the']);

function foreignWords(text: string, quotes: string[]): string[] {
  const said = new Set(wordsOf(quotes.join(' ')));
  return wordsOf(text).filter((word) => word.length > 3 && !said.has(word) && !KNOWN.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
