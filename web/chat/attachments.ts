/**
 * Maximum files attached to a question. These are the API's limits. Files beyond them are reported here, and
 * not sent.
 */
export const MAX_FILES = 10;
const MAX_PICTURE_BYTES = 3_900_000;
/**
 * Bytes per question. Base64 adds a third, a request has at most 6 MB, and the conversation needs some of
 * that.
 */
const MAX_BYTES = 4_000_000;

export interface Attachment {
  key: string;
  name: string;
  mediaType: string;
  size: number;
  /** A file on this computer. Without it, `url` names a file of the workspace. */
  file?: File;
  url?: string;
}

export type Refusal = 'tooMany' | 'tooLarge' | 'pictureTooLarge' | 'allTooLarge' | 'empty';

const PICTURES = /^image\/(png|jpeg|gif|webp)$/;

export function isPicture(mediaType: string): boolean {
  return PICTURES.test(mediaType);
}

/** Returns why a file can't be attached in addition to the others; undefined if it can. */
export function refusalOf(attached: Attachment[], file: Pick<File, 'size' | 'type'>): Refusal | undefined {
  if (attached.length >= MAX_FILES) return 'tooMany';
  if (file.size === 0) return 'empty';
  if (isPicture(file.type) && file.size > MAX_PICTURE_BYTES) return 'pictureTooLarge';
  if (file.size > MAX_BYTES) return 'tooLarge';
  const sent = attached.reduce((sum, each) => sum + (each.file === undefined ? 0 : each.size), 0);
  return sent + file.size > MAX_BYTES ? 'allTooLarge' : undefined;
}

/** Returns the URL that the API uses for a file of the workspace. */
export function workspaceAddress(path: string): string {
  return `workspace:${path.split('/').map(encodeURIComponent).join('/')}`;
}

export interface ShownFile {
  name: string;
  mediaType: string;
  url: string;
  from: 'kept' | 'sent' | 'workspace';
}

const KEPT = /^\/api\/conversations\/[^/?#]+\/attachments\/[0-9a-f]{64}$/;
const SENT = /^data:[\w.+/-]*;base64,/;

/** Returns a file part of a message, if its URL is one that the API issues or accepts. */
export function readFilePart({
  type,
  url,
  mediaType,
  filename,
}: Record<string, unknown>): ShownFile | undefined {
  if (type !== 'file' || typeof url !== 'string') return undefined;
  const from = originOf(url);
  if (from === undefined) return undefined;
  const name = textOf(filename) || (from === 'workspace' ? lastOf(url) : '');
  return { url, from, mediaType: textOf(mediaType), name };
}

function originOf(url: string): ShownFile['from'] | undefined {
  if (KEPT.test(url)) return 'kept';
  if (SENT.test(url)) return 'sent';
  return url.startsWith('workspace:') ? 'workspace' : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function lastOf(url: string): string {
  const last = url.slice(url.lastIndexOf(url.includes('/') ? '/' : ':') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
