import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../lib/error-codes.ts';

const CODES = Object.keys(ERROR_CODES);

function messagesIn(language: string): Record<string, string> {
  return JSON.parse(readFileSync(`lib/error-messages/${language}.json`, 'utf8'));
}

describe('the catalog of error codes', () => {
  it('has codes in snake_case, sorted, each with an error status', () => {
    expect(CODES.filter((code) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code))).toEqual([]);
    expect(CODES).toEqual([...CODES].sort());
    expect(Object.values(ERROR_CODES).every((status) => status >= 400 && status < 600)).toBe(true);
  });

  it.each(['en', 'zh-CN'])('has a message for every code, and for no other: %s', (language) => {
    expect(Object.keys(messagesIn(language))).toEqual(CODES);
  });

  it('words them in full sentences', () => {
    const english = Object.entries(messagesIn('en'));
    const chinese = Object.entries(messagesIn('zh-CN'));
    expect(english.filter(([, text]) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
    expect(chinese.filter(([, text]) => !/^.*\p{Script=Han}.*。$/u.test(text))).toEqual([]);
    expect(chinese.filter(([, text]) => /您|读入|代理/.test(text))).toEqual([]);
    expect(english.filter(([, text]) => /\b(hub|provider|platform) [A-C]\b/i.test(text))).toEqual([]);
  });
});
