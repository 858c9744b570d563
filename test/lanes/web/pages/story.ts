import { type Hand, keyboardHand, mouseHand } from '../hands.ts';
import { inBrowser, type Lane } from '../lane.ts';
import { tellStory } from '../story.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

/**
 * Plays the story of a day, with axe at each of its moments: with a mouse in the light theme, and with only
 * the keyboard in the dark theme.
 */
export const storyPages: ConsolePage[] = [
  { name: 'the story by mouse', isApart: true, visit: withMouse, views: async () => [] },
  { name: 'the story by keyboard', isApart: true, visit: byKeyboard, views: async () => [] },
];

function withMouse(lane: Lane): Promise<void> {
  return live(lane, 'light', mouseHand);
}

async function byKeyboard(lane: Lane): Promise<void> {
  let tabs = () => 0;
  await live(lane, 'dark', (page) => {
    const hand = keyboardHand(page);
    tabs = () => hand.tabs;
    return hand;
  });
  process.stdout.write(`the story by keyboard: ${tabs()} times Tab, each stop visible\n`);
}

async function live(
  lane: Lane,
  theme: 'light' | 'dark',
  handOf: (page: Parameters<typeof mouseHand>[0]) => Hand,
): Promise<void> {
  await inBrowser(
    lane,
    async (page) => {
      const moment = (name: string) => checkByAxe(page, `the story’s moment “${name}”, ${theme}`);
      await tellStory({ lane, page, hand: handOf(page), moment });
    },
    { theme },
  );
}
