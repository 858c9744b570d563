import type { FileKind } from '../../formats/file-kinds.ts';

const MARKDOWN_HEADING = /^(#{1,6}\s|\.\. \w|={1,5} \w)/;
const DOUBLE_RULE = /^={3,}\s*$/;
/** Under a title; in reStructuredText `===` also above it. */
const RULE = /^(={3,}|-{3,})\s*$/;
const CODE_DEFINITION =
  /^(export |public |private |protected |static |final |abstract |async |pub |@\w+|template\s*<)*(function|class|interface|enum|struct|impl|trait|def|func|fn|module|namespace|object|type|sub|package)\b/;
/** What belongs to the line below it: decorators, attributes, comments. */
const ANNOTATION = /^\s*(@|#\[|\/\/|\/\*|\*)/;
/** Where what is said of a definition begins. */
const ANNOTATION_START = /^(@|#\[|\/\*\*)/;

export type LineWeight = 0 | 1 | 2 | 3;

/**
 * What the beginning of a line is worth as a cut: 3 a heading or definition, 2 a new paragraph, 1 any line, 0 a line that
 * belongs to the one before.
 */
export function lineWeight(kind: FileKind, line: string, before: string): LineWeight {
  if (belongsToBefore(kind, line, before)) return 0;
  const blankBefore = before.trim() === '';
  if (startsSection(kind, line, blankBefore)) return 3;
  return blankBefore && line.trim() !== '' ? 2 : 1;
}

function belongsToBefore(kind: FileKind, line: string, before: string): boolean {
  if (kind === 'code') return line.trim() !== '' && ANNOTATION.test(before);
  if (kind !== 'markdown' || before.trim() === '') return false;
  return RULE.test(line) || DOUBLE_RULE.test(before);
}

function startsSection(kind: FileKind, line: string, blankBefore: boolean): boolean {
  if (kind === 'markdown') return MARKDOWN_HEADING.test(line) || (blankBefore && DOUBLE_RULE.test(line));
  if (kind !== 'code') return false;
  const topLevel = /^[^\s}\])]/.test(line);
  return topLevel && (blankBefore || CODE_DEFINITION.test(line) || ANNOTATION_START.test(line));
}

/** Whether a line makes the one before it, which follows a blank line, a title. */
export function isUnderline(kind: FileKind, line: string, before: string): boolean {
  return kind === 'markdown' && before.trim() !== '' && !RULE.test(before) && RULE.test(line);
}
