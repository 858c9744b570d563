import { shareThread } from '../../async/share-thread.ts';
import { type XmlReader, xmlParser } from '../../text/xml.ts';

/** Bytes of the list of one folder, and characters of one of its values. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_VALUE = 16 * 1024;

/** A resource as a multistatus (RFC 4918, section 13) describes it. */
export interface Resource {
  href: string;
  isFolder: boolean;
  etag: string;
  modified: string;
  size: number;
}

/** Thrown for a multistatus that isn't complete and readable. */
export class Unlistable extends Error {}

/**
 * Calls a function for each resource of a multistatus, as it arrives. Throws Unlistable if it ends early, is too large, or
 * doesn't describe each of its resources: a missing one must never look like a deleted one.
 */
export async function readMultistatus(
  body: AsyncIterable<Uint8Array>,
  found: (resource: Resource) => void,
): Promise<void> {
  const reading = resourceReader(found);
  const parser = xmlParser(reading.reader, () => new Unlistable());
  const decoder = new TextDecoder();
  const share = shareThread();
  let room = MAX_BYTES;
  for await (const piece of body) {
    room -= piece.length;
    if (room < 0) throw new Unlistable();
    parser.write(decoder.decode(piece, { stream: true }));
    await share();
  }
  if (!reading.isWhole()) throw new Unlistable();
}

const PROPERTIES = ['getetag', 'getlastmodified', 'getcontentlength'];

function resourceReader(found: (resource: Resource) => void): { reader: XmlReader; isWhole(): boolean } {
  let text = '';
  let isWhole = false;
  let href: string | undefined;
  let status = '';
  let asked: Record<string, string> = {};
  /** Undefined until the server has returned properties. */
  let known: Record<string, string> | undefined;
  const property = (name: string) => () => {
    asked[name] = text.trim();
  };
  const opened = actions({
    response() {
      [href, status, known] = [undefined, '', undefined];
    },
    propstat() {
      [asked, status] = [{}, ''];
    },
    collection() {
      asked.collection = 'true';
    },
  });
  const closed = actions({
    ...Object.fromEntries(PROPERTIES.map((name) => [name, property(name)])),
    href() {
      href ??= text.trim();
    },
    status() {
      status = text;
    },
    // Properties that a server doesn't have are in a propstat of their own, with 404.
    propstat() {
      if (/^\s*HTTP\/\S+ 200\b/.test(status)) known = { ...known, ...asked };
    },
    response() {
      if (href === undefined || known === undefined) throw new Unlistable();
      found(resourceOf(href, known));
    },
    multistatus() {
      isWhole = true;
    },
  });
  const reader: XmlReader = {
    open(name) {
      text = '';
      opened.get(name)?.();
    },
    text(piece) {
      text += piece;
      if (text.length > MAX_VALUE) throw new Unlistable();
    },
    close(name) {
      closed.get(name)?.();
      text = '';
    },
  };
  return { reader, isWhole: () => isWhole };
}

/** A map, because a server chooses the names of elements. */
function actions(byName: Record<string, () => void>): Map<string, () => void> {
  return new Map(Object.entries(byName));
}

function resourceOf(href: string, known: Record<string, string>): Resource {
  const { getetag: etag = '', getlastmodified: modified = '', getcontentlength = '0' } = known;
  if (!/^\d{1,15}$/.test(getcontentlength || '0')) throw new Unlistable();
  const size = Number(getcontentlength || '0');
  return { href, isFolder: known.collection === 'true', etag, modified, size };
}
