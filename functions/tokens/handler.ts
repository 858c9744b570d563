import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { tokenRoutes } from './routes.ts';

const config = readConfig();

const { mode, acceptsTokens } = config.auth;

const ports = {
  records: await openRecords(config),
  clock: systemClock,
  // Without sign-in, tokens are created for the time when it is enabled.
  acceptsTokens: acceptsTokens || mode === 'disabled',
};

export const handler = serve(tokenRoutes, ports, config);
