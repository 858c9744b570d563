import { describe, expect, it } from '@jest/globals';
import { addToStory, newStory, storyOf } from '../../../../lib/bots/reply/run-story.ts';

describe('tool call on one line', () => {
  it.each([
    [{ path: '', showHidden: false, limit: 200 }, ''],
    [{ path: 'src', showHidden: false, limit: 200 }, 'src'],
    [{ pattern: 'owl', path: 'a', regex: true }, 'owl, a'],
    [{ limit: 5, all: true, since: null }, 'limit: 5, all: true'],
    [{ query: 'owls', rows: [1, 2] }, 'owls, [1,2]'],
    ['plain', 'plain'],
    [null, ''],
  ])('shows %j as "%s"', (input, summary) => {
    const story = newStory();
    addToStory(story, { type: 'tool-input-available', toolCallId: 'c', toolName: 'tool', input });
    expect(storyOf(story).calls).toEqual([{ toolName: 'tool', summary, status: 'running' }]);
  });
});
