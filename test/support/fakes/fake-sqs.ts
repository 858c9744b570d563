import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { whenDone } from '../temp-folder.ts';

interface BatchEntry {
  Id: string;
  MessageBody?: string;
  ReceiptHandle?: string;
}

export interface FakeSqs {
  url: string;
  /** The batch requests so far, each with its bodies or receipts. */
  requests: string[][];
}

/** SQS's error for an entry; undefined if the entry is accepted. */
export type Verdict = (entry: string, attempt: number) => { Code: string; SenderFault: boolean } | undefined;

/** Implements the batch requests of SQS's JSON protocol, and rejects single entries of them. */
export async function startFakeSqs(verdict: Verdict): Promise<FakeSqs> {
  const requests: string[][] = [];
  const attempts = new Map<string, number>();
  const settle = (entry: BatchEntry) => {
    const text = entry.MessageBody ?? entry.ReceiptHandle ?? '';
    attempts.set(text, (attempts.get(text) ?? 0) + 1);
    return { entry, text, refusal: verdict(text, attempts.get(text) ?? 0) };
  };
  const server = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: BatchEntry[] };
    const settled = Entries.map(settle);
    requests.push(settled.map(({ text }) => text));
    const answer = {
      Successful: settled
        .filter(({ refusal }) => refusal === undefined)
        .map(({ entry, text }) => ({ Id: entry.Id, MessageId: entry.Id, MD5OfMessageBody: md5(text) })),
      Failed: settled.flatMap(({ entry, refusal }) => (refusal ? { Id: entry.Id, ...refusal } : [])),
    };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenDone(async () => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
