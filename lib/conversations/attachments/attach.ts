import type { ErrorCode } from '../../error-codes.ts';
import { InvalidInput, TooLarge } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import { beginning } from '../../text/cut-text.ts';
import type { MessagePart } from '../../ui-messages/ui-message.ts';
import type { Attachment } from './attachment.ts';
import { type AttachmentPorts, fetchFile, type MessagePlace } from './fetch-file.ts';
import { type AttachedPart, isPictureType, MAX_ATTACHMENTS } from './schema.ts';

/**
 * The error codes for attachments of a message. A file of the workspace may also be unreadable for the
 * caller.
 */
export const ATTACHMENT_ERRORS = [
  'attachment_too_large',
  'attachment_unknown',
  'attachment_unreadable',
  'attachment_unsupported',
  'file_system_denied',
  'path_in_use',
] as const satisfies ErrorCode[];

/** An attachment of a message, or only its name if the file was deleted or exceeds the limit. */
export type Attached = Attachment | { name: string; gone: string };

/**
 * The maximum number of images in one model request. Some models refuse more, and a few images cost as much
 * as a whole book.
 */
const MAX_PICTURES = 10;
const MAX_PICTURE_BYTES = 15 * 1024 * 1024;
const MAX_TEXTS = 120_000;
/** The maximum number of attachments to read among those that a client sends again. */
const MAX_EARLIER = 30;

/** Returns the files among a message's parts. Throws InvalidInput. */
export function filesOf(parts: MessagePart[]): AttachedPart[] {
  return parts.flatMap(({ type, url, mediaType, filename }) => {
    if (type !== 'file') return [];
    if (typeof url !== 'string')
      throw new InvalidInput('missing_value', 'messages has a file part without a url.', {
        field: 'messages',
      });
    return [{ url, mediaType, filename }];
  });
}

/** Reads the attachments of the current message. Throws InvalidInput, TooLarge. */
export async function attachAll(
  ports: AttachmentPorts,
  place: MessagePlace,
  files: AttachedPart[],
): Promise<Attachment[]> {
  if (files.length > MAX_ATTACHMENTS)
    throw new InvalidInput(
      'invalid_value',
      `messages can have at most ${MAX_ATTACHMENTS} attachments per message.`,
      { field: 'messages' },
    );
  const found: Attachment[] = [];
  // Files are read one after another, because one request must not use all the processes that parse untrusted
  // files.
  for (const file of files) found.push(await fetchFile(ports, place, file));
  const each = found.filter(({ hash }, at) => found.findIndex((other) => other.hash === hash) === at);
  const pictureBytes = each.reduce(
    (sum, { text, bytes }) => sum + (text === undefined ? bytes.length : 0),
    0,
  );
  if (pictureBytes > MAX_PICTURE_BYTES)
    throw new TooLarge(
      'attachment_too_large',
      `messages can have images of at most ${MAX_PICTURE_BYTES} bytes in all per message.`,
      { field: 'messages' },
    );
  return shareRoom(each);
}

/** If the texts of a message are too long together, each gets the same share. */
function shareRoom(found: Attachment[]): Attachment[] {
  const texts = found.flatMap(({ text }) => (text === undefined ? [] : [text.length]));
  if (texts.reduce((sum, length) => sum + length, 0) <= MAX_TEXTS) return found;
  const most = Math.floor(MAX_TEXTS / texts.length);
  return found.map((attachment) => {
    const { text } = attachment;
    if (text === undefined || text.length <= most) return attachment;
    return { ...attachment, text: beginning(text, most), isCut: true };
  });
}

/** Reads the attachments of the last message, and those of each earlier one. Throws like attachAll. */
export async function attachToEach(
  ports: AttachmentPorts,
  place: MessagePlace,
  messages: AttachedPart[][],
): Promise<{ latest: Attachment[]; each: Attached[][] }> {
  const latest = await attachAll(ports, place, messages.at(-1) ?? []);
  const earlier = await attachEarlier(ports, place, messages.slice(0, -1), latest);
  return { latest, each: [...earlier, latest] };
}

/**
 * Returns the attachments of earlier messages that fit next to `latest`, newest first. Those that no longer
 * exist are only named, so that a question is never refused because of them.
 */
export async function attachEarlier(
  ports: AttachmentPorts,
  place: MessagePlace,
  messages: AttachedPart[][],
  latest: Attachment[] = [],
): Promise<Attached[][]> {
  const room = newRoom();
  let looked = 0;
  for (const attachment of latest) room.takes(attachment);
  const found: Attached[][] = [];
  for (const files of messages.toReversed()) {
    const ofMessage: Attached[] = [];
    for (const file of files.slice(0, MAX_ATTACHMENTS)) {
      looked += 1;
      const isOver = looked > MAX_EARLIER || room.isFull();
      const attached = isOver ? left(file) : await fetchIfThere(ports, place, file);
      ofMessage.push('gone' in attached || room.takes(attached) ? attached : left(file));
    }
    found.unshift(ofMessage);
  }
  return found;
}

function left({ filename = 'attachment' }: AttachedPart): Attached {
  return { name: filename, gone: "was omitted because it doesn't fit" };
}

async function fetchIfThere(
  ports: AttachmentPorts,
  place: MessagePlace,
  file: AttachedPart,
): Promise<Attached> {
  try {
    return await fetchFile(ports, place, file);
  } catch (error) {
    const refused = requireRefusal(error);
    log.debug('an earlier attachment is not there', { reason: refused.message });
    return { name: file.filename ?? 'attachment', gone: 'is no longer available' };
  }
}

function newRoom() {
  let pictures = 0;
  let pictureBytes = 0;
  let texts = 0;
  return {
    isFull: () => pictures >= MAX_PICTURES && texts >= MAX_TEXTS,
    /** Returns false if the attachment doesn't fit. */
    takes({ mediaType, bytes, text }: Attachment): boolean {
      const more = isPictureType(mediaType)
        ? [pictures + 1, pictureBytes + bytes.length, texts]
        : [pictures, pictureBytes, texts + (text ?? '').length];
      const [files = 0, size = 0, characters = 0] = more;
      if (files > MAX_PICTURES || size > MAX_PICTURE_BYTES || characters > MAX_TEXTS) return false;
      [pictures, pictureBytes, texts] = [files, size, characters];
      return true;
    },
  };
}
