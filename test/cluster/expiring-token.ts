import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { asAdmin, FOLDER } from './control-plane.ts';

/** The API server accepts a token for a minute after its expiration. */
const LEEWAY_SECONDS = 60;

/**
 * Returns a token of the service's account that stays valid for that many seconds. It's signed here with the
 * control plane's own key, because the API server issues no token for less than ten minutes.
 */
export async function tokenGoodFor(seconds: number): Promise<string> {
  const account = await asAdmin<{ metadata: { uid: string } }>(
    'GET',
    '/api/v1/namespaces/research/serviceaccounts/workspace-research',
  );
  const key = createPrivateKey(await readFile(join(FOLDER, 'service-accounts.key')));
  const now = Math.floor(Date.now() / 1000);
  const serviceaccount = { name: 'workspace-research', uid: account.metadata.uid };
  return new SignJWT({ 'kubernetes.io': { namespace: 'research', serviceaccount } })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer('https://kubernetes')
    .setAudience('https://kubernetes')
    .setSubject('system:serviceaccount:research:workspace-research')
    .setIssuedAt(now - 3600)
    .setNotBefore(now - 3600)
    .setExpirationTime(now - LEEWAY_SECONDS + seconds)
    .sign(key);
}
