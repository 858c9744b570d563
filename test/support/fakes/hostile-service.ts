import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Sets the title, writes the clipboard, clears the screen, and overwrites lines, as ESC and as C1; reverses
 * and hides letters; line breaks.
 */
const HOSTILE =
  '\x1b]0;owned\x07\x1b]52;c;cm0=\x07\x1b[2J\x1b[1A\rA\x9b31m\x9d0;x\x9c\u202e\u2066\x08\x00\u200b\u00ad\u3164\u{e0041}\nwrs: forged';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const WORKSPACE = { id: 'w', name: 'w', rootPath: '/w', createdAt: '2026-11-23T00:00:00.000Z' };
const PASSAGE = { path: 'a.md', startLine: 1, endLine: 2, text: 't', quote: 'q', score: 1, index: 1 };
const TIMES = {
  createdAt: '2026-11-23',
  updatedAt: '2026-11-23',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

/** Adds it to both ends of every text in a value. */
export function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return `${HOSTILE}${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner)]));
}

export function frames(...parts: unknown[]): string {
  const texts = parts.map((part, index) => `id: ${index + 1}\ndata: ${JSON.stringify(part)}\n\n`);
  return `${texts.join('')}data: [DONE]\n\n`;
}

/** Minimal responses of an honest service; keys are the method and the start of the path. */
export const HONEST: Record<string, unknown> = {
  'GET /api/workspaces?': [WORKSPACE],
  'GET /api/health': { aiAvailable: true },
  'POST /api/workspaces/w/sync': {},
  'GET /api/workspaces/w/sync': {
    status: 'ready',
    total: 1,
    errors: [{ path: 'b', error: 'e' }],
    failedCount: 9,
    ...{ newCount: 1, updatedCount: 0, removedCount: 0, skippedCount: 0 },
  },
  'GET /api/workspaces/w/search': [PASSAGE],
  'GET /api/notes?': [{ id: 'n', title: 't', type: 'manual', ...TIMES }],
  'GET /api/notes/': { id: 'n', title: 't', content: 'c' },
  'GET /api/tokens': [{ id: 'i', role: 'viewer', name: 'n', ...TIMES }],
  'POST /api/research': { runId: 'r' },
  'GET /api/research/r/export': 'report',
  'GET /api/research/r': { status: 'done', error: null },
};

/**
 * Starts a service on a free port with arbitrary responses. `answers` override the honest ones. A function
 * gets the whole response; any other value is sent as JSON.
 */
export async function startHostileService(answers: Record<string, unknown | Answer> = {}) {
  const seen: { method: string; url: string; authorization: string | undefined }[] = [];
  const state = { answers };
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, authorization: headers.authorization });
    request.resume();
    const all = { ...HONEST, ...state.answers };
    const names = Object.keys(all).filter((name) => `${method} ${url}`.startsWith(name));
    const [best = ''] = names.sort((one, other) => other.length - one.length);
    const answer = all[best];
    if (typeof answer === 'function') return void (answer as Answer)(request, response);
    response.writeHead(best === '' ? 404 : 200, { 'content-type': 'application/json', 'x-run-id': 'r' });
    response.end(
      typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: 'This route does not exist.' }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, seen, state, stop };
}
