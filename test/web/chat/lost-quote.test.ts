import { describe, expect, it } from '@jest/globals';
import { citingSentences } from '../../../web/chat/cited-sentence.ts';
import { countLost, hasQuote, markLost, withNow } from '../../../web/chat/lost-quote.ts';
import type { Citation } from '../../../web/chat/message-view.ts';

const PLACE = { path: 'kestrel.md', startLine: 5, endLine: 5, quote: '214 pairs bred.' };

describe('quote of a changed file', () => {
  it('is searched for in the current text', () => {
    expect(hasQuote('In 2021\r\n214  pairs\r\nbred. Well.', PLACE.quote)).toBe(true);
    expect(hasQuote('In 2021, 240 pairs bred.', PLACE.quote)).toBe(false);
    expect(hasQuote('All of the owls hunt.', 'All of the…')).toBe(true);
  });

  const broken = (index: number, quote: string, path = PLACE.path) => ({
    reason: 'changed' as const,
    citation: { ...PLACE, index, path, quote, fileHash: null },
  });

  it('marks the citation in the list, and the sentence that has the quote', () => {
    const claims = [
      { ...PLACE, text: 'They bred.', support: 'unjudged' as const },
      { ...PLACE, text: 'They fed.', quote: 'All fed.', support: 'unjudged' as const },
    ];
    const citations: Citation[] = [
      { ...PLACE, index: 1, claims },
      { ...PLACE, index: 2 },
    ];
    const [first, second] = markLost(citations, [broken(1, 'All fed.'), broken(2, PLACE.quote, 'b.md')]);
    expect(first?.lost).toBeUndefined();
    const sentences = citingSentences('They bred [1]. They fed [1].', first as Citation);
    expect(sentences.map(({ citation: { lost } }) => lost)).toEqual([undefined, 'changed']);
    expect(second).toEqual(citations[1]);
  });

  it('is found in the list by its first words', () => {
    const quote = 'Owls hunt. '.repeat(60);
    const [marked] = markLost([{ ...PLACE, index: 1, quote }], [broken(1, `${quote.slice(0, 399)}…`)]);
    expect(marked?.lost).toBe('changed');
    const [other] = markLost([{ ...PLACE, index: 1, quote }], [broken(1, 'Owls hunt.')]);
    expect(other?.lost).toBeUndefined();
  });

  it('gets its current location, in unchanged text', () => {
    const citations: Citation[] = [1, 2, 3].map((index) => ({ ...PLACE, index }));
    const place = { path: 'birds/kestrel.md', startLine: 5, endLine: 5, fileHash: 'x' };
    const marked = withNow(citations, [{ state: 'holds' }, { state: 'moved', place }]);
    expect(marked).toEqual([citations[0], { ...citations[1], lost: 'moved', now: place }, citations[2]]);
  });

  it('is counted by the state of its file', () => {
    const lost = ['changed', 'updated', undefined, 'moved', 'changed'] as const;
    const citations = lost.map((each, at) => ({ ...PLACE, index: at + 1, lost: each }));
    expect(countLost(citations)).toEqual({ changed: 2, deleted: 0, retracted: 0, moved: 2 });
  });
});
