import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../infra/command-line.ts';
import { isLoopbackUrl } from '../../lib/api-contract/loopback.ts';
import { pastedKey } from '../../lib/api-contract/pasted.ts';
import { createClient } from '../client.ts';
import type { Command } from '../command.ts';
import { removeLogin, saveLogin } from '../login-file.ts';
import { printJson, printLine, tellLine, yellow } from '../terminal.ts';

export const login: Command = {
  name: 'login',
  usage: 'URL',
  summary: 'sign in to a service, and use it from now on',
  uses: 'nothing',
  completes: [],
  async run({ context, words }) {
    const url = readUrl(words);
    const given = pastedKey(process.env.WRS_TOKEN || (await readToken(context.signal)));
    const token = given === '' ? undefined : given;
    if (new URL(url).protocol === 'http:' && !isLoopbackUrl(url) && token !== undefined)
      tellLine(yellow('Without HTTPS, anyone on the network can read the token.'));
    const client = createClient({ url, token }, context.signal);
    await client.call((api) => api.GET('/api/workspaces', { params: { query: { limit: 1 } } }));
    const file = await saveLogin({ url, token });
    if (context.isJson) return printJson({ url, file });
    printLine(`Signed in to ${url}. The token is stored in ${file}, readable only by you.`);
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'sign out, and delete the stored token',
  uses: 'nothing',
  completes: [],
  async run({ context }) {
    const removed = await removeLogin();
    if (context.isJson) return printJson({ removed });
    printLine(
      removed
        ? 'Signed out. The token is still valid. Revoke it with `wrs token revoke`.'
        : 'You were not signed in.',
    );
  },
};

function readUrl(words: string[]): string {
  const [given, ...more] = words;
  if (given === undefined || more.length > 0)
    throw new UsageError('Name the URL of a service, such as https://research.example.com.');
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${given} isn't an HTTP URL.`);
  return given;
}

/** Reads a token, typed without echo or from a pipe. */
async function readToken(signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write('API token (hidden; press Enter if the service needs no sign-in): ');
  const silent = new Writable({ write: (_bytes, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await terminal.question('', { signal });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
