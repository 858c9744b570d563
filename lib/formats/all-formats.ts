import { asciidoc } from './asciidoc.ts';
import { bibtex } from './bibtex.ts';
import { code } from './code.ts';
import { epub } from './epub.ts';
import type { Content, Format, RunReader } from './format.ts';
import { html, readHtmlRuns } from './html.ts';
import { latex } from './latex.ts';
import { mail, mhtml } from './mail.ts';
import { markdown } from './markdown.ts';
import { notebook } from './notebook.ts';
import { docx } from './office/docx.ts';
import { odp } from './office/odp.ts';
import { ods } from './office/ods.ts';
import { odt } from './office/odt.ts';
import { pptx } from './office/pptx.ts';
import { xlsx } from './office/xlsx.ts';
import { org } from './org.ts';
import { pdf } from './pdf.ts';
import { picture } from './picture.ts';
import { restructuredText } from './restructured-text.ts';
import { ris } from './ris.ts';
import { rows } from './rows.ts';
import { rtf } from './rtf.ts';
import { text } from './text.ts';

/** Every format that is indexed, searched, read and cited. */
export const formats = [
  ...[pdf, docx, pptx, xlsx, odt, odp, ods, epub, rtf, mail, mhtml, notebook, picture],
  ...[html, latex, bibtex, ris, markdown, asciidoc, org, restructuredText, rows, code, text],
] as const;

/** Readers of the text between markup, one for each format whose content is `markup`. */
export const runReaders: Record<NameOf<'markup'>, RunReader> = {
  html: (source) => readHtmlRuns(source),
};

export type KnownFormat = (typeof formats)[number];
export type NameOf<Of extends Content> = Extract<KnownFormat, { content: Of }>['name'];

const byExtension = new Map<string, KnownFormat>(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format])),
);
const byName = new Map<string, KnownFormat>(
  formats.flatMap((format) => (format.names ?? []).map((name) => [name, format])),
);

/** Returns the format by the path; undefined for files that aren't indexed. */
export function formatOf(path: string): KnownFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return byName.get(name);
  return byExtension.get(name.slice(dot + 1)) ?? byName.get(name.slice(0, dot));
}

/** Returns the format for reading a file. A file that belongs to no format is read as text. */
export function readingFormat(path: string): KnownFormat {
  return formatOf(path) ?? text;
}

/** Returns the media type of a file in citations. */
export function mediaTypeOf(path: string): string {
  const { mediaType, mediaTypes }: Format = readingFormat(path);
  return mediaTypes?.[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? mediaType;
}

/** True if the file's only text comes from OCR. */
export function isPicture(path: string): boolean {
  return formatOf(path) === picture;
}

/**
 * Returns the format whose complete signature is within the first `reach` bytes. Without `reach`, the bytes
 * must start with the signature.
 */
export function formatOfBytes(bytes: Uint8Array, reach?: number): KnownFormat | undefined {
  return formats.find(({ signature }) => {
    if (signature === undefined) return false;
    return Buffer.from(bytes.subarray(0, reach ?? signature.length)).includes(signature);
  });
}

/** Returns the format of a download, by its bytes, then by its media type. Without either, it's text. */
export function formatOfDownload(bytes: Uint8Array, contentType: string): KnownFormat {
  const called = () => formats.find(({ webType }) => webType?.test(contentType));
  return formatOfBytes(bytes, 1024) ?? called() ?? text;
}

/** Formats other than text that can be read. */
export const encodedFormats = formats.filter(({ content }) => content === 'encoded');
