import { describe, expect, it } from '@jest/globals';
import { packZip } from '../../support/samples/zip.ts';
import { decodeAs } from './office/pack-office.ts';

type Item = [href: string, type: string, content: string, fallback?: string];

/** Packs a book with these items in its spine. */
function packBook(items: Item[], others: Item[] = [], metadata = ''): Buffer {
  const manifest = [...items, ...others].map(
    ([href, type, , fallback = '']) =>
      `<item id="${href}" href="${href}" media-type="${type}" fallback="${fallback}"/>`,
  );
  const spine = items.map(([href]) => `<itemref idref="${href}"/>`);
  return packZip({
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': `<package>${metadata}<manifest>${manifest.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    ...Object.fromEntries([...items, ...others].map(([href, , content]) => [href, content])),
  });
}

const XHTML = 'application/xhtml+xml';

describe('book', () => {
  it('has titles in its headers, footnotes, and asides', async () => {
    const page =
      '<html><body><header><h1>Of beryllium</h1></header><p>Found early.</p><aside epub:type="footnote">In 1871.</aside><footer>Ann</footer></body></html>';
    const { text, headings } = await decodeAs('a.epub', packBook([['a.xhtml', XHTML, page]]));
    expect(text).toBe('Of beryllium\nFound early.\nIn 1871.\nAnn');
    expect([...(headings ?? [])]).toEqual([0]);
  });

  it('starts with its title, and separates headings from other lines', async () => {
    const pages = ['One', 'Two'].map(
      (name): Item => [`${name}.xhtml`, XHTML, `<h1>${name}</h1><p>Text.</p>`],
    );
    const book = packBook(pages, [], '<metadata><dc:title>Of  metals</dc:title></metadata>');
    const { text, blocks } = await decodeAs('a.epub', book);
    expect(text).toBe('Of metals\n\nOne\nText.\n\nTwo\nText.');
    expect(blocks).toEqual([
      { at: 0, kind: 'heading', level: 1 },
      { at: 11, kind: 'heading', level: 2 },
      { at: 22, kind: 'heading', level: 2 },
    ]);
  });

  it('has SVG pages, but not their images as text', async () => {
    const book = packBook(
      [
        ['a.jpg', 'image/jpeg', '<a>'.repeat(3000)],
        ['b.svg', 'image/svg+xml', '<svg><style>x</style><text>Drawn words</text></svg>'],
        ['c.pdf', 'application/pdf', 'noise', 'd.xhtml'],
      ],
      [['d.xhtml', XHTML, '<p>Instead of noise</p>']],
    );
    const decoded = await decodeAs('a.epub', book);
    expect(decoded.text).toBe('Drawn words\n\nInstead of noise');
    expect(decoded.left).toEqual([{ kind: 'images', count: 1 }]);
  });

  it('keeps the title of a page that is only an image', async () => {
    const book = packBook([
      ['a.xhtml', XHTML, '<body><img src="a.jpg"/></body>'],
      ['b.xhtml', XHTML, '<body><img src="b.jpg"/></body>'],
      [
        'c.ncx',
        'application/x-dtbncx+xml',
        '<navMap><navPoint><navLabel><text>Plate one</text></navLabel><content src="a.xhtml"/></navPoint></navMap>',
      ],
    ]);
    const { text, headings } = await decodeAs('a.epub', book);
    expect(text).toBe('Plate one');
    expect([...(headings ?? [])]).toEqual([0]);
  });
});
