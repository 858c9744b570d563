import { isolatedProgram } from '../isolation/program.ts';
import { type KnownFormat, type NameOf, runReaders } from './all-formats.ts';
import { escapeReaders } from './escapes.ts';
import type { RunReader } from './format.ts';
import { htmlFacts } from './html-facts.ts';
import { isVerbatim, joinRuns, type MarkupText } from './markup-text.ts';
import { shownInMarkdown } from './shown-markdown.ts';
import type { StatedFacts } from './stated-facts.ts';

interface MarkupSource {
  format: NameOf<'markup'>;
  source: string;
}

/** The markup parsers, in a separate process. */
export const program = isolatedProgram(import.meta, {
  read: ({ format, source }: { format: KnownFormat['name']; source: string }) => readRuns(format, source),
  quotableMarkdown: (source: string) => quotableMarkdown(source),
  quotable: ({ format, source }: MarkupSource) => quotableMarkup(format, source),
});

const readers: Partial<Record<KnownFormat['name'], RunReader>> = { ...escapeReaders, ...runReaders };

function readRuns(format: KnownFormat['name'], source: string): MarkupText & { facts?: StatedFacts } {
  const read = joinRuns(source, readers[format]?.(source) ?? []);
  return format === 'html' ? { ...read, facts: htmlFacts(source) } : read;
}

/**
 * Returns the ranges of a source that are read verbatim, without entities. Adjacent ranges are joined. Starts
 * and ends alternate.
 */
function quotableMarkup(format: NameOf<'markup'>, source: string): Uint32Array {
  const edges: number[] = [];
  for (const run of runReaders[format](source)) {
    if (!isVerbatim(source, run)) continue;
    if (edges.at(-1) === run.start) edges.pop();
    else edges.push(run.start);
    edges.push(run.end);
  }
  return Uint32Array.from(edges);
}

/** Does the same for Markdown. */
function quotableMarkdown(source: string): Uint32Array {
  return Uint32Array.from(shownInMarkdown(source).flatMap(({ start, end }) => [start, end]));
}
