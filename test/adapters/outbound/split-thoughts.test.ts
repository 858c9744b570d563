import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type OpenedByTemplate,
  ThoughtSplitter,
  thoughtSplitter,
} from '../../../lib/adapters/outbound/split-thoughts.ts';

type Said = { thoughts: string; text: string };

/** Returns the text and thoughts that a reader has at the end, for content in these chunks. */
function readAll(pieces: string[], splitter: ThoughtSplitter, ending: 'stop' | 'cut' = 'stop'): Said {
  let [thoughts, text] = ['', ''];
  for (const event of [...pieces.flatMap((piece) => splitter.add(piece)), ...splitter.end(ending)]) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'reasoning') thoughts += event.text;
    if (event.type === 'text-was-reasoning') [thoughts, text] = [thoughts + text, ''];
  }
  return { thoughts, text };
}

function read(content: string, opened: OpenedByTemplate = 'unsure'): Said {
  return readAll([content], new ThoughtSplitter(opened));
}

const THOUGHTS: [string, string, string][] = [
  ['<think>\nPassage [3]?\n</think>\n\nAt night [1].', '\nPassage [3]?\n', 'At night [1].'],
  ['Okay, passage [3].\n</think>\n\nAt night [1].', 'Okay, passage [3].\n', 'At night [1].'],
  ['It asks about owls. </think> At night [1].', 'It asks about owls. ', 'At night [1].'],
  ['好的，用户在问猫头鹰。\n</think>\n\n在夜里 [1]。', '好的，用户在问猫头鹰。\n', '在夜里 [1]。'],
  ['</think>\n\nAt night.', '', 'At night.'],
  ['<thought>a</thought>At night.', 'a', 'At night.'],
  ['<Thinking>a</Thinking>\n<think>b</think> At night.', 'ab', 'At night.'],
  ['<seed:think>a</seed:think>At night.', 'a', 'At night.'],
  ['[THINK]a[/THINK]At night.', 'a', 'At night.'],
  ['◁think▷a◁/think▷At night.', 'a', 'At night.'],
  ['<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>At night.<|END_RESPONSE|>', 'a', 'At night.'],
  ['<think>a</think>\n<answer>\nAt night.\n</answer>', 'a', 'At night.\n'],
  [
    '<|channel|>analysis<|message|>Owls?<|end|><|start|>assistant<|channel|>final<|message|>At night.<|return|>',
    'Owls?',
    'At night.',
  ],
  ['analysisWe look at [3].assistantfinalAt night.', 'We look at [3].', 'At night.'],
  ['<think>About "</think>" tags.</think>At night.', 'About "</think>" tags.', 'At night.'],
];

/** Thoughts that don't end: the model has finished, and the answer is inside them. */
const UNCLOSED: [string, string?][] = [
  ['<think>It never ends [3].', 'It never ends [3].'],
  ['<think>\nIt never ends [3].', 'It never ends [3].'],
  ['<|channel|>analysis<|message|>Owls hunt [3].', 'Owls hunt [3].'],
  ['<think> is the tag with which DeepSeek R1 begins its thoughts [1].'],
  ['<reasoning> is the element that has the grounds [1]. It has two attributes.'],
  ['[THINK] is how Magistral begins its thoughts [1].'],
  ['analysisResults.json holds the figures of 2024 [1]. It is written by report.ts [2].'],
  ['analysisService is the class that does it [1].'],
  ['analysis方法在第3节说明 [1]。'],
];

