import { posix } from 'node:path';
import mime from 'mime';
import { exportName } from '../api-contract/export-name.ts';
import { Conflict, InvalidInput } from '../errors.ts';
import { docx } from '../formats/office/docx.ts';
import { isRunOver } from '../runs/schema.ts';
import { commentDraft } from './draft/read-draft.ts';
import { describeCheck, type FoundCheck } from './find-check.ts';
import type { BeginCheckPorts } from './ports.ts';
import type { CHECK_FORMATS, DraftCheck } from './request-schema.ts';
import { commentsOn, toCheckMarkdown, withWorkspaceNames } from './show-check.ts';
import { readOriginal } from './stored-draft.ts';

type CheckFormat = (typeof CHECK_FORMATS)[number];

export interface ExportedCheck {
  bytes: Uint8Array;
  contentType: string;
  /** The file name, derived from the draft's. */
  name: string;
}

/**
 * Exports a finished check as Markdown, as JSON, or as Word comments on the author's own DOCX. Throws Conflict before
 * the check has finished, and InvalidInput for comments on a draft of another format.
 */
export async function exportCheck(
  ports: BeginCheckPorts,
  found: FoundCheck,
  format: CheckFormat,
): Promise<ExportedCheck> {
  const check = await describeCheck(ports, found);
  if (!isRunOver(check.status))
    throw new Conflict('draft_check_not_ready', `The draft is still being checked (${check.status}).`);
  const { name: title, ext } = posix.parse(check.name);
  const own = ext.slice(1).toLowerCase();
  const extension = format === 'docx' && docx.extensions.includes(own) ? own : format;
  const contentType = format === 'md' ? 'text/markdown; charset=utf-8' : (mime.getType(extension) ?? '');
  const bytes = await write(ports, found, check, format);
  return { bytes, contentType, name: exportName(`${title} checked`, extension, 'draft') };
}

async function write(
  ports: BeginCheckPorts,
  { run, request, workspaces }: FoundCheck,
  found: DraftCheck,
  format: CheckFormat,
): Promise<Uint8Array> {
  if (format === 'json') return Buffer.from(JSON.stringify(found, null, 2));
  const check = withWorkspaceNames(found, workspaces);
  if (format === 'md') return Buffer.from(toCheckMarkdown(check));
  if (check.format !== 'docx')
    throw new InvalidInput(
      'draft_export_unsupported',
      `format can be docx only for a DOCX draft, whose author gets comments in the same file. This draft is ${check.format}.`,
      { field: 'format' },
    );
  return commentDraft(await readOriginal(ports, request), commentsOn(check), run.workspaceId);
}
