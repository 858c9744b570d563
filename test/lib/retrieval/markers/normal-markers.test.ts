import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OfferedPassages } from '../../../../lib/retrieval/cite/offered-passages.ts';
import { NormalMarkers, withNormalMarkers } from '../../../../lib/retrieval/markers/normal-markers.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { foundPassage } from '../../../support/samples/found-passage.ts';

const UNDICI =
  'Undici is an HTTP client, written from scratch for Node.js. Its headersTimeout is 300 seconds.';
const AXIOS = 'Axios is a promise based HTTP client for the browser. As in Figure 2, its area is 5 m².';
const BARNS = 'Owls hunt at night and eat mice. Barn owls live in barns [7]. Step 3 is to wait.';
const HOLLOWS = 'Owls sleep in hollow trees by day. Their eggs are white.';
const HAN = '猫头鹰在夜间捕猎，主要吃老鼠。它们白天在树洞里睡觉。';
const LICENSE = 'The software is provided under the MIT License without warranty of any kind.';
const OWLS = { ...foundPassage('owls.pdf', BARNS), part: { page: 3 } };
const DAY = { ...foundPassage('owls.pdf', HOLLOWS), startLine: 40, endLine: 50, part: { page: 4 } };
const OFFERED = new OfferedPassages([
  ...[foundPassage('docs/undici.md', UNDICI), foundPassage('axios.md', AXIOS), OWLS, DAY],
  ...[foundPassage('猫头鹰.md', HAN), foundPassage('LICENSE', LICENSE), foundPassage('seven.md', 'A list.')],
]);

function streamed(answer: string, cuts = [1]): string {
  const markers = new NormalMarkers(OFFERED);
  let shown = '';
  for (let at = 0, n = 0; at < answer.length; n++) {
    const length = (cuts[n % cuts.length] ?? 0) + 1;
    shown += markers.add(answer.slice(at, at + length));
    at += length;
  }
  return shown + markers.end();
}

const U = 'Undici is an HTTP client';
const NIGHT = '猫头鹰在夜间捕猎';

