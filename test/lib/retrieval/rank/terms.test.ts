import { describe, expect, it } from '@jest/globals';
import { fileNamer, holdsIdentifier, identifiersOf } from '../../../../lib/retrieval/rank/names.ts';
import { searchedTerms, termsOf } from '../../../../lib/retrieval/rank/terms.ts';

describe('terms of a question', () => {
  it.each([
    ['What is the length of the Firth bridge?', ['length', 'Firth', 'bridge']],
    ["Who's measured it, and how?", ['measured']],
    ['故宫博物院是什么时候成立的？', ['故宫', '博物院', '成立']],
    ['Is IT paid by the WHO?', ['IT', 'paid', 'WHO']],
    ['WHAT IS THE ANSWER', ['ANSWER']],
    ['Bridge, bridge and BRIDGE', ['BRIDGE']],
    ['What does read_file do?', ['read_file']],
    ['what is it?', []],
    ['', []],
  ])('are for %j: %j', (question, terms) => {
    expect(termsOf(question)).toEqual(terms);
  });

  it('are limited in number', () => {
    expect(termsOf(Array.from({ length: 500 }, (_, at) => `word${at}`).join(' '))).toHaveLength(64);
  });
});

describe('search terms', () => {
  it('are the terms of a short question, each once', () => {
    expect(searchedTerms('Bridge, bridge and BRIDGE')).toEqual(['BRIDGE']);
  });

  it('repeat the terms that a long question repeats, without stop words', () => {
    const others = Array.from({ length: 30 }, (_, at) => `word${at}`);
    const searched = searchedTerms(`The bridge: ${others.join(' ')} and the bridge again`);
    expect(searched).toEqual(['bridge', ...others, 'bridge']);
  });
});

describe('identifiers of a question', () => {
  it.each([
    ['What throws UND_ERR_ABORTED in readFile?', ['UND_ERR_ABORTED', 'readFile']],
    ['Is E1042 of net::ERR_FAILED or max_size?', ['E1042', 'net::ERR_FAILED', 'max_size']],
    ['How long is the Firth bridge?', []],
  ])('are for %j: %j', (question, identifiers) => {
    expect(identifiersOf(question)).toEqual(identifiers);
  });

  it('match only as whole words', () => {
    expect(holdsIdentifier('a readFileSync(x)', 'readFile')).toBe(false);
    expect(holdsIdentifier('a readFileSync or readFile(x)', 'readFile')).toBe(true);
  });
});

describe('question', () => {
  it.each([
    ['What does notes/plan.md say?', 'work/notes/plan.md', true],
    ['What does PLAN.MD say?', 'notes/plan.md', true],
    ['what is in send-results?', 'lib/send-results.ts', true],
    ['Who wrote the Makefile?', 'Makefile', true],
    ['What is the plan?', 'notes/plan.md', false],
    ['Under which license?', 'license', false],
    ['What does myplan.md say?', 'notes/plan.md', false],
    ['年度报告.pdf 说了什么？', '档案/年度报告.pdf', true],
  ])('%j names %s: %s', (question, path, names) => {
    expect(fileNamer(question)(path)).toBe(names);
  });
});
