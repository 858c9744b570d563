import { describe, expect, it } from '@jest/globals';
import { decodeAs } from './office/pack-office.ts';

const part = (head: string, body: string) => `--x\n${head}\n\n${body}\n`;
const multipart = (kind: string, parts: string[]) =>
  `Subject: Outer\nContent-Type: multipart/${kind}; boundary="x"\n\n${parts.join('')}--x--\n`;
const plain = (text: string) => part('Content-Type: text/plain', text);
const decode = (mail: string | Uint8Array) => decodeAs('a.eml', mail);

const encoded = (charset: string, body: Uint8Array) =>
  Buffer.concat([
    Buffer.from(
      `Subject: Outer\nMIME-Version: 1.0\nContent-Type: text/plain;\n charset="${charset}"\nContent-Transfer-Encoding: base64\n\n`,
    ),
    Buffer.from(Buffer.from(body).toString('base64')),
  ]);
const CYRILLIC = 'Договор подписан в понедельник, оплата до пятницы.';

describe('mail', () => {
  it.each([
    ['us-ascii', 'UTF-8', Buffer.from('Café 東京 – 12 €')],
    ['unknown-8bit', 'UTF-8', Buffer.from('Café 東京 – 12 €')],
    ['ASCII', 'ASCII', Buffer.from('Coffee')],
    ['utf-8', 'UTF-8', Buffer.from('Its own \uf7e9')],
    ['iso-8859-1', 'latin1', Buffer.from('Caf\xe9 Ã©', 'latin1')],
    ['x-gbk', 'GBK', Uint8Array.of(0xb6, 0xab, 0xbe, 0xa9)],
    ['no-such-charset', 'KOI8-R', Uint8Array.from(CYRILLIC, koi8)],
  ])('declared as %s is read as %s, its real encoding', async (charset, encoding, body) => {
    const { text } = await decode(encoded(charset, body));
    const name = encoding === 'ASCII' ? 'utf-8' : encoding;
    expect(text).toBe(`Outer\n\n${new TextDecoder(name).decode(body)}`);
  });

  it("has each of its texts in that text's own encoding", async () => {
    const own = (charset: string) => `Content-Type: text/plain; charset=${charset}`;
    const mail = multipart('mixed', [part(own('us-ascii'), 'Café.'), part(own('utf-8'), '東京.')]);
    expect((await decode(mail)).text).toMatch(/Café\.\s+東京\./);
  });

  it.each([
    ['forwarded', 'Content-Type: message/rfc822'],
    ['attached', 'Content-Type: message/rfc822\nContent-Disposition: attachment; filename="c.eml"'],
    [
      'attached as a file',
      'Content-Type: application/octet-stream; name="c.eml"\nContent-Disposition: attachment',
    ],
  ])('contains a mail that is %s, with its own subject as a heading', async (_how, head) => {
    const inner = 'Subject: Inner\nFrom: c@example.org\n\nThe penalty is 12 percent.';
    const { text, headings = [] } = await decode(
      multipart('mixed', [plain('See below.'), part(head, inner)]),
    );
    expect(text).toMatch(
      /^Outer\n\nSee below\.\n\n[\s\S]*Inner\nFrom: c@example\.org\n\nThe penalty is 12 percent\.$/,
    );
    expect([...headings]).toEqual([0, text.indexOf('Inner')]);
  });

  it('contains attached text, invitations, and delivery reports, and counts other attachments', async () => {
    const attached = 'Content-Disposition: attachment; filename=';
    const calendar =
      'BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:X\nEND:VTIMEZONE\nBEGIN:VEVENT\nSUMMARY:Budget\\, day\n  two\nLOCATION:Room 7\nEND:VEVENT\nEND:VCALENDAR';
    const decoded = await decode(
      multipart('mixed', [
        plain('Hello.'),
        part(`Content-Type: text/csv\n${attached}"a.csv"`, 'ape,seen'),
        part(`Content-Type: application/octet-stream\n${attached}"b.txt"`, 'Pay soon.'),
        part(`Content-Type: text/html\n${attached}"c.html"`, '<p>Net <b>30</b></p>'),
        part('Content-Type: text/calendar', calendar),
        part('Content-Type: message/delivery-status', 'Final-Recipient: rfc822; b@example.org'),
        part(`Content-Type: application/pdf\n${attached}"d.pdf"`, '%PDF-1.4'),
        part('Content-Type: image/png\nContent-ID: <i>', 'png'),
      ]),
    );
    for (const words of [
      'ape,seen',
      'Pay soon.',
      'Net 30',
      'SUMMARY:Budget, day two',
      'LOCATION:Room 7',
      'b@example.org',
    ])
      expect(decoded.text).toContain(words);
    expect(decoded.text).not.toContain('TZID');
    expect(decoded.text).toContain('Attachments: a.csv, b.txt, c.html, d.pdf');
    expect(decoded.left).toEqual([
      { kind: 'attachments', count: 1 },
      { kind: 'images', count: 1 },
    ]);
  });

  it('contains its HTML only if it differs from the plain text', async () => {
    const both = (text: string, html: string) =>
      decode(multipart('alternative', [plain(text), part('Content-Type: text/html', html)]));
    const stub = await both(
      'Please view this message in an HTML program.',
      '<p>The zirkonium budget is 4711 euro.</p>',
    );
    expect(stub.text).toContain('The zirkonium budget is 4711 euro.');
    const same = await both(
      'The budget is 4711 euro.',
      '<p>The <b>budget</b> is 4711 euro.</p><p>Sent by hand</p>',
    );
    expect(same.text).toBe('Outer\n\nThe budget is 4711 euro.');
  });

  it('may be in UTF-16 with a byte order mark', async () => {
    const bytes = Buffer.from('\ufeffSubject: Größe\n\nÄpfel.', 'utf16le');
    expect((await decode(bytes)).text).toBe('Größe\n\nÄpfel.');
  });

  it('is not read at unlimited depth', async () => {
    const nest = (depth: number): string =>
      depth === 0
        ? 'Subject: last\n\nend'
        : `Subject: s${depth}\nContent-Type: message/rfc822\n\n${nest(depth - 1)}`;
    const decoded = await decode(nest(40));
    expect(decoded.text).toMatch(/^s40\n/);
    expect(decoded.text).not.toContain('last');
    expect(decoded.left).toEqual([{ kind: 'attachments', count: 1 }]);
  });

  it.each([
    ['a mail that is damaged', part('Content-Type: message/rfc822', 'no mail')],
    [
      'a page that is nested too deeply',
      part('Content-Type: text/html\nContent-Disposition: attachment', '<div>'.repeat(3000)),
    ],
  ])('is read without an attachment that is %s', async (_what, attached) => {
    const decoded = await decode(multipart('mixed', [plain('Hello.'), attached]));
    expect(decoded.text).toBe('Outer\n\nHello.');
    expect(decoded.left).toEqual([{ kind: 'attachments', count: 1 }]);
  });
});

function koi8(letter: string): number {
  const decoder = new TextDecoder('koi8-r');
  return Array.from({ length: 256 }, (_, byte) => byte).find(
    (byte) => decoder.decode(Uint8Array.of(byte)) === letter,
  ) as number;
}
