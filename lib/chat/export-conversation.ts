import type { Citation } from '../api-contract/citation.ts';
import { markFound } from '../api-contract/found-sources.ts';
import { renumberMarkers } from '../api-contract/markers.ts';
import { supportRemark } from '../api-contract/source-list.ts';
import { shareThread } from '../async/share-thread.ts';
import { textOf } from '../conversations/messages.ts';
import type { Conversation, Message } from '../conversations/schema.ts';
import { escapeMarkdown } from '../markdown/code.ts';
import { inProse } from '../markdown/prose.ts';
import { sanitizeProse } from '../markdown/sanitize-links.ts';
import { placeInMarkdown, quoteBlock } from '../passages/footnote.ts';
import { citationSchema } from '../retrieval/cite/cite.ts';

/**
 * Returns a conversation as Markdown: questions as blockquotes, and answers with their citations as footnotes
 * (path:line, and the quote as a code block). A footnote has the number of its citation. If several answers
 * have citations, the number of the answer comes first (`[^2-1]`), because footnote names are unique in a
 * document. No text of a user, a file, or the model can affect the text around it, because HTML, images, and
 * footnotes are removed, and links lead only to the web or a file.
 */
export async function exportConversation(
  { title, createdAt }: Conversation,
  messages: Message[],
): Promise<string> {
  const answers = messages.filter(({ role }) => role !== 'user');
  const isOnly = answers.filter((answer) => citationsOf(answer).length > 0).length === 1;
  const share = shareThread();
  const turns: string[] = [];
  let answer = 0;
  for (const message of messages) {
    await share();
    if (message.role === 'user') turns.push(showQuestion(message));
    else turns.push(showAnswer(message, isOnly ? '' : `${++answer}-`));
  }
  return `${[`# ${escapeMarkdown(title.replace(/\s+/g, ' '))}`, `*${createdAt}*`, ...turns].join('\n\n')}\n`;
}

function showQuestion(message: Message): string {
  const lines = escapeMarkdown(textOf(message)).split(/\r\n|[\n\r]/);
  const attached = attachedTo(message).map((name) => `\n\n*Attached: ${escapeMarkdown(name)}*`);
  return `## Question\n\n${lines.map((line) => `> ${line}`).join('\n')}${attached.join('')}`;
}

function attachedTo({ parts }: Message): string[] {
  return parts.flatMap(({ type, filename }) => (type === 'file' ? [String(filename ?? 'a file')] : []));
}

/** `before` is a prefix for the names of its footnotes. */
function showAnswer(message: Message, before: string): string {
  const citations = citationsOf(message);
  const cited = new Set(citations.map(({ index }) => index));
  const texts = message.parts.flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []));
  const said = markFound(texts.join('\n\n'), citations).text.replace(/\r\n?|\0/g, '\n');
  const text = renumberMarkers(said, (number) => (cited.has(number) ? number : undefined));
  const prose = inProse(text, (piece) => tame(piece).replace(/\[(\d+)\](?!\()/g, `[^${before}$1]`));
  const notes = citations.map((citation) => footnote(citation, `${before}${citation.index}`));
  const parts = ['## Answer', prose, ...noticesOf(message), ...notes];
  return parts.filter((part) => part !== '').join('\n\n');
}

function citationsOf({ parts }: Message): Citation[] {
  return parts.flatMap(({ type, data }) => {
    const read = type === 'data-citation' ? citationSchema.loose().safeParse(data) : undefined;
    return read?.success ? [read.data] : [];
  });
}

function noticesOf({ parts }: Message): string[] {
  return parts.flatMap(({ type, data }) => {
    const text = type === 'data-notice' ? (data as { text?: unknown } | undefined)?.text : undefined;
    return typeof text === 'string' ? [`*${escapeMarkdown(text)}*`] : [];
  });
}

/**
 * Keeps Markdown, except for HTML, images, links to programs, footnotes, and text that looks like a heading
 * of a question or an answer.
 */
function tame(piece: string): string {
  return sanitizeProse(piece)
    .replace(/</g, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\[\^/g, '\\[^')
    .replace(/^(\s{0,3})#{1,2}(?=\s)/gm, '$1###')
    .replace(/^(\s{0,3})(?=(?:=+|-+)\s*$)/gm, '$1\\');
}

function footnote(citation: Citation, name: string): string {
  const { quote, reason } = citation;
  const note = `[^${name}]: ${placeInMarkdown(citation)} (${supportRemark(citation)})`;
  if (quote === '') return note;
  const why = reason === undefined ? '' : ` ${escapeMarkdown(reason.replace(/\s+/g, ' '))}`;
  return `${note}${why}\n\n${quoteBlock(quote)}`;
}
