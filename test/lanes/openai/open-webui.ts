import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findFreePort } from '../../../infra/free-port.ts';
import { startBrowser } from '../../support/browser.ts';
import { installOnce } from '../../support/install-once.ts';
import { installPython } from '../servers/install.ts';
import { type Server, startProcess, temporaryFolder } from '../servers/process.ts';

const OPEN_WEBUI = 'open-webui==0.12.4';
const START_MS = 240_000;

/**
 * A person asks in Open WebUI, unmodified, with the service as its only model. Its installation has 7.4 GB, so that this
 * program runs only by its name.
 */
export async function askInOpenWebui(env: Record<string, string>): Promise<string> {
  const server = await startOpenWebui(env);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(server.url);
    return await askOnce(page, env);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function askOnce(page: Page, { SENTENCE = '' }: Record<string, string>): Promise<string> {
  await page.getByRole('button', { name: "Okay, Let's Go!" }).click();
  await page.locator('#chat-input').fill('When was the Firth bridge opened?');
  await page.keyboard.press('Enter');
  const answer = page.locator('#chat-container');
  await answer.getByText(SENTENCE).first().waitFor();
  const source = answer.getByRole('button', { name: /source/i }).first();
  await source.click();
  await page.getByText('bridges.md').first().waitFor();
  return `${OPEN_WEBUI}: models, an answer with tools offered, its source`;
}

async function startOpenWebui({ BASE_URL, API_KEY }: Record<string, string>): Promise<Server> {
  const folder = await installOnce('open-webui', OPEN_WEBUI.replace('==', '-'), (into) =>
    installPython(into, '3.12', [OPEN_WEBUI]),
  );
  const { path: data, remove } = await temporaryFolder('open-webui');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await startProcess({
    name: 'Open WebUI',
    file: join(folder, 'bin/python'),
    args: ['-c', 'from open_webui import app; app()', 'serve', '--host', '127.0.0.1', '--port', `${port}`],
    env: {
      ...{ PATH: process.env.PATH, HOME: data, DATA_DIR: data, OFFLINE_MODE: 'True', WEBUI_AUTH: 'False' },
      ...{ OPENAI_API_BASE_URL: BASE_URL, OPENAI_API_KEY: API_KEY, ENABLE_OLLAMA_API: 'False' },
      // Otherwise it downloads an embedding model at its start.
      ...{ RAG_EMBEDDING_ENGINE: 'openai', WEBUI_SECRET_KEY: 'a secret for a test with 32 bytes' },
    },
    healthUrl: `${url}/health`,
    readyWithinMs: START_MS,
  });
  return { url, stop: () => stop().finally(remove) };
}
