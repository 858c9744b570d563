import { chainTexts, moveBlocks, type TextPart } from '../join-parts.ts';
import { type TextBlocks, textBlocks } from './text-blocks.ts';

/** Text of a slide, in its three possible places. */
export interface SlideBlocks {
  title: TextBlocks;
  body: TextBlocks;
  notes: TextBlocks;
}

export function slideBlocks(count: (text: string) => void): SlideBlocks {
  return { title: textBlocks(count), body: textBlocks(count), notes: textBlocks(count) };
}

/** Puts the title first, wherever it is among the shapes, and the speaker's notes last. */
export function joinSlide({ title, body, notes }: SlideBlocks): TextPart {
  const heading = title.finish().text.replace(/\s+/g, ' ').trim();
  const { text, blocks } = notes.finish();
  const label = text === '' ? '' : 'Notes: ';
  return chainTexts([
    { text: heading, headings: new Set([0]), blocks: [{ at: 0, kind: 'heading', level: 1 }] },
    { ...body.finish(), headings: undefined },
    { text: label + text, blocks: moveBlocks(blocks, label.length) },
  ]);
}
