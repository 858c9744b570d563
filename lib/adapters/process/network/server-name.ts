import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/**
 * Maximum bytes to read before a server name. A client's first message has about 2 KB, and early data can
 * follow.
 */
const MAX_HELLO_BYTES = 65_536;
const HELLO_MS = 10_000;

/**
 * Reads the server name that a client sends at the start of TLS, and returns it with all bytes read so far.
 * OpenSSL parses them: its server, whose answers are discarded, asks which certificate to use. Rejects if
 * there is no name.
 */
export async function readServerName(client: Socket, head: Buffer): Promise<{ name: string; bytes: Buffer }> {
  const found = Promise.withResolvers<string>();
  const taken: Buffer[] = [];
  let size = 0;
  const copy = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const parser = new TLSSocket(copy, { isServer: true, SNICallback: found.resolve });
  const fail = () => found.reject(new Error('The connection starts without a server name.'));
  const take = (chunk: Buffer) => {
    taken.push(chunk);
    size += chunk.length;
    if (size > MAX_HELLO_BYTES) fail();
    else copy.push(chunk);
  };
  const timer = setTimeout(fail, HELLO_MS);
  parser.on('error', fail);
  client.on('close', fail).on('data', take);
  if (head.length > 0) take(head);
  try {
    const name = await found.promise;
    return { name, bytes: Buffer.concat(taken) };
  } finally {
    clearTimeout(timer);
    client.off('close', fail).off('data', take).pause();
    parser.destroy();
    copy.destroy();
  }
}
