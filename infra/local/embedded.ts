import type { Config } from '../../lib/config.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { isValid } from '../../lib/tokens/authorize.ts';
import { tokens } from '../../lib/tokens/schema.ts';
import { createToken, hashSecret } from '../../lib/tokens/tokens.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { OPERATOR } from '../operator.ts';

/** The name of the token among the secrets, whose file only this user can read. */
const SECRET_NAME = 'WRS_EMBEDDED_TOKEN';

/**
 * Sends the URL of this host and a token to the parent process over their channel, so that neither appears in an
 * argument or the environment. This host ends with its parent, however that ends.
 */
export async function serveParent(config: Config, url: string): Promise<void> {
  if (process.send === undefined)
    throw new Error('--embedded needs a parent process with a channel. Use npm start.');
  const token = await ensureToken(config);
  if (!process.connected) return void process.kill(process.pid, 'SIGTERM');
  process.removeAllListeners('disconnect'); // From here on, in order.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.send({ url, token });
}

/** Returns the same token at every start, because private content belongs to its creator, and `wrs` is one caller. */
async function ensureToken(config: Config): Promise<string> {
  const [records, secrets] = await Promise.all([openRecords(config), openSecrets(config)]);
  const known = await secrets.get(SECRET_NAME);
  const token = known === undefined ? undefined : await tokens.get(records, { hash: hashSecret(known) });
  if (known !== undefined && token !== undefined && isValid(token, systemClock.now())) return known;
  const ports = { records, clock: systemClock };
  const { secret } = await createToken(ports, OPERATOR, { name: 'wrs on this machine', role: 'admin' });
  await secrets.set(SECRET_NAME, secret);
  return secret;
}
