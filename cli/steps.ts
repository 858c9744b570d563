import { addCitation, type Citation } from '../lib/api-contract/citation.ts';
import type { StreamPart } from '../lib/api-contract/stream-part.ts';
import { dim, print, printLine, red, safeJson, shortLine } from './terminal.ts';

const SHOWN_INPUT = 160;
const SHOWN_OUTPUT = 120;
const SHOWN_NOTICE = 400;

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
  if (part.type === 'tool-output-available')
    printLine(dim(`  ${shortLine(outputLine(part.output), SHOWN_OUTPUT)}`));
  if (part.type === 'tool-output-error') printLine(red(`  ${shortLine(part.errorText, SHOWN_OUTPUT)}`));
  if (part.type === 'tool-output-denied') printLine(red('  denied'));
  if (part.type === 'data-notice') printLine(dim(shortLine(noticeText(part), SHOWN_NOTICE)));
}

function noticeText(part: { data?: unknown }): string {
  return String((part.data as { text?: unknown } | undefined)?.text ?? '');
}

function outputLine(output: unknown): string {
  return typeof output === 'string' ? output : safeJson(output);
}
