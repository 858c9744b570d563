import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '../../../lib/settings/schema.ts';
import type { WorkspaceSettings } from '../../../lib/workspaces/settings.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { startFakeSearch } from '../../support/fakes/fake-search.ts';
import { type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const search = await startFakeSearch();
let service: Service;
let workspaceId: string;

beforeAll(async () => {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({
    ...{ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk', EMBEDDING_MODEL: 'none' },
    ...{ WEB_SEARCH_BRAVE_BASE_URL: search.url, WEB_SEARCH_TAVILY_BASE_URL: search.url },
  });
  workspaceId = (await makeWorkspace(service)).id;
});

beforeEach(() => put(null));

function put(webSearch: unknown) {
  return service.call<Settings & { error: string }>('PUT', '/api/settings', { webSearch });
}

async function offered() {
  const path = `/api/workspaces/${workspaceId}/settings`;
  return (await service.call<WorkspaceSettings>('GET', path)).body.webSearch;
}

async function ask(): Promise<string> {
  const messages = [{ role: 'user', content: 'When do owls hunt?' }];
  return (await service.call<string>('POST', '/api/chat', { workspaceId, messages, web: true })).body;
}

describe('web search in the settings', () => {
  it('is off by default', async () => {
    const { body } = await service.call<Settings>('GET', '/api/settings');
    expect(body.webSearch).toEqual({ provider: null, source: null, baseUrl: null, hasKey: false });
    expect(await offered()).toBeNull();
  });

  it.each([
    [{ provider: 'brave' }, 'webSearch.apiKey'],
    [{ provider: 'searxng' }, 'webSearch.baseUrl'],
    [{ provider: 'searxng', baseUrl: 'http://127.0.0.1:1', apiKey: 'x' }, 'webSearch.apiKey'],
    [{ provider: 'brave', apiKey: 'x', baseUrl: 'http://127.0.0.1:1' }, 'webSearch.baseUrl'],
    [{ provider: 'off', apiKey: 'x' }, 'webSearch.apiKey'],
    [{ provider: 'searxng', baseUrl: 'https://a:b@search.example' }, 'webSearch.baseUrl'],
    [{ provider: 'other' }, 'webSearch.provider'],
  ])('refuses %j', async (change, field) => {
    const { status, headers } = await put(change);
    expect([status, headers['x-error-field']]).toEqual([400, field]);
  });

  it('keeps a key as a secret, and sends it to its own provider alone', async () => {
    const { status, body, bytes } = await put({ provider: 'brave', apiKey: search.key });
    expect([status, body.webSearch]).toEqual([
      200,
      { provider: 'brave', source: 'settings', baseUrl: null, hasKey: true },
    ]);
    expect(bytes.toString()).not.toContain(search.key);
    expect(await offered()).toBe('brave');
    expect(await ask()).toContain('web-searched');
    expect(search.asked.at(-1)?.protocol).toBe('brave');
    expect((await put({ provider: 'brave' })).status).toBe(200); // the stored key stays
    expect((await put({ provider: 'tavily' })).status).toBe(400); // it is not Tavily's
    await put({ provider: 'tavily', apiKey: search.key });
    expect((await put({ provider: 'brave' })).status).toBe(400); // it was removed
    expect(await ask()).toContain('web-searched');
    expect(search.asked.at(-1)?.protocol).toBe('tavily');
  });

  it('says if the provider refuses the key', async () => {
    await put({ provider: 'tavily', apiKey: 'wrong' });
    expect(await ask()).toContain('Tavily refused the key. Ask an administrator to replace it.');
  });

  it('searches with a SearXNG server of the settings, without the key of another provider', async () => {
    await put({ provider: 'brave', apiKey: search.key });
    const { body } = await put({ provider: 'searxng', baseUrl: `${search.url}/` });
    expect(body.webSearch).toEqual({
      provider: 'searxng',
      source: 'settings',
      baseUrl: search.url,
      hasKey: false,
    });
    expect(await ask()).toContain('web-searched');
    expect(search.asked.at(-1)?.protocol).toBe('searxng');
    const secrets = await readFile(join(service.dataDir, 'secrets.json'), 'utf8');
    expect(secrets).not.toContain('WEB_SEARCH_');
  });

  it('can be disabled, and reset to the environment', async () => {
    expect((await put({ provider: 'off' })).body.webSearch).toMatchObject({
      provider: null,
      source: 'settings',
    });
    expect(await offered()).toBeNull();
    expect((await put(null)).body.webSearch).toMatchObject({ provider: null, source: null });
  });
});
