import type * as z from 'zod';
import { type ChatBody, chatBody } from '../chat/schema.ts';
import { InvalidInput } from '../errors.ts';
import type { MessagePart } from '../ui-messages/ui-message.ts';
import { invalidInput } from '../validation/describe-issues.ts';
import { unsupported } from './parameters.ts';
import type { AskedCompletion, AskedResponse, ContentPart, InputItem } from './request-schema.ts';
import type { StoredResponse } from './response-id.ts';

/** A message in the format of POST /api/chat, before it is checked. */
interface UncheckedMessage {
  role: 'system' | 'user' | 'assistant';
  parts: MessagePart[];
}

/** The number of turns to pass on, which is more than a prompt has room for. */
const MAX_TURNS = 199;

const ROLES: Record<string, UncheckedMessage['role']> = {
  ...{ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' },
};

/** Fields of a message that would change the answer. */
const REFUSED_FIELDS = ['tool_calls', 'function_call', 'audio'];

/** Converts messages of either API. `place` is their field. Throws InvalidInput. */
function toMessages(items: readonly InputItem[], place: string): UncheckedMessage[] {
  return items.map((item, at) => toMessage(item, `${place}.${at}`));
}

function toMessage(item: InputItem, place: string): UncheckedMessage {
  const { type = 'message', role = '', content } = item;
  if (type !== 'message') throw unsupported(`${place}.type`, `doesn't support items of the type ${type}`);
  const own = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
  if (own === undefined) throw unsupported(`${place}.role`, "doesn't support messages of this role");
  const refused = REFUSED_FIELDS.find((field) => !isEmpty(item[field]));
  if (refused !== undefined) throw unsupported(`${place}.${refused}`, "doesn't support this field");
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return { role: own, parts: parts.map((part, at) => toPart(part as ContentPart, `${place}.content.${at}`)) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const TEXTS = ['text', 'input_text', 'output_text'];

function toPart(part: ContentPart, place: string): MessagePart {
  const { type, text = '' } = part;
  if (TEXTS.includes(type)) return { type: 'text', text };
  if (type === 'refusal') return { type: 'text', text: String(part.refusal ?? '') };
  const file = fileOf(part);
  if (file === undefined) throw unsupported(`${place}.type`, "doesn't support content of this type");
  return { type: 'file', url: file.url, ...(file.name && { filename: file.name }) };
}

/** Returns the URL of an image or file. The rules for attachments check it. */
function fileOf({ type, image_url: image, file, ...own }: ContentPart) {
  const { file_data: data, filename: name } = file ?? own;
  if ((type === 'file' || type === 'input_file') && data) return { url: data, name };
  if ((type !== 'image_url' && type !== 'input_image') || !image) return undefined;
  return { url: typeof image === 'string' ? image : image.url, name: undefined };
}

/** The workspace of the model, or its list. */
type AskedIn = Pick<ChatBody, 'workspaceId' | 'workspaceIds'>;

interface UncheckedChat extends AskedIn, Pick<ChatBody, 'filter'> {
  messages: UncheckedMessage[];
  /** The conversation to store, and its last message. */
  stored?: StoredResponse | undefined;
}

/**
 * Returns the body of POST /api/chat, checked by its own schema, so that the same rules and limits apply.
 * System messages are merged into one, before the latest turns. `place` is the field of the messages. Throws
 * InvalidInput.
 */
function toChatBody({ messages, stored, ...askedIn }: UncheckedChat, place: string): ChatBody {
  const wishes = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts);
  const turns = messages.filter(({ role }) => role !== 'system').slice(-MAX_TURNS);
  const system: UncheckedMessage[] = wishes.length === 0 ? [] : [{ role: 'system', parts: wishes }];
  const body = { ...askedIn, messages: [...system, ...turns], ...stored };
  const checked = chatBody.safeParse(body);
  if (!checked.success) throw inPlace(checked.error, body, place);
  return checked.data;
}

/** Returns the refusal with the field named as the caller did. */
function inPlace(error: z.ZodError, body: unknown, place: string): InvalidInput {
  const { message } = invalidInput(error, chatBody, body, 'body');
  return new InvalidInput('invalid_value', message.replace(/^messages(?=[ .])/, place), { field: place });
}

/** A request of either API, in the form that the service answers. */
interface AskedChat {
  chat: ChatBody;
  maxOutputTokens: number | undefined;
}

/** Returns the question of a request for a completion. Throws InvalidInput. */
export function askedInCompletion(askedIn: AskedIn, body: AskedCompletion): AskedChat {
  const messages = toMessages(body.messages, 'messages');
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  const filter = body.filter ?? undefined;
  return { chat: toChatBody({ ...askedIn, filter, messages }, 'messages'), maxOutputTokens };
}

/** Returns the question of a request for a response. Throws InvalidInput. */
export function askedInResponse(
  askedIn: AskedIn,
  { input, instructions, filter = null, max_output_tokens: limit }: AskedResponse,
  stored: StoredResponse | undefined,
): AskedChat {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const said = toMessages(items, 'input');
  if (stored?.parentId && said.filter(({ role }) => role !== 'system').length > 1)
    throw unsupported('input', 'accepts only one message after previous_response_id');
  const wishes = instructions ? toMessages([{ role: 'system', content: instructions }], 'instructions') : [];
  const messages = [...wishes, ...said];
  const chat = toChatBody({ ...askedIn, filter: filter ?? undefined, messages, stored }, 'input');
  return { chat, maxOutputTokens: limit ?? undefined };
}