describe('NormalMarkers', () => {
  it.each([
    [`${U} (1).`, `${U} [1].`],
    [`${U}（1）.`, `${U} [1].`],
    [`${U} [Passage 1].`, `${U} [1].`],
    [`${U} [passage 1].`, `${U} [1].`],
    [`${U} [Source 1].`, `${U} [1].`],
    [`${U} [number 1].`, `${U} [1].`],
    [`${U} [#1].`, `${U} [1].`],
    [`${U} [1, passage 2].`, `${U} [1][2].`],
    [`${U}[^1].`, `${U} [1].`],
    [`${U}【1†source】.`, `${U} [1].`],
    [`${U}【1†L12-L20】.`, `${U} [1].`],
    [`${U}<sup>1</sup>.`, `${U} [1].`],
    [`${U}<sup>[1]</sup>.`, `${U} [1].`],
    [`${U}¹.`, `${U} [1].`],
    [`${U}¹˒².`, `${U} [1][2].`],
    ['The trail climbs 2,150 m[^4].', 'The trail climbs 2,150 m [4].'],
    ['It is up to 20 %【1†source】.', 'It is up to 20 % [1].'],
    [`${U} ①.`, `${U} [1].`],
    [`${U} [undici.md].`, `${U} [1].`],
    [`${U} [docs/undici.md].`, `${U} [1].`],
    [`${U} [\`undici.md\`].`, `${U} [1].`],
    [`${U} [undici].`, `${U} [1].`],
    [`${U} [undici.md, axios.md].`, `${U} [1][2].`],
    [`${U} (Source: undici.md).`, `${U} [1].`],
    [`${U} [passage-663f12ab number="1"].`, `${U} [1].`],
    [`${U} <passage-663f12ab number="1">.`, `${U} [1].`],
    [`${U} [passage-663f… number="1" file="docs/undici.md"].`, `${U} [1].`],
    [`${U} (Passage 1).`, `${U} [1].`],
    [`${U} (see passages 1 and 2).`, `${U} [1][2].`],
    [`${U} [Passages 1–2].`, `${U} [1][2].`],
    [`${U} [citation:1].`, `${U} [1].`],
    [`${U} [ref. 1; 2].`, `${U} [1][2].`],
    [`${U} [doc1].`, `${U} [1].`],
    [`${U}［1］［2］.`, `${U} [1][2].`],
    [`${U} [١].`, `${U} [1].`],
    ['Owls hunt at night [Quelle 3].', 'Owls hunt at night [3].'],
    ['Undici — HTTP [источник 1].', 'Undici — HTTP [1].'],
    [`${U} [المصدر ١].`, `${U} [1].`],
    [`${NIGHT}[来源5]。`, `${NIGHT}[5]。`],
    [`${NIGHT}（5）。`, `${NIGHT}[5]。`],
    [`${NIGHT}（来源：5）。`, `${NIGHT}[5]。`],
    [`${NIGHT}【来源：5】。`, `${NIGHT}[5]。`],
    [`${NIGHT}〔5〕。`, `${NIGHT}[5]。`],
    [`${NIGHT}[出典 5]。`, `${NIGHT}[5]。`],
    [`${NIGHT}[第5段]。`, `${NIGHT}[5]。`],
    [`${NIGHT}[猫头鹰.md]。`, `${NIGHT}[5]。`],
    ['Undici 是 HTTP 客户端[来源1]。', 'Undici 是 HTTP 客户端[1]。'],
    [
      'Owls hunt at night (3), axios is a client for the browser (2).',
      'Owls hunt at night [3], axios is a client for the browser [2].',
    ],
    ['Owls hunt at night.³ They eat mice.', 'Owls hunt at night. [3] They eat mice.'],
    ['According to [Passage 1], it is.', 'According to [1], it is.'],
    ['According to [undici.md], it is.', 'According to [1], it is.'],
    ['It is free of warranty [LICENSE].', 'It is free of warranty [6].'],
    ['It is out of range [Passage 99].', 'It is out of range [99].'],
  ])('reads a marker: %j → %j', (answer, text) => {
    expect(withNormalMarkers(answer, OFFERED)).toBe(text);
    expect(streamed(answer)).toBe(text);
  });

  it.each([
    ['Owls eat mice [owls.pdf, page 3].', 'Owls eat mice [3].'],
    ['Birds sleep [owls.pdf, page 4].', 'Birds sleep [4].'],
    ['Birds sleep [owls.pdf, lines 41-44].', 'Birds sleep [4].'],
    ['Birds sleep [owls.pdf, passage 4].', 'Birds sleep [4].'],
    ['Their eggs are white [owls.pdf].', 'Their eggs are white [4].'],
    ['They hunt at night [owls.pdf].', 'They hunt at night [3].'],
    ['Owls sleep in hollow trees (owls.pdf, p. 4).', 'Owls sleep in hollow trees [4].'],
  ])('chooses among passages of a file by the location or the sentence: %j → %j', (answer, text) => {
    expect(streamed(answer)).toBe(text);
  });

  it.each([
    'There are two ways: (1) first, (2) second.',
    '(1) Undici is an HTTP client. (2) Axios is one, too.',
    'Owls (1) hunt at night and (2) sleep by day.',
    'It began in (2019), and in [2020], as f(1) and sleep(3).',
    'x[1], x[Passage 1], args[#1], and [1](https://a.example), [undici.md](undici.md).',
    '`[Passage 1]` and `(1)`\n\n```\n[Source 1]\n```\n',
    '$$ [Passage 1] (1) $$',
    '<code>[Passage 1]</code>',
    'x⁷, 2³, 10¹, (a + b)², mm³, and 5 kg·m².',
    'The area is 5 m², 10⁵, E = mc², x¹, and cm<sup>2</sup>.',
    'As shown in [Figure 2], its area is 5 m².',
    'Then see [Step 3] to wait.',
    'The team has a lead (1), engineers (5), and testers (3).',
    'Only granite is gray (2).',
    'The setting is in a file of its own (axios.md).',
    'Choose [Option 1] or [Level 2] of granite.',
    'See [the docs], [x], [], and [TODO: 3 things].',
    'In the interval [0, 1) and (0, 1].',
    '- [x] done\n- [ ] open',
    'It was [sic] gray [emphasis added].',
    '它有（三）种，见（一）。',
    'Half ½ of it, ¾ of it.',
    'Issue [#2] of granite.',
  ])('keeps text that cites nothing: %j', (answer) => {
    expect(withNormalMarkers(answer, OFFERED)).toBe(answer);
    expect(streamed(answer)).toBe(answer);
  });

  it('keeps a bracket that occurs in another passage after the same words', () => {
    expect(streamed('Barn owls live in barns [7]. Mice hide [7].')).toBe(
      'Barn owls live in barns \\[7]. Mice hide [7].',
    );
  });

  it.each([
    ['Sources: [1] undici.md [2] axios.md', 'Sources: undici.md axios.md'],
    ['References\n[1] undici.md\n[2] axios.md', 'References\nundici.md\naxios.md'],
    [
      '## Quellen\n- [1] docs/undici.md, Zeilen 3-5\n- [2] axios.md',
      '## Quellen\n- docs/undici.md, Zeilen 3-5\n- axios.md',
    ],
    ['**Sources**\n\n1. [undici.md]\n2. [axios.md]', '**Sources**\n\n1. undici.md\n2. axios.md'],
    ['来源：[1]，[2]', '来源：`docs/undici.md`，`axios.md`'],
    ['Quellen:\n[1]\n[3]', 'Quellen:\n`docs/undici.md`\n`owls.pdf`'],
    ['[^1]: undici.md, line 3', 'undici.md, line 3'],
    ['[1] axios.md\n[2] undici.md', 'axios.md\nundici.md'],
  ])('removes the markers of a list of sources: %j → %j', (list, text) => {
    const answer = `${U} [1].\n\n`;
    expect(withNormalMarkers(answer + list, OFFERED)).toBe(answer + text);
    expect(streamed(answer + list)).toBe(answer + text);
  });

  it.each([
    'These files mention owls:\n- owls.pdf [3]\n- undici.md [1]',
    'Owls hunt.\n[1][2]',
    '[1] Owls hunt at night.\n[2] Mice hide.',
    'Owls: they hunt at night [3].',
  ])('keeps the markers of lines with content: %j', (answer) => {
    expect(streamed(answer)).toBe(answer);
  });

  it('returns the same text for any chunking', () => {
    const pieces = fc.constantFrom(
      ...[
        U,
        NIGHT,
        '(1)',
        '（5）',
        '[Passage 1]',
        '[^1]',
        '¹',
        '²',
        '<sup>1</sup>',
        '[undici.md]',
        '【1†source】',
      ],
      ...[
        '(',
        ')',
        '[',
        ']',
        '<',
        ' ',
        '\n',
        '. ',
        '。',
        ', ',
        '`',
        '$$',
        'Sources: ',
        'owls.pdf',
        '[owls.pdf]',
        '[Step 3]',
        '1',
      ],
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }),
        fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }),
        (texts, cuts) => {
          const answer = texts.join('');
          expect(streamed(answer, cuts)).toBe(withNormalMarkers(answer, OFFERED));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('passes on text without a marker immediately, and delays at most a sentence', () => {
    const markers = new NormalMarkers(OFFERED);
    expect(markers.add('Owls hunt ')).toBe('Owls hunt ');
    expect(markers.add('(a remark that is much longer than a label')).toBe(
      '(a remark that is much longer than a label',
    );
    expect(markers.add(') at night (3')).toBe(') at night ');
    expect(markers.add('). They ')).toBe('[3]. They ');
  });

  it('is fast with long answers of brackets', async () => {
    const pieces = ['(1', '[Passage ', '[owls.pdf ', '¹', '<sup>', 'night (3), ', '- [1]\n', '(1)'];
    const read = () => pieces.map((piece) => streamed(piece.repeat(3000), [3]));
    expect(await cpuTimeOf(read)).toBeLessThan(8000);
  });
});
