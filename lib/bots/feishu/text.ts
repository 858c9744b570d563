import * as z from 'zod';

export const mentionSchema = z.looseObject({
  key: z.string().min(1),
  name: z.string().catch(''),
  mentioned_type: z.string().optional(),
});
export type Mention = z.infer<typeof mentionSchema>;

/**
 * The maximum number of mentions to replace, because each is searched for at each position. Further mentions
 * stay as keys.
 */
const MAX_MENTIONS = 50;

/**
 * Removes the mentions of the bot from the text, so that a command comes first. Other people stay as `@name`. If Feishu
 * doesn't mark bots, leading mentions count as mentions of the bot.
 */
export function stripMentions(text: string, mentions: Mention[]): string {
  // The longest key comes first, because `@_user_1` is a prefix of `@_user_12`.
  const known = [
    ...mentions.slice(0, MAX_MENTIONS),
    { key: '@_all', name: 'all', mentioned_type: undefined },
  ].sort((a, b) => b.key.length - a.key.length);
  let rest = text.trim();
  for (let lead = leadingCall(rest, known); lead !== undefined; lead = leadingCall(rest, known)) {
    rest = rest.slice(lead.key.length).trimStart();
  }
  return showMentions(rest, known).trim();
}

/**
 * Replaces all mentions at once. A person's name may contain keys, so replacing one after another could make
 * the text grow endlessly.
 */
function showMentions(text: string, mentions: Mention[]): string {
  const keys = new RegExp(mentions.map(({ key }) => RegExp.escape(key)).join('|'), 'g');
  return text.replace(keys, (found) => {
    const mention = mentions.find(({ key }) => key === found);
    return mention === undefined || isBot(mention) ? '' : `@${mention.name}`;
  });
}

function leadingCall(text: string, mentions: Mention[]): Mention | undefined {
  const first = mentions.find(({ key }) => text.startsWith(key));
  return first !== undefined && (first.mentioned_type === undefined || isBot(first)) ? first : undefined;
}

function isBot({ mentioned_type }: Mention): boolean {
  return mentioned_type === 'bot' || mentioned_type === 'app';
}

const runSchema = z.looseObject({
  tag: z.string().optional(),
  text: z.string().optional(),
  href: z.string().optional(),
  user_id: z.string().optional(),
});
const runsSchema = z.array(z.array(runSchema));
/** A card has its text in `elements`. */
const postSchema = z
  .looseObject({
    title: z.string().nullish(),
    content: runsSchema.optional(),
    elements: runsSchema.optional(),
  })
  .refine(({ content, elements }) => content !== undefined || elements !== undefined);

/**
 * Converts a formatted message or a card to plain text. Mentions stay as keys. Undefined for other content.
 */
export function readPost(message: unknown): string | undefined {
  const post = postSchema.safeParse(message);
  if (!post.success) return undefined;
  const { title, content = [], elements = [] } = post.data;
  const lines = [...content, ...elements].map((runs) => runs.map(showRun).join(''));
  return [title, ...lines].filter(Boolean).join('\n');
}

function showRun({ tag, text = '', href, user_id }: z.infer<typeof runSchema>): string {
  if (tag === 'at') return user_id ?? '';
  return href === undefined || href === text ? text : `${text} (${href})`;
}
