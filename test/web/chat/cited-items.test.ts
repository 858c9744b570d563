import { expect, it } from '@jest/globals';
import { sourcesByNumber, withOwnKeys } from '../../../web/chat/cited-items.ts';
import type { Citation } from '../../../web/chat/message-view.ts';

const item = (id: string) => ({ id, type: 'document' as const, title: id });

it('documents of several workspaces have different keys', () => {
  const all = ['constructor', 'a', 'constructor', 'constructor'].map((id, at) => ({
    ...{ workspaceId: `w${at}`, path: 'a.md', item: item(id) },
  }));
  const keys = withOwnKeys(all).map(({ item: { id } }) => id);
  expect(keys).toEqual(['constructor', 'a', 'constructor-2', 'constructor-3']);
});

it('numbers cite documents with the page of the quote, and nothing if the document is unknown', () => {
  const citation = (index: number, path: string, at?: string): Citation => ({
    ...{ index, path, startLine: 1, endLine: 1, quote: 'x' },
    ...(at !== undefined && { place: { kind: 'page', at } }),
  });
  const citations = [citation(1, 'a.pdf', '3'), citation(2, 'b.md'), citation(3, 'c.md')];
  const items = ['a.pdf', 'b.md'].map((path) => ({ workspaceId: 'w', path, item: item(`key-${path}`) }));
  expect([...sourcesByNumber('w', citations, items)]).toEqual([
    [1, { key: 'key-a.pdf', page: '3' }],
    [2, { key: 'key-b.md', page: undefined }],
  ]);
});
