import type { Address, Attachment, Email } from 'postal-mime';
import { Unreadable } from '../errors.ts';
import { formatOf } from './all-formats.ts';
import { decodeText } from './decode.ts';
import { encodingNamed } from './decode-as.ts';
import type { Decoded } from './format.ts';
import { pageText } from './html-page.ts';
import { chainTexts, type TextPart } from './join-parts.ts';
import { leftOf } from './left.ts';
import { mail, mhtml } from './mail.ts';
import { type StatedFacts, statedFacts } from './stated-facts.ts';
import { textLimit } from './text-limit.ts';

type Engine = typeof import('postal-mime');

/** Nested emails are read here, each with its own header. */
const OPTIONS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, forceRfc822Attachments: true };
const MAX_MAILS_WITHIN = 10;
/** The maximum number of emails in one file, at any depth. */
const MAX_MAILS = 500;

/** The state while an email and its nested emails are read. */
interface MailReading {
  engine: Engine;
  count(text: string): void;
  depth: number;
  total: { mails: number; attachments: number; images: number };
}

/** Separate from the formats, which are in every bundle that looks formats up. */
export async function decodeMail(engine: Engine, bytes: Uint8Array): Promise<Decoded> {
  const total = { mails: 0, attachments: 0, images: 0 };
  const reading = { engine, count: textLimit(mail.title), depth: 0, total };
  const { text, headings, facts } = await readMail(reading, bytes);
  const { attachments, images } = total;
  return { text, partStarts: [], headings: new Set(headings), left: leftOf({ attachments, images }), facts };
}

export async function decodeMhtml(engine: Engine, bytes: Uint8Array): Promise<Decoded> {
  const { html, text = '' } = await parse(engine, bytes, mhtml.title);
  const page = html === undefined ? { text, headings: new Set<number>() } : pageText(html, false);
  textLimit(mhtml.title)(page.text);
  return { ...page, partStarts: [] };
}

async function readMail(reading: MailReading, bytes: Uint8Array): Promise<TextPart & { facts: StatedFacts }> {
  const message = await parse(reading.engine, bytes, mail.title);
  reading.total.mails++;
  const subject = message.subject?.trim() ?? '';
  const head = [subject, headOf(message)].filter((line) => line !== '').join('\n');
  const names = message.attachments.flatMap(({ filename }) => filename ?? []);
  const parts: TextPart[] = [
    { text: head, headings: new Set(subject === '' ? [] : [0]) },
    ...bodyOf(message),
    { text: names.length === 0 ? '' : `Attachments: ${names.join(', ')}` },
  ];
  for (const { text } of parts) reading.count(text);
  for (const attachment of message.attachments) parts.push(await readAttachment(reading, attachment));
  return { ...chainTexts(parts), facts: factsOf(message) };
}

function factsOf({ subject, from, date }: Email): StatedFacts {
  return statedFacts({ title: subject, authors: from?.name, date, isPublished: true });
}

/**
 * Returns the text of an attachment that is a text or an email. Any other attachment gives no text, and is
 * counted.
 */
async function readAttachment(reading: MailReading, attachment: Attachment): Promise<TextPart> {
  const { total } = reading;
  try {
    const read = isMail(attachment) ? await readInner(reading, attachment) : readText(reading, attachment);
    if (read !== undefined) return read;
  } catch (error) {
    // The attachment is damaged or too large, but the rest of the email can still be read.
    if (!(error instanceof Unreadable)) throw error;
  }
  total[attachment.mimeType.startsWith('image/') ? 'images' : 'attachments']++;
  return { text: '' };
}

function isMail({ mimeType, filename }: Attachment): boolean {
  return /^message\/(?:rfc822|global)$/.test(mimeType) || formatOf(filename ?? '') === mail;
}

async function readInner(reading: MailReading, { content }: Attachment): Promise<TextPart | undefined> {
  if (reading.depth === MAX_MAILS_WITHIN || reading.total.mails >= MAX_MAILS) return undefined;
  return readMail({ ...reading, depth: reading.depth + 1 }, bytesOf(content));
}

function bytesOf(content: Attachment['content']): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

/**
 * Undefined for attachments that aren't text, judging by type and name. Invitations and delivery reports are
 * text.
 */
function readText({ count }: MailReading, { mimeType, filename, content }: Attachment): TextPart | undefined {
  const format = formatOf(filename ?? '');
  const isText =
    /^(?:text|message)\/|^application\/ics$/.test(mimeType) || (format && format.content !== 'encoded');
  const text = isText ? decodeText(bytesOf(content)) : undefined;
  if (text === undefined) return undefined;
  count(text);
  if (mimeType === 'text/html' || format?.content === 'markup') return pageText(text);
  return { text: (isCalendar(text) ? calendarText(text) : text).replace(/\r\n?/g, '\n').trim() };
}

