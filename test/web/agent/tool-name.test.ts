import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TOOL_NAMES } from '../../../lib/api-contract/tool-names.ts';

const namesIn = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`web/languages/${language}/agent.json`, 'utf8')).tools;

describe('run step', () => {
  it.each(['en', 'zh-CN'])('names each tool in words: %s', (language) => {
    const names = namesIn(language);
    expect(Object.keys(names).toSorted()).toEqual(TOOL_NAMES.toSorted());
    for (const [tool, name] of Object.entries(names)) expect(name).not.toBe(tool);
  });
});
