import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/** For the fake model itself, to separate its share of a number from ours. */
export const MODEL_BODY = JSON.stringify({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
});

/** Posts, reads the whole stream, and returns the milliseconds until `sign` first appeared. */
export function post(url: string, body: string, sign: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let first: number | undefined;
        response.on('data', (chunk: Buffer) => {
          if (first === undefined && chunk.includes(sign)) first = performance.now() - started;
        });
        response.on('end', () =>
          first === undefined ? reject(new Error(`no ${sign} in the answer`)) : resolve(first),
        );
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** Closes the connections that were kept alive. */
export function closePosts(): void {
  agent.destroy();
}
