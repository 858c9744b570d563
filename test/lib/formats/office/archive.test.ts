import { describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { replaceEntries } from '../../../../lib/formats/office/replace-entries.ts';
import { goldenDocument } from '../samples.ts';
import { decodeAs } from './pack-office.ts';

describe('zip file with extra bytes', () => {
  const whole = goldenDocument('apes.docx');

  it.each([
    ['a line feed after its end', Buffer.concat([whole, Buffer.from('\n')])],
    ['many bytes after its end', Buffer.concat([whole, Buffer.alloc(200_000, 7)])],
    ['the mark of an end after its end', Buffer.concat([whole, Buffer.from('PK\x05\x06')])],
    ['a program before its start', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000), whole])],
    ['bytes on both sides', Buffer.concat([Buffer.from('#!/bin/sh\n'), whole, Buffer.from('\r\n')])],
  ])('is read: %s', async (_what, bytes) => {
    const text = (await decodeAs('apes.docx', whole)).text;
    expect((await decodeAs('apes.docx', bytes)).text).toBe(text);
    const added = await replaceEntries(yauzl, bytes, new Map([['word/new.xml', Buffer.from('new')]]), 'DOCX');
    expect((await decodeAs('apes.docx', added)).text).toBe(text);
  });

  it('is not searched for in a truncated file', async () => {
    const outer = Buffer.concat([whole.subarray(0, 3000), whole]);
    await expect(decodeAs('apes.docx', outer)).rejects.toMatchObject({ reason: 'broken' });
  });
});
