import type { BotApproval, BotContent } from '../../ports/chat-platform.ts';

/** The characters of all arguments that are asked about together: fewer than a chat takes (limit-pieces.ts). */
const MAX_INPUT = 6000;

/** What the chat sees of it, as plain text; undefined for what is not worth a message that cannot be changed any more. */
export function showAsText(content: BotContent): string | undefined {
  const text = describe(content).trim().toWellFormed();
  return text === '' ? undefined : text;
}

function describe(content: BotContent): string {
  switch (content.kind) {
    case 'progress':
      return askApprovals(content.approvals);
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

function askApprovals(approvals: BotApproval[]): string {
  if (approvals.length === 0) return '';
  const [first, second] = approvals;
  const room = Math.floor(MAX_INPUT / approvals.length);
  const asked = approvals.map((approval) => `${second ? `${approval.number}. ` : ''}${ask(approval, room)}`);
  const how = second
    ? `/approve ${first?.number}, /refuse ${second.number}, and so on`
    : '/approve or /refuse';
  return `I ask before I do this:\n${asked.join('\n')}\nAnswer ${how}.`;
}

/** With the arguments: what is approved is exactly these. */
function ask({ summary, toolName, input }: BotApproval, room: number): string {
  const json = JSON.stringify(input ?? null, null, 2);
  const hidden = json.length - room;
  const shown = hidden > 0 ? `${json.slice(0, room)}\n… and ${hidden} more characters` : json;
  return `${summary}\n${toolName} ${shown}`;
}

/** Our own words are Markdown, which this platform shows as it is; what a model says is left alone. */
function withoutMarks(text: string): string {
  return text.replaceAll(/\*\*([^*\n]+)\*\*/g, '$1');
}
