import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { html } from '../../../lib/formats/html.ts';
import { mail } from '../../../lib/formats/mail.ts';
import { rtf } from '../../../lib/formats/rtf.ts';
import { text } from '../../../lib/formats/text.ts';
import { encodeAs } from '../../support/samples/encode-as.ts';

describe('declared encodings', () => {
  it('apply to RTF in its default font, even after a reset of the font', async () => {
    const fonts = '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}';
    const source = `{\\rtf1\\ansi\\ansicpg1252\\deff1${fonts}\\'cc\\'e8\\'f0 \\f0\\'e9 \\plain\\'cc\\'e8\\'f0\\par}`;
    expect((await extract(rtf, Buffer.from(source))).source).toBe('Мир é Мир');
  });

  it('apply to a mail that was saved in UTF-16', async () => {
    const bytes = encodeAs('\ufeffSubject: Grüße\r\nContent-Type: text/plain\r\n\r\nNordlicht', 'utf-16le');
    expect((await extract(mail, bytes)).source).toBe('Grüße\n\nNordlicht');
  });

  it('are returned with the text of a page, and show that a guess is uncertain', async () => {
    const page = encodeAs('<meta charset="windows-1251"><p>Урожайность', 'windows-1251');
    const read = await extract(html, page);
    expect(read).toMatchObject({ encoding: 'windows-1251', text: 'Урожайность' });
    expect(read.encodingCertain).toBeUndefined();
    expect(await extract(text, Buffer.of(0xe9, 0xe1))).toMatchObject({ encodingCertain: false });
    expect((await extract(text, Buffer.from('é'))).encoding).toBeUndefined();
  });
});
