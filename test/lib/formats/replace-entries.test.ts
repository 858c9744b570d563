import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { replaceEntries } from '../../../lib/formats/office/replace-entries.ts';
import { readEntries } from '../../support/docx-comments.ts';

const NAMES = ['first.xml', 'döc.xml', 'picture.bin'];

function contentOf(name: string): Buffer {
  return Buffer.from(`${name} `.repeat(300));
}

interface Kind {
  isStreamed?: boolean;
  forceZip64Format?: boolean;
  compress?: boolean;
}

function pack({ isStreamed, forceZip64Format = false, compress = true }: Kind): Promise<Buffer> {
  const zip = new ZipFile();
  for (const name of NAMES) {
    const options = { compress, forceZip64Format, mtime: new Date(2020, 5, 6), fileComment: `about ${name}` };
    if (isStreamed) zip.addReadStream(Readable.from([contentOf(name)]), name, options);
    else zip.addBuffer(contentOf(name), name, options);
  }
  zip.end({ comment: 'About all.', forceZip64Format });
  return buffer(zip.outputStream);
}

async function listed(bytes: Uint8Array) {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries = await Array.fromAsync(zip.eachEntry());
  return { comment: zip.comment, entries };
}

describe('replaceEntries', () => {
  it.each<[string, Kind]>([
    ['a plain file', {}],
    ['a file with sizes after the data', { isStreamed: true }],
    ['a zip64 file', { forceZip64Format: true }],
    ['a streamed zip64 file', { isStreamed: true, forceZip64Format: true }],
    ['an uncompressed file', { compress: false }],
  ])('replaces and adds entries of %s', async (_what, kind) => {
    const before = await pack(kind);
    const changes = new Map([
      ['döc.xml', Buffer.from('new')],
      ['added.xml', Buffer.from('added')],
    ]);
    const after = await replaceEntries(yauzl, before, changes, 'zip');
    expect([...(await readEntries(after))].map(([name, content]) => [name, content.toString()])).toEqual([
      ['first.xml', contentOf('first.xml').toString()],
      ['döc.xml', 'new'],
      ['picture.bin', contentOf('picture.bin').toString()],
      ['added.xml', 'added'],
    ]);
    const [old, now] = [await listed(before), await listed(after)];
    expect(now.comment).toBe('About all.');
    for (const [index, entry] of old.entries.entries()) {
      const { fileName, fileComment, lastModFileDate, lastModFileTime, externalFileAttributes } = entry;
      expect(now.entries[index]).toMatchObject({
        fileName,
        lastModFileDate,
        lastModFileTime,
        externalFileAttributes,
      });
      if (fileName !== 'döc.xml') expect(now.entries[index]?.fileComment).toBe(fileComment);
    }
    const [first, second] = old.entries.map((entry) => entry.relativeOffsetOfLocalHeader);
    expect(Buffer.from(after).subarray(0, second).equals(before.subarray(first, second))).toBe(true);
  });

  it('keeps a file unchanged without changes', async () => {
    const before = await pack({});
    expect(Buffer.from(await replaceEntries(yauzl, before, new Map(), 'zip')).equals(before)).toBe(true);
  });

  it('keeps one of two entries with the same name', async () => {
    const zip = new ZipFile();
    for (const text of ['one', 'two']) zip.addBuffer(Buffer.from(text), 'a.xml');
    zip.end();
    const after = await replaceEntries(
      yauzl,
      await buffer(zip.outputStream),
      new Map([['a.xml', Buffer.from('new')]]),
      'zip',
    );
    expect([...(await readEntries(after)).values()].map(String)).toEqual(['new']);
  });

  it("rejects a file that isn't a zip", async () => {
    await expect(replaceEntries(yauzl, Buffer.from('none'), new Map(), 'DOCX')).rejects.toMatchObject({
      code: 'file_damaged',
    });
  });
});
