import { isolatedProgram } from '../isolation/program.ts';
import type { NameOf } from './all-formats.ts';
import { quotableMarkdown, quotableMarkup, readMarkup } from './markup.ts';

interface MarkupSource {
  format: NameOf<'markup'>;
  source: string;
}

/** The parsers of markup, in a process of their own. */
export const program = isolatedProgram(import.meta, {
  read: ({ format, source }: MarkupSource) => readMarkup(format, source),
  quotableMarkdown: (source: string) => quotableMarkdown(source),
  quotable: ({ format, source }: MarkupSource) => quotableMarkup(format, source),
});
