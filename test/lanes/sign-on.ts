import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { findFreePort } from '../../infra/free-port.ts';
import { startBrowser } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually } from '../support/sync.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { startKeycloak } from './sign-on/keycloak.ts';
import { startOidcProvider } from './sign-on/oidc-provider.ts';
import type { RealIssuer } from './sign-on/real-issuer.ts';
import { step } from './step.ts';

/**
 * Single sign-on with two real providers, as a person sees it in Chromium, and as the API sees the tokens: sign-in,
 * no role and another account, a refusal of the provider, expiry, a rotated key, and an account that is removed.
 * `--only NAME` uses one provider; `--pictures FOLDER` saves the pages in both themes.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, pictures: { type: 'string' } } });
const START = { 'oidc-provider': startOidcProvider, Keycloak: startKeycloak };
/** Seconds. The service also accepts a token for 30 seconds after its end. */
const SHORT_LIFE = 8;
const ROTATED_WITHIN_MS = 60_000;

const browser = await startBrowser();
try {
  for (const [name, start] of Object.entries(START))
    if (values.only === undefined || values.only === name) await useIssuer(start);
} finally {
  await browser.close();
  await cleanUp();
}

interface Scene {
  issuer: RealIssuer;
  service: Service;
}

async function useIssuer(start: (service: string) => Promise<RealIssuer>): Promise<void> {
  const port = await findFreePort();
  const issuer = await start(`http://127.0.0.1:${port}`);
  const env = { CONSOLE: 'on', PORT: String(port), AUTH_MODE: 'oidc', ...issuer.environment };
  const scene = { issuer, service: await startService(env) };
  const tokens = await step(`${issuer.name}: sign-in`, () => signIn(scene));
  await step(`${issuer.name}: no role, then another account`, () => changeAccount(scene));
  await step(`${issuer.name}: a refusal of the provider`, () => showRefusal(scene));
  await step(`${issuer.name}: a rotated key`, () => rotate(scene, tokens));
  await step(`${issuer.name}: expiry, and a removed account`, () => leave(scene));
  await scene.service.stop();
  await step(`${issuer.name}: an unreachable provider`, () => missIssuer(env, tokens));
}

/** Returns Ann's token. */
async function signIn({ issuer, service }: Scene): Promise<string> {
  return inTab(async (page) => {
    await page.goto(`${service.url}/settings`);
    await picture(page, issuer, 'sign-in');
    await enterAs(page, issuer, 'ann');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(page.url(), `${service.url}/settings`);
    const token = await tokenIn(page);
    const { body } = await me(service, token);
    assert.equal(body.role, 'member');
    return token;
  });
}

