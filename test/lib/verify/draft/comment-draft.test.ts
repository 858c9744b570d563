import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { commentDraft, readDraft } from '../../../../lib/verify/draft/read-draft.ts';
import { readEntries } from '../../../support/docx-comments.ts';
import { packWordBody } from '../../../support/word-drafts.ts';
import { goldenPath } from '../../formats/samples.ts';

const COMMENT = { start: 0, end: 4, text: 'Supported' };
const PARAGRAPH = '<w:p><w:r><w:t>Owls sleep.</w:t></w:r></w:p>';

const NOT_UTF_8 = Buffer.from(`<w:document xmlns:w="w">${PARAGRAPH}\xff</w:document>`, 'latin1');

describe('commentDraft', () => {
  it('comments on a sentence that consists of 200,000 runs', async () => {
    const bytes = await packWordBody(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(200_000)}</w:p>`);
    expect(await commentDraft(bytes, [{ ...COMMENT, end: 200_000 }])).toBeDefined();
  });

  it('comments at the locations that readDraft returns', async () => {
    const bytes = await readFile(goldenPath('apes.docx'));
    const { sentences } = await readDraft('apes.docx', bytes);
    const commented = await commentDraft(
      bytes,
      sentences.map(({ start, end, text }) => ({ start, end, text: `Found: ${text}` })),
    );
    const comments = (await readEntries(commented)).get('word/comments.xml')?.toString() ?? '';
    for (const { text } of sentences) expect(comments).toContain(`Found: ${text.split('\n')[0]}`);
    expect((await readDraft('apes.docx', commented)).sentences).toEqual(sentences);
  });

  it('does nothing without comments', async () => {
    const bytes = await readFile(goldenPath('apes.docx'));
    expect(Buffer.from(await commentDraft(bytes, [])).equals(bytes)).toBe(true);
  });

  it.each([
    ['an encrypted file', () => readFile(goldenPath('locked.xlsx')), 'file_encrypted'],
    ['an encrypted entry', () => readFile(goldenPath('locked-zip.xlsx')), 'file_encrypted'],
    ['a file that is not a zip', async () => Buffer.from('Owls sleep.'), 'file_damaged'],
    ['a truncated file', async () => (await packWordBody(PARAGRAPH)).subarray(0, -40), 'file_damaged'],
    ['text in a broken encoding', () => packWordBody('', { 'word/document.xml': NOT_UTF_8 }), 'file_damaged'],
    [
      'a decompression bomb',
      () => packWordBody(PARAGRAPH.replace('sleep', ' '.repeat(40_000_000))),
      'file_too_large_to_read',
    ],
  ])('refuses %s', async (_what, make, code) => {
    await expect(commentDraft(await make(), [COMMENT])).rejects.toMatchObject({ code });
  });
});
