import { Unreadable } from '../../errors.ts';
import { isolatedProgram } from '../../isolation/program.ts';
import { type CommentedDocx, commentDocx } from './comment-docx.ts';
import { type Draft, type DraftBlock, type DraftFormat, sentencesOf } from './draft.ts';
import { readHtmlDraft } from './html-draft.ts';
import { latexBlocks } from './latex-blocks.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { textBlocks } from './text-blocks.ts';
import { readWordDraft } from './word-draft.ts';

/** A longer text isn't a draft. */
const MAX_CHARACTERS = 5_000_000;

/** Drafts are untrusted, so they are read in a separate process. */
export const program = isolatedProgram(import.meta, {
  readDocx: async ({ bytes }: { bytes: Uint8Array }) => {
    const { text, blocks } = await readWordDraft(await zipReader(), bytes);
    return toDraft('docx', text, blocks);
  },
  commentDocx: async (input: CommentedDocx) => commentDocx(await zipReader(), input),
  readText: ({ format, source }: { format: Exclude<DraftFormat, 'docx'>; source: string }) => {
    refuseLong(source);
    if (format === 'html') {
      const { text, blocks } = readHtmlDraft(source);
      return toDraft(format, text, blocks);
    }
    return toDraft(format, source, BLOCKS[format](source));
  },
});

const BLOCKS: Record<'md' | 'tex' | 'txt', (source: string) => DraftBlock[]> = {
  md: markdownBlocks,
  tex: latexBlocks,
  txt: textBlocks,
};

function toDraft(format: DraftFormat, text: string, blocks: DraftBlock[]): Draft {
  refuseLong(text);
  return { format, text, sentences: sentencesOf(blocks) };
}

function refuseLong(text: string): void {
  if (text.length > MAX_CHARACTERS)
    throw new Unreadable('size', 'The draft has more than 5 million characters.');
}

/** A CommonJS package: bundled, it has nothing but its default export. */
async function zipReader() {
  return (await import('yauzl')).default;
}
