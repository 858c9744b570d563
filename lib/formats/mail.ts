import type { Address, Email } from 'postal-mime';
import { Unreadable } from '../errors.ts';
import { decodeText } from './decode.ts';
import type { Decoded, Format } from './format.ts';
import { pageText } from './html-page.ts';
import { textLimit } from './text-limit.ts';

export const mail: Format<'mail', 'encoded'> = {
  name: 'mail',
  version: 5,
  title: 'e-mail',
  extensions: ['eml'],
  mediaType: 'message/rfc822',
  content: 'encoded',
  unit: 'line',
};

/** A page that a browser saved with all it shows: a mail whose body is the page. */
export const mhtml: Format<'mhtml', 'encoded'> = {
  name: 'mhtml',
  version: 5,
  title: 'MHTML',
  extensions: ['mht', 'mhtml'],
  mediaType: 'message/rfc822',
  content: 'encoded',
  unit: 'line',
};

type Engine = typeof import('postal-mime');

const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 };

export async function decodeMail(engine: Engine, bytes: Uint8Array): Promise<Decoded> {
  const message = await parse(engine, bytes, mail.title);
  const subject = message.subject?.trim() ?? '';
  const body = bodyOf(message);
  const head = [subject, headOf(message)].filter((line) => line !== '').join('\n');
  const text = [head, body.text, attachmentsOf(message)].filter((part) => part !== '').join('\n\n');
  textLimit(mail.title)(text);
  const bodyStart = head === '' ? 0 : head.length + 2;
  const headings = new Set([...body.headings].map((at) => at + bodyStart));
  if (subject !== '') headings.add(0);
  return { text, partStarts: [], headings };
}

export async function decodeMhtml(engine: Engine, bytes: Uint8Array): Promise<Decoded> {
  const { html, text = '' } = await parse(engine, bytes, mhtml.title);
  const page = html === undefined ? { text, headings: new Set<number>() } : pageText(html);
  textLimit(mhtml.title)(page.text);
  return { ...page, partStarts: [] };
}

/** A lenient reader takes any bytes for a mail: without a mail's header it is none. */
async function parse(engine: Engine, bytes: Uint8Array, title: string): Promise<Email> {
  const message = await engine.default.parse(asBytes(bytes), LIMITS).catch((error: unknown) => error);
  if (message instanceof Error || !isMessage(message as Email))
    throw new Unreadable('broken', `The ${title} file can't be read.`, { cause: message });
  return message as Email;
}

/** A mail that was saved as text may be in UTF-16 as a whole. */
function asBytes(bytes: Uint8Array): Uint8Array {
  const decoded = bytes.subarray(0, 1024).includes(0) ? decodeText(bytes) : undefined;
  return decoded === undefined ? bytes : Buffer.from(decoded.replace(/^\ufeff/, ''));
}

const KNOWN = new Set('from to date subject received mime-version content-type message-id'.split(' '));

function isMessage({ headers }: Email): boolean {
  return headers.some(({ key }) => KNOWN.has(key));
}

function headOf({ from, to = [], cc = [], date }: Email): string {
  const lines: [string, string][] = [
    ['From', from === undefined ? '' : addressText(from)],
    ['To', to.map(addressText).join(', ')],
    ['Cc', cc.map(addressText).join(', ')],
    ['Date', date ?? ''],
  ];
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function addressText({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')}`;
  return name === '' ? address : `${name} <${address}>`;
}

/** Most mails say the same twice: as text and as HTML. */
function bodyOf({ text = '', html }: Email): { text: string; headings: Set<number> } {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  return plain === '' && html !== undefined ? pageText(html) : { text: plain, headings: new Set() };
}

function attachmentsOf({ attachments }: Email): string {
  const names = attachments.map(({ filename }) => filename).filter((name) => name !== null);
  return names.length === 0 ? '' : `Attachments: ${names.join(', ')}`;
}
