import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { predictEntailment, readLabels } from '../../../lib/adapters/text-embeddings-inference/entailment.ts';
import { whenDone } from '../../support/temp-folder.ts';

const service = { status: 200, answer: '' };
let asked: { url: string | undefined; headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
let baseUrl = '';

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { url, headers } = request;
    asked.push({ url, headers, body: JSON.parse(Buffer.concat(pieces).toString()) });
    response.writeHead(service.status, { 'content-type': 'application/json' }).end(service.answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenDone(async () => server.close());
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

beforeEach(() => {
  Object.assign(service, { status: 200, answer: '[]' });
  asked = [];
});

const PAIRS = ['a', 'b'].map((hypothesis) => ({ premise: 'p', hypothesis }));
const label = (name: string, score: unknown) => ({ label: name, score });
const ENTAILED = [label('neutral', 0.05), label('entailment', 0.9), label('contradiction', 0.05)];

function entail(settings = {}) {
  const model = predictEntailment({ apiKey: 'sk-secret', baseUrl, model: 'm', ...settings });
  return model.entail(PAIRS, { signal: AbortSignal.timeout(5000), withinMs: 4000 });
}

describe('Text Embeddings Inference client of /predict', () => {
  it('returns the scores of each pair, in the order of the pairs', async () => {
    service.answer = JSON.stringify([ENTAILED, ENTAILED.map(({ label: name }) => label(name, 1 / 3))]);
    expect(await entail()).toEqual([
      { entailment: 0.9, contradiction: 0.05 },
      { entailment: 1 / 3, contradiction: 1 / 3 },
    ]);
    expect(asked).toMatchObject([{ url: '/predict', headers: { authorization: 'Bearer sk-secret' } }]);
    const inputs = [
      ['p', 'a'],
      ['p', 'b'],
    ];
    expect(asked[0]?.body).toEqual({ inputs, truncate: true, raw_scores: false });
  });

  it('sends the model and the remaining time to a server that accepts them', async () => {
    service.answer = '[[],[]]';
    expect(await entail({ takesTime: true })).toEqual([undefined, undefined]);
    expect(asked[0]?.body).toMatchObject({ model: 'm', max_ms: 4000 });
  });

  it.each<[string, unknown]>([
    ['no number', [label('entailment', null), label('neutral', 0.1)]],
    ['an invalid probability', [label('entailment', 7.3), label('neutral', -2)]],
    ['a score as a string', [label('entailment', '0.9'), label('neutral', 0.1)]],
    ['a label without a name', [{ score: 0.9 }, label('neutral', 0.1)]],
    ['90,000 labels', Array.from({ length: 9000 }, (_, at) => label(`l${at}`, 0.1))],
    ['something else', 'entailment'],
  ])('skips a pair with %s, and reads the other pair', async (_, scores) => {
    service.answer = JSON.stringify([scores, ENTAILED]);
    expect(await entail()).toEqual([undefined, { entailment: 0.9, contradiction: 0.05 }]);
  });

  it.each([
    ['a rejection', 401, '{"message":"sk-secret is wrong"}', 'The entailment model refused the key.'],
    ['a failure', 500, '{}', 'The entailment model failed (500).'],
    ['another format', 200, '{"data":[]}', "The entailment model returned an answer that can't be read."],
    ['fewer pairs', 200, '[[]]', "The entailment model returned an answer that can't be read."],
    ['more pairs', 200, '[[],[],[]]', "The entailment model returned an answer that can't be read."],
    ['invalid JSON', 200, 'NaN', "The entailment model returned an answer that can't be read."],
  ])('throws for %s', async (_, status, answer, message) => {
    Object.assign(service, { status, answer });
    await expect(entail()).rejects.toThrow(message);
  });
});

describe('readLabels', () => {
  it.each<[string, [string, number][], object | undefined]>([
    [
      'capitalized names',
      [
        ['CONTRADICTION', 0.1],
        ['NEUTRAL', 0.2],
        ['ENTAILMENT', 0.7],
      ],
      { entailment: 0.7, contradiction: 0.1 },
    ],
    [
      'two entailment labels',
      [
        ['entailment', 0.7],
        ['not_entailment', 0.3],
      ],
      { entailment: 0.7, contradiction: 0 },
    ],
    [
      'two labels without names',
      [
        ['LABEL_1', 0.7],
        ['LABEL_0', 0.3],
      ],
      { entailment: 0.7, contradiction: 0 },
    ],
    [
      'two fact-checking labels',
      [
        ['unsupported', 0.3],
        ['supported', 0.7],
      ],
      { entailment: 0.7, contradiction: 0 },
    ],
    [
      'three labels without names',
      [
        ['LABEL_0', 0.1],
        ['LABEL_1', 0.7],
        ['LABEL_2', 0.2],
      ],
      undefined,
    ],
    [
      'a duplicate label',
      [
        ['entailment', 0.7],
        ['entailment', 0.3],
      ],
      undefined,
    ],
    ['one label', [['entailment', 1]], undefined],
    [
      'other labels',
      [
        ['positive', 0.7],
        ['negative', 0.3],
      ],
      undefined,
    ],
    ['none', [], undefined],
  ])('reads %s', (_, labels, scores) => {
    expect(readLabels(labels.map(([name, score]) => ({ label: name, score })))).toEqual(scores);
  });
});
