import { describe, expect, it } from '@jest/globals';
import {
  type Attachment,
  MAX_FILES,
  readFilePart,
  refusalOf,
  workspaceAddress,
} from '../../../web/chat/attachments.ts';

const HASH = 'a'.repeat(64);

function attached(size: number, fields: Partial<Attachment> = {}): Attachment {
  return { key: String(size), name: 'a', mediaType: '', size, file: {} as File, ...fields };
}

describe('refusalOf', () => {
  it.each([
    ['a text', [], { size: 10, type: 'text/plain' }, undefined],
    ['an empty file', [], { size: 0, type: '' }, 'empty'],
    ['a supported image', [], { size: 3_900_000, type: 'image/png' }, undefined],
    ['a large image', [], { size: 3_900_001, type: 'image/png' }, 'pictureTooLarge'],
    ['a file of that size', [], { size: 3_900_001, type: 'application/pdf' }, undefined],
    ['a file that is too large for a request', [], { size: 7_000_001, type: 'application/pdf' }, 'tooLarge'],
    [
      'files that are too large together',
      [attached(4_000_000)],
      { size: 3_500_000, type: '' },
      'allTooLarge',
    ],
    [
      'a file next to one of the workspace',
      [{ key: 'x', name: 'b', mediaType: '', size: 9_000_000 }],
      { size: 1, type: '' },
      undefined,
    ],
    [
      'one file too many',
      Array.from({ length: MAX_FILES }, () => attached(1)),
      { size: 1, type: '' },
      'tooMany',
    ],
  ])('classifies %s', (_, before, file, why) => {
    expect(refusalOf(before, file)).toBe(why);
  });
});

describe('file part', () => {
  it.each([
    [{ url: `/api/conversations/c/attachments/${HASH}`, filename: 'a.png', mediaType: 'image/png' }, 'kept'],
    [{ url: 'data:image/png;base64,AAAA', filename: 'a.png' }, 'sent'],
    [{ url: workspaceAddress('papers/100% owls.pdf') }, 'workspace'],
  ])('is shown if the API serves it: %j', (fields, from) => {
    expect(readFilePart({ type: 'file', ...fields })).toMatchObject({ from });
  });

  it('has the name of its file by default', () => {
    expect(readFilePart({ type: 'file', url: workspaceAddress('papers/100% owls.pdf') })?.name).toBe(
      '100% owls.pdf',
    );
    expect(readFilePart({ type: 'file', url: 'workspace:%zz' })?.name).toBe('%zz');
  });

  it.each([
    'https://away.example/a.png',
    '//away.example/a.png',
    `https://away.example/api/conversations/c/attachments/${HASH}`,
    `/api/conversations/c/attachments/${HASH}/../x`,
    `/api/conversations/../tokens/attachments/${HASH}?x`,
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'blob:x',
    '',
    7,
  ])('is not shown if it leads elsewhere: %s', (url) => {
    expect(readFilePart({ type: 'file', url, mediaType: 'image/png', filename: 'x' })).toBeUndefined();
  });
});
