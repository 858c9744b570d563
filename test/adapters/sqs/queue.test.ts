import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { sqsQueue } from '../../../lib/adapters/sqs/queue.ts';
import type { Objects } from '../../../lib/ports/objects.ts';
import { startFakeSqs, type Verdict } from '../../support/fakes/fake-sqs.ts';
import { whenDone } from '../../support/temp-folder.ts';

const throttled = { Code: 'RequestThrottled', SenderFault: false };
const refused = { Code: 'InvalidMessageContents', SenderFault: true };
const stale = { Code: 'ReceiptHandleIsInvalid', SenderFault: true };

async function open(verdict: Verdict, name = 'queue') {
  const { url, requests } = await startFakeSqs(verdict);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SQSClient({ endpoint: url, region: 'eu-west-1', credentials });
  whenDone(async () => client.destroy());
  const deleted: string[] = [];
  const objects = { delete: async (key: string) => void deleted.push(key) } as Objects;
  return { queue: sqsQueue(client, `${url}/000000000000/${name}`, objects), requests, deleted };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ body: index }));
const sorted = (texts: string[] = []) => texts.map(Number).sort((a, b) => a - b);

describe('sqsQueue with batch entries that SQS rejects', () => {
  it('sends only those entries again', async () => {
    const flaky: Verdict = (text, attempt) =>
      ['2', '5'].includes(text) && attempt < 3 ? throttled : undefined;
    const { queue, requests } = await open(flaky);
    await queue.send(numbers(7));
    expect(requests.map(sorted)).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [2, 5],
      [2, 5],
    ]);
  });

  it('throws if an entry still fails at the fifth attempt', async () => {
    const { queue, requests } = await open((text) => (text === '1' ? throttled : undefined));
    await expect(queue.send(numbers(3))).rejects.toThrow(
      'SQS did not accept 1 entries of a batch: RequestThrottled',
    );
    expect(requests).toHaveLength(5);
  });

  it('throws immediately for an entry that SQS rejects permanently', async () => {
    const { queue, requests } = await open((text) => (text === '1' ? refused : undefined));
    await expect(queue.send(numbers(3))).rejects.toThrow('InvalidMessageContents');
    expect(requests).toHaveLength(1);
  });

  it('keeps the order of a FIFO group, whose later messages wait until their predecessor is accepted', async () => {
    const flaky: Verdict = (text, attempt) => (text === '0' && attempt < 3 ? throttled : undefined);
    const { queue, requests } = await open(flaky, 'queue.fifo');
    const [a, b] = ['a', 'b'].map((groupId) =>
      numbers(2).map(({ body }) => ({ body: groupId === 'a' ? body : body + 10, groupId })),
    );
    await queue.send([...(a ?? []), ...(b ?? [])]);
    expect(requests.map(sorted)).toEqual([[0, 10], [0], [0], [1, 11]]);
  });

  it('retries failed deletions, and treats expired receipts as deleted', async () => {
    const verdict: Verdict = (text, attempt) =>
      text === 'old' ? stale : text === 'slow' && attempt < 2 ? throttled : undefined;
    const { queue, requests } = await open(verdict);
    await queue.delete(['old', 'slow', 'fine']);
    expect(requests).toEqual([['old', 'slow', 'fine'], ['slow']]);
  });

  it('keeps the large body of a message that an expired receipt did not delete', async () => {
    const { queue, deleted } = await open((text) => (text === 'old' ? stale : undefined));
    const key = (digit: string) => `queue/${digit.repeat(64)}`;
    const receipt = (handle: string, digit: string) => `${handle} {"offloadedTo":"${key(digit)}"}`;
    await queue.delete([receipt('old', '1'), receipt('new', '2')]);
    expect(deleted).toEqual([key('2')]);
  });
});

describe('request of sqsQueue', () => {
  it('stays within ten entries and 256 KB', async () => {
    const { queue, requests } = await open(() => undefined);
    await queue.send([...numbers(23), ...Array.from({ length: 5 }, () => ({ body: 'x'.repeat(100_000) }))]);
    expect(requests.map((request) => request.length)).toEqual([10, 10, 5, 2, 1]);
  });

  it('is not sent without messages', async () => {
    const { queue, requests } = await open(() => undefined);
    await queue.send([]);
    await queue.delete([]);
    expect(requests).toEqual([]);
  });
});