/** Tags and tokens that an answer discusses. */
const PLAIN = [
  'Models write `<think>` and `</think>`.',
  'Models write <think> and </think> around thoughts.',
  'A lone </think> in a sentence.',
  '```\n<think>\nx\n</think>\n```\nSo R1 writes.',
  'The last line of the prompt:\n\n    </think>\n\nSo it begins.',
  'The token is <|im_end|>',
  'It ends with `<|im_end|>`',
  '```\nHi<|im_end|>\n```',
  'Qwen writes <|im_end|> and Gemma <end_of_turn>.',
  'a < b, c > d, <table>, `x`, [1], [/etc/hosts]',
  '[1] says so.',
  '<tool_call>{"name":"grep"}</tool_call>',
  'The special tokens are:\n\n<|im_start|>\n<|im_end|>\n\nThey mark turns. Owls hunt [1].',
  'The special tokens are these.\n\n<|im_start|>\n<|im_end|>\n\nThey mark turns. Owls hunt [1].',
  'The special tokens are:\n\n<|im_start|>\n<|im_end|>',
  'A turn ends so:\n\n<|im_end|>\n<|im_start|>user\n\nThen the next one begins.',
  'The template writes this.\n\n<|im_end|><|im_start|>user`\\n` and the question.',
  'The roles are these.\n\n<|system|>\n<|user|>\n<|assistant|>\n\nThey take turns.',
  'Old prices: <s>10.</s></s> now 8 [1].',
  'To end a thought, the template writes this line:\n\n</think>\n\nThat is all.',
];

const LEFT_OVER = [
  '<|im_end|>',
  '</s>',
  '<end_of_turn>',
  '<|eot_id|>',
  '<|endoftext|>',
  '<｜end▁of▁sentence｜>',
  '<turn|>',
];

