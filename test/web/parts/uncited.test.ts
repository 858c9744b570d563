import { describe, expect, it } from '@jest/globals';
import type { Token } from 'marked';
import { listUncited } from '../../../lib/retrieval/cite/uncited.ts';
import { readBlocks } from '../../../web/parts/markdown/read-blocks.ts';
import { readUncited, type Stretch, signUncited } from '../../../web/parts/markdown/uncited.ts';

/** Returns the visible text, with the marked parts in braces. */
function shown(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'uncited') return `{${token.raw}}`;
      if (token.type === 'uncited-end') return '!';
      const { tokens: within, items, header, rows } = token as never as Record<string, never[]>;
      const children = within ?? items ?? (header && [header, ...(rows as never as never[][])].flat());
      return children ? shown(children) : token.raw;
    })
    .join('');
}

async function marked(answer: string): Promise<string | undefined> {
  const blocks = read(answer, await listUncited(answer));
  return blocks && shown(blocks);
}

function read(text: string, stretches: Stretch[]): Token[] | undefined {
  return readUncited(readBlocks(signUncited(text, stretches)) ?? [], readBlocks(text) ?? []);
}

describe('sentences without a source', () => {
  it.each([
    ['It is old [1]. It has 34 piers. It is long.', 'It is old [1]. {It has 34 piers.}! It is long.'],
    ['- It has **34 piers.**\n- Old.', '{It has }{34 piers.}!Old.'],
    ['1. It has 34 piers', '{It has 34 piers}!'],
    ['It has 34 piers, see https://a.example/34.', '{It has 34 piers, see }{https://a.example/34}{.}!'],
    ['桥有 34 个桥墩。很长。', '{桥有 34 个桥墩。}!很长。'],
    ['It is old.', 'It is old.'],
  ])('are marked if the service lists them: %j', async (answer, expected) => {
    expect(await marked(answer)).toBe(expected);
  });

  it('keep emphasis, lists, and headings unchanged', async () => {
    const answer = '# Piers\n\n- **It has 34 piers.** _It opened in 1893._\n\n> It closed in May 1999.';
    const plain = (text: string) => text.replace(/[{}!]/g, '');
    expect(plain((await marked(answer)) ?? '')).toBe(shown(readBlocks(answer) ?? []));
  });

  it('are not marked by positions outside the text, or in a text that contains the signs', () => {
    expect(signUncited('It has 34.', [{ start: 3, end: 99 }])).toBe('It has 34.');
    expect(signUncited('⸢ 34.', [{ start: 0, end: 5 }])).toBe('⸢ 34.');
    expect(signUncited('One\n\ntwo', [{ start: 0, end: 8 }])).toBe('One\n\ntwo');
  });

  it('are not marked in code or in a URL', () => {
    const text = '```\nIt has 34\n```';
    expect(read(text, [{ start: 4, end: 13 }])).toBeUndefined();
    const link = '[a](https://a.example/34)';
    expect(read(link, [{ start: 4, end: 15 }])).toBeUndefined();
  });
});
