import { describe, expect, it } from '@jest/globals';
import { citedSentence } from '../../../web/chat/cited-sentence.ts';

describe('citedSentence', () => {
  it.each([
    ['Apes climb. Owls **hunt** at night [1][2]. Bears swim [3].', 2, 'Owls hunt at night'],
    ['# Owls\n\n- They hunt with `ears` [1]', 1, 'They hunt with ears'],
    ['1. See [the report](https://a.example), they hunt [1].', 1, 'See the report, they hunt'],
    ['| Owl | hunts at night [1] |', 1, 'Owl · hunts at night'],
    ['The snake_case_name is _kept_ [1].', 1, 'The snake_case_name is kept'],
    ['猴子会爬树而且很快[1]。', 1, '猴子会爬树而且很快'],
    ['`a[1]` cites nothing', 1, undefined],
    ['Owls hunt [1].', 2, undefined],
  ])('of %j, %j: %j', (text, index, sentence) => {
    expect(citedSentence(text, index)).toBe(sentence);
  });
});
