import { describe, expect, it } from '@jest/globals';
import { decodeAs } from './office/pack-office.ts';

const decode = async (body: string) =>
  (await decodeAs('a.rtf', `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}${body}}`)).text;

describe('RTF document', () => {
  it.each([
    [
      'within a group hides nothing',
      '{\\f0\\fs24\\*\\cs7\\cf0 The quick fox}\\par After.',
      'The quick fox\n\nAfter.',
    ],
    ['hides an unknown group', 'One {\\*\\xyz hidden {deep}}two', 'One two'],
    ['hides a group after the end of another one', '{\\b One}{\\*\\xyz hidden} two', 'One two'],
  ])('whose \\* %s', async (_what, body, text) => {
    expect(await decode(body)).toBe(text);
  });

  it('has text boxes before the paragraph that contains them, in both formats', async () => {
    const shape =
      '{\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt {\\pard Box one.\\par}{\\pard Box two.\\par}}}}';
    const old = '{\\*\\do\\dobxpage{\\dptxbxtext\\pard Old box.\\par}\\dpx0}';
    expect(await decode(`Body ${shape}${old}text.\\par After.`)).toBe(
      'Box one.\n\nBox two.\n\nOld box.\n\nBody text.\n\nAfter.',
    );
  });

  it('has comments and notes after their paragraphs', async () => {
    const comment =
      '{\\*\\atnid AO}{\\*\\atnauthor Ann}\\chatn{\\*\\annotation{\\*\\atndate 7}{\\pard Is that so?\\par}}';
    expect(await decode(`One${comment}{\\footnote {\\pard By hand.\\par}} two.\\par Three.`)).toBe(
      'One two.\n\nComment: Is that so?\n\nNote: By hand.\n\nThree.',
    );
  });

  it('has headers and footers once, before the text and without page numbers', async () => {
    const number = '{\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}';
    const body = `{\\header Contract 4711\\par Page ${number}\\par}{\\headerf Contract 4711\\par}{\\footerr Draft\\par}Body.\\par`;
    expect(await decode(body)).toBe('Header: Contract 4711\n\nFooter: Draft\n\nBody.');
  });

  it('has the Unicode version of a text with two versions', async () => {
    expect(await decode('A {\\upr{plain {x}}{\\*\\ud{K\\u246?ln {y}}}} end')).toBe('A Köln y end');
  });

  it('has the cells of a table whose row does not end', async () => {
    expect(await decode('\\trowd\\intbl one\\cell two\\cell\\pard After\\par')).toBe('one | two\n\nAfter');
    expect(await decode('\\trowd\\intbl one\\cell two')).toBe('one | two');
  });

  it('counts images once, and embedded objects', async () => {
    const body =
      'x{\\*\\shppict{\\pict 00}}{\\nonshppict{\\pict 00}}{\\pict 00}{\\object{\\*\\objdata 00}{\\result{\\pict 00}}}';
    expect((await decodeAs('a.rtf', `{\\rtf1 ${body}}`)).left).toEqual([
      { kind: 'images', count: 2 },
      { kind: 'embedded_objects', count: 1 },
    ]);
  });
});
