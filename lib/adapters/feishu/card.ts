import type { BotApproval, BotCall, BotContent } from '../../ports/chat-platform.ts';
import { beginning } from '../../text/cut-text.ts';
import { inlineCode, toCardMarkdown, withoutCalls } from './markdown.ts';

/** A message as sent to Feishu: a text, a file by its key, or a card as JSON within JSON. */
export interface FeishuMessage {
  msg_type: 'text' | 'interactive' | 'file';
  content: string;
}

export interface FeishuCard {
  /** Feishu changes a card only if both the old and the new version set `update_multi`. */
  config: { wide_screen_mode: true; update_multi: true };
  header: { title: { tag: 'plain_text'; content: string }; template: 'blue' | 'green' | 'orange' | 'red' };
  elements: CardElement[];
}

type CardElement =
  | { tag: 'markdown'; content: string }
  /** The fallback for Markdown that Feishu rejects. */
  | { tag: 'div'; text: { tag: 'plain_text'; content: string } }
  | { tag: 'action'; actions: Button[] };

interface Button {
  tag: 'button';
  text: { tag: 'plain_text'; content: string };
  type: 'primary' | 'danger' | 'default';
  value: ButtonValue;
  /** The client asks for confirmation before it reports that the button was pressed. */
  confirm?: Record<'title' | 'text', { tag: 'plain_text'; content: string }>;
}

/** The value that Feishu returns when the button is pressed (lib/bots/feishu/event.ts). */
export interface ButtonValue {
  approvalId: string;
  approved: boolean;
  always?: string;
}

type CardContent = Exclude<BotContent, { kind: 'text' }>;
/** The parts of a card that surround its text. */
type CardParts = Pick<FeishuCard['header'], 'template'> & {
  title: string;
  before?: string[];
  after?: (string | CardElement)[];
};

/**
 * Bytes. Feishu accepts a request body of 30 KB for a card and 150 KB for a text; the rest of a request is under 1 KB.
 */
const MAX_CARD_BYTES = 28_000;
const MAX_TEXT_BYTES = 145_000;
const MAX_CALLS_SHOWN = 15;
const MAX_APPROVALS_SHOWN = 3;
const MAX_SUMMARY = 120;
/** Bytes of an approval's summary, so that the card fits with everything else. */
const MAX_SUMMARY_BYTES = 2000;
const MAX_INPUT_BYTES = 4000;
const MAX_ERROR = 2000;
const MAX_TITLE = 100;

/** Formats a bot's content. `plain` leaves texts unformatted, because Feishu accepts any plain text. */
export function formatMessage(content: BotContent, { plain = false } = {}): FeishuMessage {
  if (content.kind !== 'text') {
    return { msg_type: 'interactive', content: JSON.stringify(formatCard(content, { plain })) };
  }
  const text = withoutCalls(content.text);
  const show = (shown: string) => ({ text: shown });
  return { msg_type: 'text', content: JSON.stringify(shorten(text, show, MAX_TEXT_BYTES)) };
}

/**
 * Builds the card for a bot's content: a header, then its elements. Content that is too long for Feishu is truncated,
 * with a notice.
 */
export function formatCard(content: CardContent, { plain = false } = {}): FeishuCard {
  const { title, template, before = [], after = [] } = partsOf(content);
  const shownTitle = beginning(withoutCalls(title), MAX_TITLE);
  const build = (text: string): FeishuCard => ({
    config: { wide_screen_mode: true, update_multi: true },
    header: { title: { tag: 'plain_text', content: shownTitle }, template },
    elements: [...before, toCardMarkdown(text), ...after]
      .filter((element) => element !== '')
      .map((element) => (typeof element === 'string' ? textElement(element, plain) : element)),
  });
  return shorten(longText(content), build, MAX_CARD_BYTES);
}

function longText({ kind, text }: CardContent): string {
  return kind === 'error' ? beginning(text, MAX_ERROR) : text;
}

/** Rebuilds the card with less and less text until it fits, because JSON within JSON grows unpredictably. */
function shorten<Built>(text: string, build: (text: string) => Built, maxBytes: number): Built {
  let shown = beginning(text, maxBytes);
  for (;;) {
    const cut = text.length - shown.length;
    const built = build(cut === 0 ? text : `${shown}\n… (${cut} more characters)`);
    const bytes = wireBytes(built);
    if (bytes <= maxBytes || shown === '') return built;
    shown = beginning(shown, Math.floor(shown.length * Math.min(0.95, maxBytes / bytes)));
  }
}

/** Returns the number of bytes that the value takes in the request, as JSON in a JSON string. */
function wireBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

function textElement(content: string, plain: boolean): CardElement {
  return plain ? { tag: 'div', text: { tag: 'plain_text', content } } : { tag: 'markdown', content };
}

function partsOf(content: CardContent): CardParts {
  switch (content.kind) {
    case 'progress':
      return progressParts(content);
    case 'final':
      return finalParts(content);
    case 'error':
      return { title: '❌ Error', template: 'red' };
    case 'command':
      return {
        title: `${content.ok ? '✅' : '❌'} /${content.command}`,
        template: content.ok ? 'green' : 'red',
      };
    case 'notice':
      return { title: content.title, template: 'blue' };
  }
}

