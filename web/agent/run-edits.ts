import type { Edit } from './line-diff.ts';
import { fieldsOf, readEdits, textOf } from './read-output.ts';
import type { Step } from './run-steps.ts';

interface ChangedFile {
  path: string;
  from?: string | undefined;
  change: 'created' | 'changed' | 'deleted' | 'moved';
}

/**
 * Returns a run's changes of a file, as far as its calls contain them. A call with a whole new text doesn't
 * include the replaced one, and a command includes no text at all.
 */
export function editsOf(steps: readonly Step[], { path, from, change }: ChangedFile): Edit[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'call' || step.call.state !== 'done') return [];
    const { tool, input } = step.call;
    const changed = textOf(fieldsOf(input)?.path)?.replace(/^\.?\//, '');
    const isOfFile = changed === path || (from !== undefined && changed === from);
    const isKnown = tool === 'editFile' || change === 'created';
    return isOfFile && isKnown ? (readEdits(tool, input) ?? []) : [];
  });
}
