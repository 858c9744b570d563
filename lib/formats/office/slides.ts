import { moveBlocks, type TextPart } from '../join-parts.ts';
import { type TextBlocks, textBlocks } from './text-blocks.ts';

/** Text of a slide, in the three places where it can be. */
export interface SlideBlocks {
  title: TextBlocks;
  body: TextBlocks;
  notes: TextBlocks;
}

export function slideBlocks(count: (text: string) => void): SlideBlocks {
  return { title: textBlocks(count), body: textBlocks(count), notes: textBlocks(count) };
}

const GAP = '\n\n';

/** Puts the title first, wherever it is among the shapes, and the speaker's notes last. */
export function joinSlide({ title, body, notes }: SlideBlocks): TextPart {
  const heading = title.finish().text.replace(/\s+/g, ' ').trim();
  const said = body.finish();
  const noted = notes.finish();
  const parts = [
    { before: '', text: heading, blocks: [{ at: 0, kind: 'heading' as const, level: 1 }] },
    { before: '', ...said },
    { before: 'Notes: ', ...noted },
  ].filter(({ text }) => text !== '');
  return {
    text: parts.map(({ before, text }) => before + text).join(GAP),
    headings: new Set(heading === '' ? [] : [0]),
    blocks: parts.flatMap(({ before, blocks }, index) => {
      const start = parts
        .slice(0, index)
        .reduce((sum, part) => sum + part.before.length + part.text.length + GAP.length, 0);
      return moveBlocks(blocks, start + before.length);
    }),
  };
}