async function changeAccount({ issuer, service }: Scene): Promise<void> {
  await inTab(async (page) => {
    await page.goto(service.url);
    await enterAs(page, issuer, 'dan');
    await page.getByRole('heading', { name: 'No access yet' }).waitFor();
    await page.getByText(/^You're signed in as Dan Owl/).waitFor();
    await picture(page, issuer, 'no-role');
    const { body } = await me(service, await tokenIn(page));
    const [, sub = ''] = /assign one to (\S+)\.$/.exec(body.error) ?? [];
    assert.ok(service.output().includes(`"sub":"${sub}"`), `no sub in the log: ${body.error}`);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.locator('input[type=password]').waitFor();
    await picture(page, issuer, 'another-account');
    await issuer.enter(page, 'ann');
    await page.getByText('Your files').first().waitFor();
  });
}

/**
 * The provider's reason is shown. Here, the provider doesn't know the scope or the client that the page asks
 * for.
 */
async function showRefusal({ issuer, service }: Scene): Promise<void> {
  await inTab(async (page) => {
    await page.route(`${issuer.url}/**`, (route) => {
      const url = new URL(route.request().url());
      if (!url.searchParams.has('code_challenge_method')) return route.continue();
      url.searchParams.set('code_challenge_method', 'plain');
      return route.continue({ url: url.href });
    });
    await page.goto(service.url);
    await page.getByRole('button', { name: /^Sign in with / }).click();
    await page.getByText(/Can't sign in: .*\(invalid_request\)/).waitFor();
    await picture(page, issuer, 'refused');
  });
}

/** New sign-ins have the new key. A token with the old key ends when the service sees that. */
async function rotate({ issuer, service }: Scene, old: string): Promise<void> {
  assert.equal((await me(service, old)).status, 200);
  await issuer.rotateKey();
  // The service fetches keys again at most every 30 seconds, and rejects unknown ones until then.
  const hasEntered = async () =>
    inTab(async (page) => {
      await page.goto(service.url);
      await enterAs(page, issuer, 'ann');
      const [home, again] = [page.getByText('Your files'), page.getByText(/expired or was revoked/)];
      await home.or(again).first().waitFor();
      return (await home.count()) > 0;
    });
  await eventually(hasEntered, Boolean, ROTATED_WITHIN_MS);
  assert.equal((await me(service, old)).status, 401);
}

/** A removed person works until the token ends, and can't sign in again. */
async function leave({ issuer, service }: Scene): Promise<void> {
  await issuer.setLifetime(SHORT_LIFE);
  await inTab(async (page) => {
    await page.goto(service.url);
    await enterAs(page, issuer, 'ann');
    await page.getByText('Your files').first().waitFor();
    const token = await tokenIn(page);
    await issuer.remove('ann');
    assert.equal((await me(service, token)).status, 200);
    await page.waitForTimeout(SHORT_LIFE * 1000);
    await page.goto(`${service.url}/settings`);
    await page.getByText(/expired or was revoked/).waitFor();
    await picture(page, issuer, 'ended');
    await page.getByRole('button', { name: /^Sign in with / }).click();
    await page.waitForURL(`${issuer.url}/**`);
    await page.waitForLoadState('networkidle');
    assert.equal(new URL(page.url()).origin, issuer.url); // its own session doesn't let the person in
    await eventually(
      () => me(service, token),
      ({ status }) => status === 401,
      60_000,
    );
  });
}

async function missIssuer(env: Record<string, string>, token: string): Promise<void> {
  const gone = `http://127.0.0.1:${await findFreePort()}`;
  const service = await startService({ ...env, PORT: '0', OIDC_ISSUER: gone });
  const { status, headers } = await me(service, token);
  assert.deepEqual([status, headers['x-error-code']], [503, 'issuer_unreachable']);
  await inTab(async (page) => {
    await page.goto(service.url);
    await page.getByRole('button', { name: /^Sign in with / }).click();
    await page.getByText(/the sign-in service didn't answer this page/).waitFor();
  });
  await service.stop();
}

/** Presses the button of the sign-in page, and signs in on the provider's page. */
async function enterAs(page: Page, issuer: RealIssuer, person: 'ann' | 'dan'): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with / }).click();
  await issuer.enter(page, person);
}

function me(service: Service, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return service.call<{ role: string; error: string }>('GET', '/api/me', undefined, headers);
}

async function tokenIn(page: Page): Promise<string> {
  const read = () => page.evaluate(() => sessionStorage.getItem('credential'));
  const kept = await eventually(read, (text) => text !== null);
  return (JSON.parse(kept ?? '{}') as { token: string }).token;
}

/** Opens a browser for one person, without other sessions. */
async function inTab<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
  const page = await context.newPage();
  try {
    return await work(page);
  } catch (error) {
    await picture(page, { name: 'failed' }, 'failed', process.env.TMPDIR ?? '/tmp');
    throw error;
  } finally {
    await context.close();
  }
}

async function picture(
  page: Page,
  { name }: Pick<RealIssuer, 'name'>,
  what: string,
  folder = values.pictures,
): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.waitForLoadState('networkidle');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}-${what}-${colorScheme}.png`) });
  }
}
