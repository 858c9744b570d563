import type { TextPart } from '../join-parts.ts';
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

/** Puts the title first, wherever it is among the shapes, and the speaker's notes last. */
export function joinSlide({ title, body, notes }: SlideBlocks): TextPart {
  const heading = title.finish().text.replace(/\s+/g, ' ').trim();
  const said = notes.finish().text;
  const texts = [heading, body.finish().text, said && `Notes: ${said}`];
  return {
    text: texts.filter((text) => text !== '').join('\n\n'),
    headings: new Set(heading === '' ? [] : [0]),
  };
}
