import { readFile } from 'node:fs/promises';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { docsRoutes } from './routes.ts';

const config = readConfig();

/**
 * The build writes the assets to `assets/` at the root of what it builds (`.build/<hash>` here, `/var/task` on Lambda), and
 * this entry file always lies at `functions/docs/` below it. Entry files are never merged into shared chunks.
 */
const assets = new URL('../../assets/', import.meta.url);
const read = new Map<string, Promise<string>>();

/** Read once; the routes ask for names of a fixed list only. */
function readAsset(name: string): Promise<string> {
  const text = read.get(name) ?? readFile(new URL(name, assets), 'utf8');
  read.set(name, text);
  return text;
}

export const handler = serve(
  docsRoutes,
  {
    records: await openRecords(config),
    clock: systemClock,
    readAsset,
    resource: {
      publicUrl: config.publicUrl,
      issuer: config.auth.mode === 'oidc' ? config.auth.issuer : undefined,
    },
  },
  config,
);
