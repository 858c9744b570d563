import type { FileKind } from './file-kinds.ts';

const MARKDOWN_HEADING = /^(#{1,6}\s|={3,}\s*$|\.\. \w|={1,5} \w)/;
const CODE_DEFINITION =
  /^(export |public |private |protected |static |final |abstract |async |pub |@\w+|template\s*<)*(function|class|interface|enum|struct|impl|trait|def|func|fn|module|namespace|object|type|sub|package)\b/;

/** What the beginning of a line is worth as a cut: 3 a heading or definition, 2 a new paragraph, 1 any line. */
export function lineWeight(kind: FileKind, line: string, blankBefore: boolean): 1 | 2 | 3 {
  if (startsSection(kind, line, blankBefore)) return 3;
  return blankBefore && line.trim() !== '' ? 2 : 1;
}

function startsSection(kind: FileKind, line: string, blankBefore: boolean): boolean {
  if (kind === 'markdown') return MARKDOWN_HEADING.test(line);
  if (kind !== 'code') return false;
  const topLevel = /^[^\s}\])]/.test(line);
  return topLevel && (blankBefore || CODE_DEFINITION.test(line));
}
