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

describe('result of a command', () => {
  it.each([
    [0, { status: 'done', summary: 'npm test' }],
    [2, { status: 'failed', summary: 'npm test (exit code 2)' }],
  ])('with exit code %d is shown as %j', (exitCode, shown) => {
    const story = newStory();
    const input = { command: 'npm test' };
    addToStory(story, { type: 'tool-input-available', toolCallId: 'c', toolName: 'bash', input });
    const output = { stdout: '', exitCode, state: exitCode === 0 ? 'done' : 'failed' };
    addToStory(story, { type: 'tool-output-available', toolCallId: 'c', output });
    expect(storyOf(story).calls).toEqual([{ toolName: 'bash', ...shown }]);
  });
});
