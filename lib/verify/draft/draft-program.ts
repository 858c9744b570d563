import { Unreadable } from '../../errors.ts';
import { commentDocx, requireCommentable, type WordComment } from '../../formats/office/comment-docx.ts';
import { isolatedProgram } from '../../isolation/program.ts';
import { findClaims } from '../find-claims.ts';
import type { DraftFormat } from '../schema.ts';
import {
  type DraftBlock,
  MAX_DRAFT_SENTENCES,
  type ReadDraft,
  type SentenceOfDraft,
  sentencesOfBlocks,
} from './draft.ts';
import { findReferences, showKeys } from './draft-references.ts';
import { readHtmlDraft } from './html-draft.ts';
import { readLatexDraft } from './latex-draft.ts';
import { markdownBlocks, plainTextBlocks } from './markdown-blocks.ts';
import { readWordDraft } from './word-draft.ts';

/** The maximum number of characters of a draft. */
const MAX_CHARACTERS = 5_000_000;

/** Drafts are untrusted, so they are read in a separate process. */
export const program = isolatedProgram(import.meta, {
  readDocx: async ({ bytes }: { bytes: Uint8Array }) => {
    const draft = await readWordDraft(await zipReader(), bytes);
    await requireCommentable(draft);
    return toDraft('docx', draft, '');
  },
  commentDocx: async ({ bytes, ...wanted }: { bytes: Uint8Array; comments: WordComment[]; at: Date }) => {
    const engine = await zipReader();
    return commentDocx(engine, bytes, await readWordDraft(engine, bytes), wanted);
  },
  readText: ({ format, source }: { format: Exclude<DraftFormat, 'docx'>; source: string }) => {
    refuseLong(source);
    return toDraft(format, READERS[format](source), source);
  },
});

const READERS: Record<Exclude<DraftFormat, 'docx'>, (source: string) => ReadBlocks> = {
  html: readHtmlDraft,
  tex: readLatexDraft,
  // In these formats, the text of the draft is the file itself.
  md: (source) => ({ text: source, blocks: markdownBlocks(source) }),
  txt: (source) => ({ text: source, blocks: plainTextBlocks(source) }),
};

interface ReadBlocks {
  text: string;
  blocks: DraftBlock[];
}

/** Claims are also found here, so that other requests don't wait for a long draft. */
function toDraft(format: DraftFormat, { text, blocks }: ReadBlocks, source: string): ReadDraft {
  refuseLong(text);
  const sentences = sentencesOfBlocks(blocks);
  // Such a draft is refused.
  if (sentences.length > MAX_DRAFT_SENTENCES) return { format, text, sentences, claims: [], listed: [] };
  // draft is
  // refused
  const keyed = format === 'tex' ? keyedSentences(source, sentences) : undefined;
  const found = findReferences({ format, source, text, sentences, ...(keyed && { keyed }) });
  return { format, text, sentences, ...findClaims({ text, sentences }), ...found };
}

/** Returns the sentences of a LaTeX source with the keys that they cite; undefined if these divide it differently. */
function keyedSentences(source: string, sentences: SentenceOfDraft[]): string[] | undefined {
  const keyed = sentencesOfBlocks(readLatexDraft(showKeys(source)).blocks);
  return keyed.length === sentences.length ? keyed.map(({ text }) => text) : undefined;
}

function refuseLong(text: string): void {
  if (text.length > MAX_CHARACTERS)
    throw new Unreadable('size', 'The draft has more than 5 million characters.');
}

/** In a bundle, a CommonJS package has only its default export. */
async function zipReader() {
  return (await import('yauzl')).default;
}