function isCalendar(text: string): boolean {
  return /^\ufeff?BEGIN:VCALENDAR/i.test(text);
}

/** Returns an invitation with its lines unfolded (RFC 5545, 3.1), without its time zone rules. */
function calendarText(source: string): string {
  const lines = source.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  let inZone = false;
  const read = lines.filter((line) => {
    if (/^BEGIN:VTIMEZONE$/i.test(line)) inZone = true;
    const isRead = !inZone;
    if (/^END:VTIMEZONE$/i.test(line)) inZone = false;
    return isRead;
  });
  return read.join('\n').replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));
}

/** An email that was saved as text may be entirely in UTF-16. */
function asBytes(bytes: Uint8Array): Uint8Array {
  const decoded = bytes.subarray(0, 1024).includes(0) ? decodeText(bytes) : undefined;
  return decoded === undefined ? bytes : Buffer.from(decoded.replace(/^\ufeff/, ''));
}

/** An encoding that preserves bytes: each non-ASCII byte is a separate character, from U+F780 on. */
const AS_BYTES = 'x-user-defined';
const CHARSET = /^(content-type:(?:[^\r\n]|\r?\n[ \t]){0,2000}?;\s*charset\s*=\s*["']?)([^"';\s]+)/gim;

/**
 * Makes the parser read doubtful texts as bytes, because their non-ASCII bytes may contradict the declared
 * encoding, or the encoding's label may be unknown.
 */
function withoutDoubtful(engine: Engine, bytes: Uint8Array): Buffer {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const source = given.toString('latin1');
  const read = source.replace(CHARSET, (all, before: string, label: string) =>
    isDoubtful(engine, label) ? before + AS_BYTES : all,
  );
  return read === source ? given : Buffer.from(read, 'latin1');
}

/** The parser knows some labels, and reads texts with other labels as windows-1252. */
function isDoubtful({ decodeWords }: Engine, label: string): boolean {
  if (/^(?:us-?)?ascii$|^ansi_x3/i.test(label)) return true;
  return encodingNamed(label) === undefined && decodeWords(`=?${label}?Q?=80=9F?=`) === '€Ÿ';
}

/** Guesses the encoding of the texts that were read as bytes. Texts of a known encoding are between them. */
function fromBytes(text: string | undefined): string | undefined {
  const pieces = text?.split(/([^\0-\x7f\uf780-\uf7ff]+)/);
  return pieces?.map((piece) => (/[\uf780-\uf7ff]/.test(piece) ? guessed(piece) : piece)).join('');
}

function guessed(piece: string): string {
  const bytes = Buffer.from(piece, 'latin1'); // the low eight bits of each character
  return decodeText(bytes) ?? bytes.toString('latin1');
}

/** A lenient parser accepts any bytes as an email. Bytes without an email header aren't one. */
async function parse(engine: Engine, bytes: Uint8Array, title: string): Promise<Email> {
  const source = withoutDoubtful(engine, asBytes(bytes));
  const message = await engine.default.parse(source, OPTIONS).catch((error: unknown) => error);
  if (message instanceof Error || !isMessage(message as Email))
    throw new Unreadable('broken', `The ${title} file can't be read.`, { cause: message });
  const { text, html, ...others } = message as Email;
  return source.includes(AS_BYTES)
    ? { ...others, text: fromBytes(text), html: fromBytes(html) }
    : (message as Email);
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

/**
 * The minimum share of the HTML's words in a plain text with the same content. A plain text with fewer often
 * says only that the email is in HTML.
 */
const SAME_TEXT = 0.5;
/** The number of characters of each text to compare. */
const COMPARED = 50_000;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** Most emails contain the same content twice, as text and as HTML. */
function bodyOf({ text = '', html }: Email): TextPart[] {
  const plain = { text: text.replace(/\r\n?/g, '\n').trim() };
  if (html === undefined) return [plain];
  const page = pageText(html);
  return shareOfWords(plain.text, page.text.slice(0, COMPARED)) < SAME_TEXT ? [plain, page] : [plain];
}

/** Returns the share of a text's words that are also in another text, from 0 to 1. */
function shareOfWords(text: string, of: string): number {
  const known = new Set(text.toLowerCase().match(WORD));
  const words = [...new Set(of.toLowerCase().match(WORD))];
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length);
}
