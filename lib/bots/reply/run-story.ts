import * as z from 'zod';
import { oneLine } from '../../activity/record.ts';
import { WAITING } from '../../api-contract/answer-notices.ts';
import { type CallOutcome, readOutcome } from '../../api-contract/call-outcome.ts';
import { addCitation, type Citation } from '../../api-contract/citation.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { type ErrorCode, isErrorCode } from '../../error-codes.ts';
import type { BotCall } from '../../ports/chat-platform.ts';

const MAX_SUMMARY = 120;
const MAX_NOTICE = 300;
const MAX_NOTICES = 5;
const TOOL_NAME = /^[\w-]{1,64}$/;

/** The text of an answer that has none. */
export const NOTHING_SAID = 'Done.';

/** A run's progress, derived from its events. The same events give every reader the same progress. */
export interface RunStory {
  step: number;
  calls: BotCall[];
  /** The model's text in the last step that has one. */
  text: string;
  /** Notices for the person, each once, with its latest text. */
  notices: { code: string; text: string }[];
  /** Citations of all texts of the run. */
  citations: Citation[];
  /** The error code if the run failed. */
  failedWith?: ErrorCode;
}

export interface StoryState extends RunStory {
  /** The position of each call among the calls. */
  places: Map<string, number>;
  /** True if the next text is the first of its step, and so replaces that of an earlier step. */
  fresh: boolean;
}

export function newStory(): StoryState {
  return { step: 0, calls: [], text: '', notices: [], citations: [], places: new Map(), fresh: true };
}

/** Adds an event to the story. Returns false if nothing visible changes. */
export function addToStory(state: StoryState, part: StreamPart): boolean {
  switch (part.type) {
    case 'start-step':
      state.step += 1;
      state.fresh = true;
      return true;
    case 'text-delta':
      state.notices = state.notices.filter(({ code }) => code !== WAITING);
      state.text = state.fresh ? part.delta : state.text + part.delta;
      state.fresh = false;
      return true;
    case 'data-thought':
      state.text = '';
      return true;
    case 'tool-input-available':
      return addCall(state, part, 'running');
    case 'tool-input-error':
      return addCall(state, part, 'failed');
    case 'tool-output-available':
      return endCall(state, part.toolCallId, readOutcome(part.output));
    case 'tool-output-error':
    case 'tool-output-denied':
      return endCall(state, part.toolCallId, { state: 'failed' });
    case 'data-error':
      return addFailure(state, part);
    case 'data-citation':
    case 'data-citation-support':
      state.citations = addCitation(state.citations, part);
      return false; // shown with the finished answer
    default:
      return part.type === 'data-notice' && !('transient' in part) && addNotice(state, part.data);
  }
}

function addFailure(state: StoryState, part: object): false {
  const { data } = failureSchema.safeParse(part);
  if (data !== undefined && isErrorCode(data.data.code)) state.failedWith = data.data.code;
  return false;
}

const failureSchema = z.object({ data: z.object({ code: z.string() }) });
const noticeSchema = z.object({ code: z.string().max(100), text: z.string() });

function addNotice(state: StoryState, data: unknown): boolean {
  const { data: told } = noticeSchema.safeParse(data);
  if (told === undefined) return false;
  const text = oneLine(told.text, MAX_NOTICE);
  const others = state.notices.filter(
    (known) => known.code !== told.code || isOfSeveral(told.code, known.text, text),
  );
  state.notices = [...others, { code: told.code, text }].slice(-MAX_NOTICES);
  return true;
}

/** True if a notice can occur several times, because each failing server has its own. */
function isOfSeveral(code: string, known: string, text: string): boolean {
  return code === 'mcp-server' && known !== text;
}

/** Returns a copy that later events don't change. */
export function storyOf({ step, calls, text, notices, citations, failedWith }: StoryState): RunStory {
  const shown = { step, calls: calls.map((call) => ({ ...call })), text, notices, citations };
  return failedWith === undefined ? shown : { ...shown, failedWith };
}

function addCall(
  { calls, places }: StoryState,
  { toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: unknown },
  status: BotCall['status'],
): boolean {
  places.set(toolCallId, calls.length);
  calls.push({ toolName: nameOf(toolName), summary: summarize(input), status });
  return true;
}

function endCall(
  { calls, places }: StoryState,
  toolCallId: string,
  { state, exitCode = 0 }: CallOutcome,
): boolean {
  const call = calls[places.get(toolCallId) ?? -1];
  if (call?.status !== 'running') return false; // a refused call has already failed
  call.status = state;
  if (exitCode !== 0) call.summary += ` (exit code ${exitCode})`;
  return true;
}

/**
 * Returns the tool's name if it's a plain identifier. A model can invent any name, even one that looks like a
 * text of the service.
 */
function nameOf(toolName: string): string {
  return TOOL_NAME.test(toolName) ? toolName : 'unknown tool';
}

/**
 * Returns the arguments on one line: texts without their names, because texts say enough. Other values (a
 * limit, a flag) have names, and are shown only if there is no text.
 */
function summarize(input: unknown): string {
  if (typeof input !== 'object' || input === null) return oneLine(String(input ?? ''), MAX_SUMMARY);
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const texts = entries.filter(([, value]) => typeof value === 'string' || typeof value === 'object');
  const shown =
    texts.length > 0
      ? texts.map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
      : entries.map(([name, value]) => `${name}: ${value}`);
  return oneLine(shown.filter((text) => text.trim() !== '').join(', '), MAX_SUMMARY);
}
