import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { undiciWeb } from '../../../lib/adapters/web/fetch.ts';
import { InvalidInput, UpstreamFailed } from '../../../lib/errors.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Web } from '../../../lib/ports/web.ts';
import { importSkill } from '../../../lib/skills/import.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const MARKDOWN = '---\nname: From afar\nallowed-tools: Read\n---\n\nDo it.\n';
const JSON_FORM = { name: 'From afar', systemPrompt: 'Do it.', allowedTools: ['readFile'] };
const RECORD = {
  ...JSON_FORM,
  id: '01a1fcf8-a7e2-778b-8bd9-87a5309f5401',
  workspaceId: 'other',
  createdAt: 'then',
  updatedAt: 'then',
};
const pages: Record<string, (response: ServerResponse) => void> = {
  '/SKILL.md': (response) => response.setHeader('content-type', 'text/markdown').end(MARKDOWN),
  '/no-type': (response) => response.end(MARKDOWN),
  '/skill.json': (response) => response.end(JSON.stringify(JSON_FORM)),
  '/wrapped.json': (response) => response.end(`\ufeff  ${JSON.stringify({ skill: JSON_FORM })}`),
  '/record.json': (response) => response.end(JSON.stringify(RECORD)),
  '/page': (response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html>---'),
  '/binary': (response) => response.end(Buffer.from([0x2d, 0x2d, 0x2d, 0xff, 0xfe])),
  '/broken.json': (response) => response.end('{"name":'),
  '/deep.json': (response) => response.end(`{"name":${'['.repeat(101)}`),
  '/wrong.json': (response) => response.end('{"name":1,"extra":2}'),
  '/text': (response) => response.end('hello'),
  '/empty': (response) => response.end(),
  '/large': (response) => response.end(Buffer.alloc(1024 * 1024 + 1, 32)),
  '/inside': (response) => response.writeHead(302, { location: 'https://10.0.0.1/SKILL.md' }).end(),
};
const server = createServer((request, response) => {
  const answer = pages[request.url ?? ''] ?? ((other) => other.writeHead(404).end('secret of that host'));
  answer(response);
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
whenDone(async () => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
const base = `http://skills.example.com:${port}`;

/** The real guard, except for the test's own server, which has no certificate. */
const guarded = undiciWeb({
  ports: [port, 443],
  resolve: async () => ['127.0.0.1'],
  isPublic: (address) => address === '127.0.0.1',
});
const web: Web = {
  fetchPublic: (url, request) => guarded.fetchPublic(url, { ...request, allowHttp: true }),
};
const ports = { records: sqliteRecords(openDatabase(await tempFolder())), clock: systemClock, web };
const caller: Caller = { id: 'local', role: 'admin', workspaceIds: null };

function importUrl(url: string, from = ports) {
  return importSkill(from, caller, null, { url });
}

describe('skill import from a URL', () => {
  it.each(['/SKILL.md', '/no-type', '/skill.json', '/wrapped.json', '/record.json'])(
    'creates a skill from %s',
    async (path) => {
      const skill = await importUrl(base + path);
      expect(skill).toMatchObject({ name: 'From afar', systemPrompt: 'Do it.', workspaceId: null });
      expect(skill.slug).toMatch(/^from-afar(-\d)?$/);
      expect(skill.allowedTools).toEqual(['readFile']);
      expect(skill.id).not.toBe(RECORD.id);
    },
  );

  it.each([
    ['a web page', '/page', InvalidInput, 'url leads to a web page. Use the URL of the plain file.'],
    ['a binary file', '/binary', InvalidInput, 'url must lead to UTF-8 text.'],
    ['invalid JSON', '/broken.json', InvalidInput, 'url must be a SKILL.md or valid JSON.'],
    [
      'deeply nested JSON',
      '/deep.json',
      InvalidInput,
      'url has more than 100 levels of nesting. Send less of it at once.',
    ],
    [
      'other JSON',
      '/wrong.json',
      InvalidInput,
      "url isn't a valid skill. name must be text of 1 to 200 characters. systemPrompt is required. extra isn't a known field.",
    ],
    ['another text', '/text', InvalidInput, 'url must begin with a line --- to be a SKILL.md.'],
    ['nothing', '/empty', InvalidInput, 'url must begin with a line --- to be a SKILL.md.'],
    ['a file that is too large', '/large', UpstreamFailed, 'more than 1048576 bytes'],
    ['a redirect to a private address', '/inside', InvalidInput, 'url must lead to a public address.'],
    ['a missing file', '/none', UpstreamFailed, 'skills.example.com returned status 404.'],
  ])('rejects %s', async (_what, path, kind, text) => {
    const refused = await importUrl(base + path).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(kind);
    expect((refused as Error).message).toContain(text);
    expect((refused as Error).message).not.toContain('secret');
  });

  it('accepts only HTTPS', async () => {
    await expect(importUrl(`${base}/SKILL.md`, { ...ports, web: guarded })).rejects.toThrow(
      'url must be an HTTPS URL.',
    );
  });
});
