import { InvalidInput } from '../../errors.ts';

/** A comment on a stretch of a draft's text. */
export interface DraftComment {
  start: number;
  end: number;
  text: string;
}

/** Returns the author's own DOCX file with comments. */
export async function commentDraft(_bytes: Uint8Array, _comments: DraftComment[]): Promise<Uint8Array> {
  throw new InvalidInput(
    'draft_export_unsupported',
    'DOCX comments are not written yet. Export the check as Markdown.',
  );
}
