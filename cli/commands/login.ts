import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../infra/command-line.ts';
import { createClient } from '../client.ts';
import type { Command } from '../command.ts';
import { removeLogin, saveLogin } from '../login-file.ts';
import { isLoopback } from '../service.ts';
import { printJson, printLine, tellLine, yellow } from '../terminal.ts';

export const login: Command = {
  name: 'login',
  usage: 'URL',
  summary: 'use that service from now on; asks for its token',
  completes: [],
  async run({ context, words }) {
    const url = readUrl(words);
    const given = (process.env.WRS_TOKEN || (await readToken(context.signal))).trim();
    const token = given === '' ? undefined : given;
    if (new URL(url).protocol === 'http:' && !isLoopback(url) && token !== undefined)
      tellLine(yellow('without https everybody on the way can read the token'));
    await createClient({ url, token }, context.signal).call('GET', '/api/workspaces?limit=1');
    const file = await saveLogin({ url, token });
    if (context.isJson) return printJson({ url, file });
    printLine(`logged in to ${url}; kept in ${file}, for you alone to read`);
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'forget the login',
  completes: [],
  async run({ context }) {
    const removed = await removeLogin();
    if (context.isJson) return printJson({ removed });
    printLine(removed ? 'logged out; the token itself ends with `wrs token revoke`' : 'there was no login');
  },
};

function readUrl(words: string[]): string {
  const [given, ...more] = words;
  if (given === undefined || more.length > 0)
    throw new UsageError('the address of a service, such as https://research.example.com');
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${given} is no http address`);
  return given;
}

/** Reads a token typed without echo, or from a pipe. */
async function readToken(signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write('Token (nothing is shown; Enter alone for a service without logins): ');
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
