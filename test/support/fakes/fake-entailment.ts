import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from '../temp-folder.ts';

interface FakeEntailment {
  url: string;
  /** Each premise with its hypothesis. */
  asked: [string, string][];
  /** `entailment`, `contradiction`, or `neutral` for a sentence. */
  label: (hypothesis: string) => string;
  /** The status of its responses. */
  status: number;
}

const LABELS = ['contradiction', 'entailment', 'neutral'];

/** A server with the `/predict` of Text Embeddings Inference, with full confidence in every label. */
export async function startFakeEntailment(): Promise<FakeEntailment> {
  const fake: FakeEntailment = { url: '', asked: [], label: () => 'neutral', status: 200 };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { inputs } = JSON.parse(Buffer.concat(pieces).toString()) as { inputs: [string, string][] };
    fake.asked.push(...inputs);
    const answer = inputs.map(([, hypothesis]) => {
      const said = fake.label(hypothesis);
      return LABELS.map((label) => ({ label, score: label === said ? 0.998 : 0.001 }));
    });
    response.writeHead(fake.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenDone(async () => server.close());
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