describe('ThoughtSplitter', () => {
  it.each(THOUGHTS)('extracts the thought from %j', (content, thoughts, text) => {
    expect(read(content)).toEqual({ thoughts, text });
    expect(read(content, 'whole')).toEqual({ thoughts, text });
    expect(read(content, 'always')).toEqual({ thoughts, text });
  });

  it.each(UNCLOSED)('returns %j as text', (content, text = content) => {
    for (const mode of ['never', 'unsure', 'whole', 'always'] as const)
      expect(read(content, mode).text).toBe(text);
    if (content.startsWith('<think>'))
      expect(readAll([content], new ThoughtSplitter('unsure'), 'cut').text).toBe('');
  });

  it('treats the word `analysis` as a channel name only if the final channel follows', () => {
    const content = 'analysisResults.json holds the fig';
    expect(readAll([content], new ThoughtSplitter('unsure'), 'cut').text).toBe(content);
  });

  it('returns no thought as text before or after a tool call', () => {
    const splitter = new ThoughtSplitter('unsure');
    const said = [...splitter.add('<think>I must look.'), ...splitter.end(), ...splitter.end('stop')];
    expect(said).toEqual([{ type: 'reasoning', text: 'I must look.' }]);
  });

  it.each(PLAIN)('leaves %j unchanged', (content) => {
    expect(read(content)).toEqual({ thoughts: '', text: content });
  });

  it.each(LEFT_OVER)("removes %j and any text after the model's turn from the end of an answer", (token) => {
    const kept = ['At night [1].', 'At night [1].\n'];
    expect(read(`At night [1].${token}`).text).toBe(kept[0]);
    expect(read(`At night [1].\n${token}\n`).text).toBe(kept[1]);
    expect(read(`At night [1].${token}\n<|im_start|>user\nAnd bats?`).text).toBe(kept[0]);
    expect(read(`At night [1].${token}\n<|user|>\nAnd bats?`).text).toBe(kept[0]);
    expect(read(`At night [1].${token.repeat(100)}`).text).toBe(kept[0]);
  });

  it('passes on text immediately, except the possible start of a tag', () => {
    const splitter = new ThoughtSplitter('unsure');
    expect(splitter.add('At night')).toEqual([{ type: 'text', text: 'At night' }]);
    expect(splitter.add(' they hunt <')).toEqual([{ type: 'text', text: ' they hunt ' }]);
    expect(splitter.add('3 mice').map((event) => 'text' in event && event.text)).toEqual(['<', '3 mice']);
  });

  it('stops a model that writes only spaces or continues after its turn', () => {
    const leaves = (content: string, pieces: string) => {
      const splitter = new ThoughtSplitter('unsure');
      splitter.add(content);
      for (let sent = 0; sent < 4000; sent += pieces.length) splitter.add(pieces);
    };
    expect(() => leaves('', '\n')).toThrow(expect.objectContaining({ reason: 'repeats' }));
    expect(() => leaves('', '  ')).toThrow(expect.objectContaining({ reason: 'repeats' }));
    const turn = 'At night.<|im_end|>\n<|im_start|>user\n';
    expect(() => leaves(turn, 'And bats? ')).toThrow(expect.objectContaining({ reason: 'stop' }));
    expect(read(`${'\n'.repeat(60_000)}    At night.`).text).toBe('    At night.');
  });

  it('passes on the answer for a non-streaming reader when it ends in many spaces', () => {
    const splitter = new ThoughtSplitter('whole');
    expect(splitter.add('{"a":1}')).toEqual([]);
    expect(splitter.add('\n'.repeat(60))).toContainEqual({
      type: 'text',
      text: expect.stringContaining('{"a":1}'),
    });
  });

  it('returns the same result for any chunking', () => {
    const bits = fc.constantFrom(
      ...[
        '<think>',
        '</think>',
        '\n',
        '. ',
        ' ',
        'owls',
        '`',
        '```',
        '"',
        '<',
        '>',
        '[1]',
        '<|im_end|>',
        '<|im_start|>',
      ],
      ...[
        '<|channel|>',
        'analysis',
        '<|message|>',
        '<|end|>',
        'final',
        'assistant',
        '</s>',
        '<thought>',
        '[THINK]',
        '|',
        'user',
        ':\n\n',
        '   ',
      ],
    );
    const content = fc.array(bits, { maxLength: 14 }).map((all) => all.join(''));
    const cases = fc.oneof(content, fc.constantFrom(...THOUGHTS.map(([all]) => all), ...PLAIN));
    const modes = fc.constantFrom<OpenedByTemplate>('never', 'always', 'unsure', 'whole');
    fc.assert(
      fc.property(cases, modes, fc.infiniteStream(fc.nat(6)), (all, mode, lengths) => {
        const pieces: string[] = [];
        for (let at = 0; at < all.length; at += pieces.at(-1)?.length || 1)
          pieces.push(all.slice(at, at + 1 + (lengths.next().value ?? 0)));
        const whole = readAll([all], new ThoughtSplitter(mode));
        expect(readAll(pieces, new ThoughtSplitter(mode))).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('stays fast with many tags and tokens', () => {
    for (const unit of ['\n', '  ', '</think>']) {
      const splitter = new ThoughtSplitter('unsure');
      splitter.add('At night.\n');
      for (let sent = 0; sent < 100_000; sent += unit.length) splitter.add(unit);
    }
    const many = 'a <|x|> b <think> c </think> [/ '.repeat(20_000);
    expect(read(many).text).toHaveLength(many.length);
  }, 20_000);
});

describe('thoughtSplitter', () => {
  const open = (thinking?: 'off') => thoughtSplitter('http://127.0.0.1:1/v1', 'r1', { thinking });
  const types = (splitter: ThoughtSplitter, content: string) =>
    [...splitter.add(content), ...splitter.end('stop')].map(({ type }) => type);

  it('learns from two answers that a template opens the thought, and forgets it after an answer without a thought', () => {
    const opens = () => types(open(), 'Hm.\n</think>\n\nYes.');
    expect(opens()).toContain('text-was-reasoning');
    expect(opens()).toContain('text-was-reasoning');
    expect(opens()).toEqual(['reasoning', 'text']);
    expect(types(open('off'), 'Yes.')).toEqual(['text']);
    expect(types(open(), 'Yes.')).toEqual(['reasoning', 'text']);
    expect(types(open(), 'Yes.')).toEqual(['text']);
  });

  it('learns nothing about the tag from a single answer', () => {
    const about = thoughtSplitter('http://127.0.0.1:1/v1', 'plain', {});
    expect(readAll(['The line is this.\n</think>\nThat is all.'], about).text).toBe('That is all.');
    const next = () => thoughtSplitter('http://127.0.0.1:1/v1', 'plain', {});
    expect(readAll(['300 seconds [1]. And'], next(), 'cut').text).toBe('300 seconds [1]. And');
    expect(readAll(['300 seconds [1].'], next()).text).toBe('300 seconds [1].');
  });

  it('does not reclassify text of a provider, whose thoughts have both tags', () => {
    const splitter = thoughtSplitter(undefined, 'gpt', {});
    expect(readAll(['The tag is\n</think>\nhere.'], splitter).text).toBe('The tag is\n</think>\nhere.');
  });
});
