import type { BotApproval, BotContent } from '../../ports/chat-platform.ts';
import { beginning } from '../../text/cut-text.ts';

/** Maximum characters of all approvals together, fewer than a chat accepts (limit-pieces.ts). */
const MAX_INPUT = 6000;

/**
 * Returns the content as plain text; undefined if it doesn't need a message, because messages can't be changed later.
 */
export function showAsText(content: BotContent): string | undefined {
  const text = describe(content).trim().toWellFormed();
  return text === '' ? undefined : text;
}

function describe(content: BotContent): string {
  switch (content.kind) {
    case 'progress':
      return withNotices(askApprovals(content.approvals), content.notices);
    case 'final':
      return withNotices(content.text, content.notices);
    case 'error':
      return `❌ ${content.text}`;
    case 'command':
      return content.ok
        ? withoutMarks(content.text)
        : `❌ /${content.command}\n${withoutMarks(content.text)}`;
    default:
      return content.text;
  }
}

/** Adds notices to a text, because notices are never sent alone. */
function withNotices(text: string, notices: string[]): string {
  return text === '' ? '' : [text, ...notices.map((each) => `ℹ️ ${each}`)].join('\n\n');
}

function askApprovals(approvals: BotApproval[]): string {
  if (approvals.length === 0) return '';
  const [first, second] = approvals;
  const asked = approvals.map(
    (approval) => `${second ? `${approval.number}. ` : ''}${ask(approval, roomOf(approvals))}`,
  );
  return `Waiting for your approval:\n${asked.join('\n')}\nAnswer ${howToAnswer(first, second)}.`;
}

function howToAnswer(first?: BotApproval, second?: BotApproval): string {
  if (second) return `/approve ${first?.number}, /deny ${second.number}, and so on`;
  return first?.approvable ? '/approve or /deny' : '/deny';
}

/** Returns the characters for each approval. */
function roomOf({ length }: BotApproval[]): number {
  return Math.floor(MAX_INPUT / length);
}

function ask(approval: BotApproval, room: number): string {
  const whole = wholeOf(approval);
  const shown = beginning(whole, room);
  const hidden = whole.length - shown.length;
  const cut = hidden > 0 ? `${shown}\n… and ${hidden} more characters` : shown;
  return [cut, approval.note, offerRule(approval)].filter((text) => text !== '').join('\n');
}

/** Describes the rule. The user must type it, so that no one adds a rule by accident. */
function offerRule({ number, toolName, always, approvable }: BotApproval): string {
  if (!approvable || always === null) return '';
  return `To always allow ${toolName} to do exactly this in this workspace: /always ${number} ${always}`;
}

/** Shows the arguments too, because the approval covers exactly these. */
function wholeOf({ summary, toolName, input }: BotApproval): string {
  return `${summary}\n${toolName} ${JSON.stringify(input ?? null, null, 2)}`;
}

/** Returns the approvals that don't fit next to the others. */
export function cutApprovals(approvals: BotApproval[]): string[] {
  const room = roomOf(approvals);
  return approvals.filter((approval) => wholeOf(approval).length > room).map(({ id }) => id);
}

/** Removes Markdown from our own texts, which WeCom shows unformatted; a model's text is left unchanged. */
function withoutMarks(text: string): string {
  return text.replaceAll(/\*\*([^*\n]+)\*\*/g, '$1');
}
