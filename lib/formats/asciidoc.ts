import type { Format } from './format.ts';
import { markdown } from './markdown.ts';

/** Headings as in Markdown, whose form AsciiDoc once shared: `==`, or a line under the title. */
export const asciidoc: Format<'asciidoc', 'text'> = {
  name: 'asciidoc',
  version: 2,
  title: 'AsciiDoc',
  extensions: ['adoc', 'asciidoc'],
  mediaType: 'text/asciidoc',
  rawType: () => 'text/plain',
  content: 'text',
  unit: 'line',
  structure: markdown.structure,
};
