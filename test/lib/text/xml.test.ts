import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isBoundedXml, MAX_XML_DEPTH, readXmlTree, type XmlElement } from '../../../lib/text/xml.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

/** Returns the tree without empty parts, for comparison. */
function outline({ name, attributes, children, text }: XmlElement): unknown[] {
  const given = [Object.keys(attributes).length > 0 && attributes, text, ...children.map(outline)];
  return [name, ...given.filter((part) => part !== false && part !== '')];
}

function read(source: string): unknown[] | undefined {
  const root = readXmlTree(source);
  return root && outline(root);
}

describe('readXmlTree', () => {
  it.each<[string, string, unknown[]]>([
    ['elements in their order', '<a><b>1</b><c/><b>2</b></a>', ['a', ['b', '1'], ['c'], ['b', '2']]],
    ['attributes', `<a b="1" c='2'><d e="&lt;&quot;"/></a>`, ['a', { b: '1', c: '2' }, ['d', { e: '<"' }]]],
    [
      'a declaration, comments, and space around it',
      '<?xml version="1.0"?>\n<!-- no --><a>1</a>\n',
      ['a', '1'],
    ],
    ['text around elements and comments', '<a>1<b>2</b>3<!-- no -->4</a>', ['a', '134', ['b', '2']]],
    ['numbers as text', '<a>0123456789012345678</a>', ['a', '0123456789012345678']],
    ['names in capitals', '<Xml><toUser>li</toUser></Xml>', ['Xml', ['toUser', 'li']]],
    ['names without their prefix', '<x:a xmlns:x="u"><y:b/></x:a>', ['a', { x: 'u' }, ['b']]],
    ['CDATA unchanged', '<a><![CDATA[ <b>&amp;</b> ]]></a>', ['a', ' <b>&amp;</b> ']],
    ['CDATA whose end mark is split', '<a><![CDATA[1]]]]><![CDATA[>2]]></a>', ['a', '1]]>2']],
    ['the five entities', '<a>&lt;&gt;&amp;&quot;&apos;</a>', ['a', '<>&"\'']],
    ['numeric entities', '<a>&#23383;&#x1F600;&#233;</a>', ['a', '字😀é']],
    ['no entity twice', '<a>&amp;lt;&amp;#60;</a>', ['a', '&lt;&#60;']],
    ['HTML entities unchanged', '<a>&eacute;&nbsp;</a>', ['a', '&eacute;&nbsp;']],
  ])('reads %s', (_name, source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  it.each([
    ['nothing', ''],
    ['text', 'no <'],
    ['JSON', '{"a":1}'],
    ['text before the root', 'no<a/>'],
    ['text after the root', '<a/>no'],
    ['two roots', '<a/><b/>'],
    ['a truncated tag', '<a'],
    ['a truncated element', '<a><b>1</b>'],
    ['truncated CDATA', '<a><![CDATA[1</a>'],
    ['a truncated comment', '<a><!-- 1</a>'],
  ])('rejects %s', (_name, source) => {
    expect(readXmlTree(source)).toBeUndefined();
  });

  it('ignores entities that the document declares', () => {
    const bombs = times(30, (at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`);
    for (const declared of [bombs, '<!ENTITY e30 SYSTEM "file:///etc/passwd">', '<!ENTITY % e30 "x"> %e30;'])
      expect(readXmlTree(`<!DOCTYPE a [<!ENTITY e0 "lol">${declared}]><a>&e30;</a>`)).toBeUndefined();
    expect(read('<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a>&e30;</a>')).toEqual(['a', '&e30;']);
  });

  it('reads at most 500 nested elements', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(readXmlTree(nested(MAX_XML_DEPTH))).toBeDefined();
    expect(readXmlTree(nested(MAX_XML_DEPTH + 1))).toBeUndefined();
  });

  it('keeps names of object properties', () => {
    const root = readXmlTree('<a><__proto__ b="1">x</__proto__><constructor/></a>');
    expect(root && outline(root)).toEqual(['a', ['__proto__', { b: '1' }, 'x'], ['constructor']]);
  });

  it.each<[string, string]>([
    ['100,000 names', `<a>${times(100_000, (at) => `<b${at}/>`)}</a>`],
    ['100,000 elements', `<a>${'<b/>'.repeat(100_000)}</a>`],
    ['6,000 attributes of one element', `<a ${times(6000, (at) => `b${at}="" `)}/>`],
    ['100,000 unmatched end tags', `<a>${'</x>'.repeat(100_000)}</a>`],
  ])('rejects %s', (_name, source) => {
    expect(readXmlTree(source)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['entities', `<a>${'&e9;&amp;'.repeat(200_000)}</a>`],
    ['digits', `<a>&#${'9'.repeat(1_000_000)};</a>`],
    ['levels', '<a>'.repeat(99_000)],
    ['tags in tags', '<a '.repeat(99_000)],
    ['comments', `<a>${'<!--'.repeat(200_000)}`],
    ['CDATA', `<a>${'<![CDATA['.repeat(100_000)}`],
    ['brackets', `<a><![CDATA[${']'.repeat(1_000_000)}`],
    ['a value', `<a b="${'x '.repeat(500_000)}`],
  ])('avoids quadratic time for %s', async (_name, source) => {
    expect(await cpuTimeOf(() => readXmlTree(source))).toBeLessThan(1500);
  });

  it('never throws for any input', () => {
    const piece = fc.constantFrom(
      ...[
        '<a>',
        '</a>',
        '<b',
        '/>',
        '>',
        '<',
        ' c="',
        '"',
        '&',
        '&#x',
        ';',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
      ],
      ...['<!DOCTYPE a [', '<?', '?>', 'x:', '\0', '字'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        readXmlTree(pieces.join(''));
      }),
      { seed: 8 },
    );
  });
});

describe('isBoundedXml', () => {
  it.each([
    ['nothing', ''],
    ['invalid XML', 'a = b < c'],
    ['50,000 elements with one name', times(50_000, () => '<a></a>')],
    ['4,000 names', times(4000, (at) => `<a${at} b="1"/>`)],
    ['a long text', 'x '.repeat(1_000_000)],
    ['an endless name', `<${'a'.repeat(1_000_000)}`],
  ])('accepts %s', (_name, text) => {
    expect(isBoundedXml(text)).toBe(true);
  });

  it.each([
    ['100,001 elements', times(100_001, () => '<a/>')],
    ['100,001 attributes', `<a ${times(100_001, () => 'b="" ')}/>`],
    ['elements with 5,001 names', times(5001, (at) => `<a${at}/>`)],
    ['attributes with 5,001 names', `<a ${times(5001, (at) => `é${at}=""\n`)}/>`],
  ])('rejects %s', (_name, text) => {
    expect(isBoundedXml(text)).toBe(false);
  });
});