function progressParts(content: Extract<BotContent, { kind: 'progress' }>): CardParts {
  const { step, maxSteps, calls, workspace, approvals } = content;
  const waiting = approvals.length > 0;
  return {
    title: waiting ? '⏸️ Waiting for your approval' : `⏳ Working (step ${step} of ${maxSteps})`,
    template: waiting ? 'orange' : 'blue',
    before: [listCalls(calls)],
    after: [
      showNotices(content.notices),
      ...approvals.slice(0, MAX_APPROVALS_SHOWN).flatMap(askFor),
      nameOthers(approvals.slice(MAX_APPROVALS_SHOWN)),
      `📁 ${inlineCode(workspace, MAX_SUMMARY)} · step ${step} of ${maxSteps}`,
    ],
  };
}

function finalParts(content: Extract<BotContent, { kind: 'final' }>): CardParts {
  const { calls, workspace, seconds } = content;
  const count = `${calls.length} tool ${calls.length === 1 ? 'call' : 'calls'}`;
  return {
    title: '✅ Done',
    template: 'green',
    before: [listCalls(calls)],
    after: [
      showNotices(content.notices),
      `📁 ${inlineCode(workspace, MAX_SUMMARY)} · ${count} · ${Math.round(seconds)} s`,
    ],
  };
}

function showNotices(notices: string[]): string {
  return notices.map((text) => `ℹ️ ${toCardMarkdown(text)}`).join('\n');
}

const MARKS: Record<BotCall['status'], string> = { running: '⏳', done: '✅', failed: '❌' };

/** Lists only the latest calls, because only these still change. */
function listCalls(calls: BotCall[]): string {
  const shown = calls.slice(-MAX_CALLS_SHOWN);
  const lines = shown.map(({ toolName, summary, status }) =>
    `${MARKS[status]} **${toolName}** ${inlineCode(summary, MAX_SUMMARY)}`.trimEnd(),
  );
  const hidden = calls.length - shown.length;
  return [...(hidden > 0 ? [`… ${hidden} earlier`] : []), ...lines].join('\n');
}

/** Shows the arguments too, because the approval covers exactly these. */
function askFor(approval: BotApproval): (string | CardElement)[] {
  const { id, toolName, note, approvable, always } = approval;
  const { words, json } = shownOf(approval);
  const approve = button('Approve', 'primary', { approvalId: id, approved: true });
  return [
    `**${toolName}** needs your approval:\n${toCardMarkdown(words)}\n\`\`\`json\n${json}\n\`\`\``,
    note,
    approvable && always !== null ? `**Always allow** adds a rule: ${ruleText(toolName, always)}` : '',
    {
      tag: 'action',
      actions: [
        ...(approvable ? [approve] : []),
        button('Deny', 'danger', { approvalId: id, approved: false }),
        ...(approvable && always !== null ? [alwaysButton(id, toolName, always)] : []),
      ],
    },
  ];
}

function ruleText(toolName: string, always: string): string {
  return `in this workspace, **${toolName}** can do exactly this without approval: ${inlineCode(always, always.length)}`;
}

/**
 * Returns the button that always allows a call. The client shows the rule and asks for confirmation, so an
 * accidental press adds nothing.
 */
function alwaysButton(approvalId: string, toolName: string, always: string): Button {
  const text = `${toolName}: ${always}\nFrom then on, no one in this workspace is asked to approve it.`;
  return {
    ...button('Always allow …', 'default', { approvalId, approved: true, always }),
    confirm: {
      title: { tag: 'plain_text', content: 'Approve and always allow this?' },
      text: { tag: 'plain_text', content: text },
    },
  };
}

function shownOf({ summary, input }: BotApproval): { words: string; json: string } {
  const json = withoutCalls(toJson(input)).replaceAll('```', "'''");
  return {
    words: shorten(summary, same, MAX_SUMMARY_BYTES),
    json: shorten(json, same, MAX_INPUT_BYTES),
  };
}

function toJson(input: unknown): string {
  return JSON.stringify(input ?? null, null, 2);
}

/** Returns the approvals that don't fit into the card, or whose text there isn't exactly the action. */
export function cutApprovals(approvals: BotApproval[]): string[] {
  const cut = approvals.filter((approval, place) => {
    const { words, json } = shownOf(approval);
    return place >= MAX_APPROVALS_SHOWN || words !== approval.summary || json !== toJson(approval.input);
  });
  return cut.map(({ id }) => id);
}

function nameOthers(others: BotApproval[]): string {
  const numbers = others.map(({ number }) => number).join(', ');
  return others.length === 0 ? '' : `… and ${others.length} more: answer /approve or /deny with ${numbers}`;
}

const same = (text: string) => text;

function button(text: string, type: Button['type'], value: ButtonValue): Button {
  return { tag: 'button', text: { tag: 'plain_text', content: text }, type, value };
}
