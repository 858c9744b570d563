import { describe, expect, it } from '@jest/globals';
import { alreadyThere } from '../../../../web/files/uploads/already-there.ts';

describe('alreadyThere', () => {
  it('looks into each folder once, and names what it finds', async () => {
    const asked: string[] = [];
    const lists: Record<string, string[]> = { '': ['a.md'], 'b/c': ['b/c/d.md'] };
    const listed = async (folder: string) => {
      asked.push(folder);
      return (lists[folder] ?? []).map((path) => ({ path }));
    };
    const dropped = ['a.md', 'z.md', 'b/c/d.md', 'b/c/e.md', 'new/f.md'].map((path) => ({ path }));
    expect(await alreadyThere(dropped, listed)).toEqual(['a.md', 'b/c/d.md']);
    expect(asked).toEqual(['', 'b/c', 'new']);
  });
});
