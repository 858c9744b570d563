import assert from 'node:assert/strict';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { startService } from '../../support/service.ts';
import { inBrowser, type Lane, seen } from './lane.ts';
import { tokenOf } from './token-of.ts';

/**
 * With sign-in, a wrong token is reported. The right token survives a reload, and is in no other tab and in
 * no URL.
 */
export async function signIn({ browser }: Lane): Promise<void> {
  const service = await startService({ CONSOLE: 'on', AUTH_MODE: 'token' });
  const token = await tokenOf(service, 'admin', null, 'me');
  await inBrowser({ browser, service }, async (page, { context }) => {
    await page.goto(`${service.url}/settings`);
    await page.getByLabel('API token').waitFor();
    assert.equal(await page.getByText(/expired or was revoked/).count(), 0); // there was no sign-in before
    await page.goto(service.url);
    await page.getByLabel('API token').fill('wrs_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await seen(page, /This token is invalid or has expired/);
    await page.getByLabel('API token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await seen(page, 'Your files');
    await seen(page, 'Answers and research need a model.');
    await page.reload();
    await seen(page, 'Your files');
    const other = await context.newPage();
    await other.goto(service.url);
    await other.getByLabel('API token').waitFor();
    const kept = await page.evaluate(
      () => `${JSON.stringify(localStorage)} ${document.cookie} ${location.href}`,
    );
    assert.ok(!kept.includes(token));
    await page.goto(`${service.url}/settings`);
    await page.evaluate(() => sessionStorage.setItem('draft:a note', 'what I think'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });
  await service.stop();
}

/**
 * Signs in by code and PKCE, to the page that the person wanted, and leaves no traces in a URL or where
 * another tab could find them.
 */
export async function signInWithIssuer({ browser }: Lane): Promise<void> {
  const issuer = await startFakeIssuer();
  const service = await startService({
    CONSOLE: 'on',
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'wrs',
    OIDC_CLIENT_ID: 'console',
  });
  const enter = { name: /^Sign in with / };
  await inBrowser(
    { browser, service },
    async (page, { context }) => {
      await page.goto(`${service.url}/settings?a=1`);
      await page.getByRole('button', enter).click();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      assert.equal(page.url(), `${service.url}/settings?a=1`);
      await page.reload();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      assert.equal(issuer.login.exchanged(), 1);
      const kept = await page.evaluate(() => `${JSON.stringify(localStorage)} ${document.cookie}`);
      assert.ok(!kept.includes('eyJ'), 'a token lies where other tabs can read it');
      const other = await context.newPage();
      await other.goto(`${service.url}/signed-in?code=stolen&state=guessed`);
      await seen(other, /This tab didn't start the sign-in/);
      assert.equal(new URL(other.url()).search, '');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', enter).waitFor();
    },
    { origins: [issuer.url] },
  );
  await Promise.all([service.stop(), issuer.stop()]);
}
