import { InvalidInput } from '../errors.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import type { KnownFormat } from './all-formats.ts';
import type { TextRun } from './format.ts';
import { shownInAsciidoc } from './shown-asciidoc.ts';
import { shownInLatex } from './shown-latex.ts';
import { shownInOrg } from './shown-org.ts';
import { shownInRestructuredText } from './shown-restructured-text.ts';

export const MARKUP_TIMEOUT_MS = 20_000;

/** Plain-text formats with invisible parts. Each function reads every line once. */
const shownIn: Partial<Record<KnownFormat['name'], (source: string) => TextRun[]>> = {
  asciidoc: shownInAsciidoc,
  latex: shownInLatex,
  org: shownInOrg,
  restructuredtext: shownInRestructuredText,
};

/**
 * Returns the ranges of a source that appear in it exactly as they are read, so that a quote within one is a
 * substring of the file: the text between markup, the visible text of Markdown and similar formats, and the
 * whole of other formats. Empty for markup that isn't indexed.
 */
export async function quotableRuns(format: KnownFormat, source: string, whose = ''): Promise<TextRun[]> {
  const shown = shownIn[format.name]?.(source);
  if (shown !== undefined) return shown;
  const isMarkdown = format.name === 'markdown' && mayHide(source);
  if (format.content !== 'markup' && !isMarkdown) return [{ start: 0, end: source.length }];
  const { program } = await import('./markup-program.ts');
  const options = { timeoutMs: MARKUP_TIMEOUT_MS, whose };
  const work =
    format.content === 'markup'
      ? runIsolated(program, 'quotable', { format: format.name, source }, options)
      : runIsolated(program, 'quotableMarkdown', source, options);
  const edges = await work.catch(noneIfRefused);
  return Array.from({ length: edges.length / 2 }, (_, index) => ({
    start: edges[index * 2] ?? 0,
    end: edges[index * 2 + 1] ?? 0,
  }));
}

function noneIfRefused(error: unknown): Uint32Array {
  if (error instanceof InvalidInput) return new Uint32Array();
  throw error;
}

/** True if a Markdown source may contain anything invisible. */
function mayHide(source: string): boolean {
  return /<[a-z!?/]|\](?:\(|:)|~~/i.test(source);
}
