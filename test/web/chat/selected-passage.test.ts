import { describe, expect, it } from '@jest/globals';
import { readNote } from '../../../lib/api-contract/note-sources.ts';
import { noteOfPassage, quoteForChat } from '../../../web/chat/selected-passage.ts';

const text = 'Owls hunt\nat night.';

describe('selected passage', () => {
  it.each([
    [{ lines: [3, 4] as [number, number] }, { startLine: 3, endLine: 4 }],
    [{ page: 7 }, { place: { kind: 'page', at: '7' } }],
  ])('is stored with a source that can be opened: %j', (place, expected) => {
    const { title, content } = noteOfPassage({ path: 'a.pdf', text, ...place });
    expect(title).toBe('Owls hunt at night.');
    const note = readNote(content);
    expect(note.text).toBe('> Owls hunt\n> at night.\n\n[1]');
    expect(note.citations).toMatchObject([{ index: 1, path: 'a.pdf', quote: text, ...expected }]);
  });

  it('is stored with only the name of its file if its location is unknown', () => {
    expect(noteOfPassage({ path: 'a.ipynb', text: 'Owls' }).content).toBe('> Owls\n\na.ipynb');
  });

  it('has a short title', () => {
    expect(noteOfPassage({ path: 'a.md', text: 'owl '.repeat(100) }).title).toHaveLength(80);
  });

  it('is quoted with its location', () => {
    expect(quoteForChat({ path: 'a.md', text, lines: [3, 4] })).toBe(
      '> Owls hunt\n> at night.\n> (a.md, lines 3-4)\n\n',
    );
    expect(quoteForChat({ path: 'a.csv', text: 'Owls' })).toBe('> Owls\n> (a.csv)\n\n');
  });
});
