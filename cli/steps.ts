import { readOutcome } from '../lib/api-contract/call-outcome.ts';
import { addCitation, type Citation } from '../lib/api-contract/citation.ts';
import type { StreamPart } from '../lib/api-contract/stream-part.ts';
import { dim, print, printLine, red, safeJson, shortLine } from './terminal.ts';

const SHOWN_INPUT = 160;
const SHOWN_OUTPUT = 120;
const SHOWN_NOTICE = 400;
/** Number of lines shown of a failed command's output. */
const SHOWN_LINES = 10;

export interface StepShower {
  take(part: StreamPart): void;
  /** Returns the model's whole text. */
  text(): string;
  /** Returns the citations in the text. */
  citations(): Citation[];
}

/**
 * Shows a run as it proceeds: the model's text, and a line for each tool and its result. `isQuiet` only collects the
 * text.
 */
export function createShower(isQuiet: boolean): StepShower {
  let text = '';
  let citations: Citation[] = [];
  const say = (more: string) => {
    text += more;
    if (!isQuiet) print(more);
  };
  const endLine = () => {
    if (text !== '' && !text.endsWith('\n')) say('\n');
  };
  return {
    text: () => text,
    citations: () => citations,
    take(part) {
      citations = addCitation(citations, part);
      if (part.type === 'text-delta') say(part.delta);
      else if (part.type === 'text-end' || part.type === 'error') endLine();
      if (!isQuiet) showTool(part);
    },
  };
}

function showTool(part: StreamPart): void {
  if (part.type === 'tool-input-available')
    printLine(
      dim(`→ ${shortLine(part.toolName, SHOWN_INPUT)} ${shortLine(safeJson(part.input), SHOWN_INPUT)}`),
    );
  if (part.type === 'tool-output-available') showResult(part.output);
  if (part.type === 'tool-output-error') printLine(red(`  ${shortLine(part.errorText, SHOWN_OUTPUT)}`));
  if (part.type === 'tool-output-denied') printLine(red('  denied'));
  if (part.type === 'data-user-message') printLine(dim(`→ you: ${shortLine(textOf(part), SHOWN_INPUT)}`));
  if (part.type === 'data-notice') printLine(dim(shortLine(textOf(part), SHOWN_NOTICE)));
}

/** A failed command shows its exit code and the end of its output, which usually has the reason. */
function showResult(output: unknown): void {
  const { state, exitCode } = readOutcome(output);
  if (state === 'done') printLine(dim(`  ${shortLine(outputLine(output), SHOWN_OUTPUT)}`));
  else {
    printLine(red(`  exit code ${exitCode ?? '?'}`));
    for (const line of endOf(output)) printLine(dim(`  ${shortLine(line, SHOWN_INPUT)}`));
  }
}

function endOf(output: unknown): string[] {
  const { stdout, stderr } = output as Record<string, unknown>;
  const lines = [stdout, stderr].flatMap((text) =>
    typeof text === 'string' ? text.trimEnd().split('\n') : [],
  );
  return lines.filter((line) => line.trim() !== '').slice(-SHOWN_LINES);
}

function textOf(part: { data?: unknown }): string {
  return String((part.data as { text?: unknown } | undefined)?.text ?? '');
}

function outputLine(output: unknown): string {
  return typeof output === 'string' ? output : safeJson(output);
}
