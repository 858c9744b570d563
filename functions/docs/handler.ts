import { readFile } from 'node:fs/promises';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { type DocsPages, parseDocsPages, placeFolder } from './pages.ts';
import { docsRoutes } from './routes.ts';

const config = readConfig();

/**
 * The build writes the assets to `assets/` at the root of its output (`.build/<hash>` here, `/var/task` on
 * Lambda), and this entry file is always in `functions/docs/` below it. Entry files are never merged into
 * shared chunks.
 */
const assets = new URL('../../assets/', import.meta.url);
const read = new Map<string, Promise<string>>();

/** Reads a file once; the routes request only names from a fixed list. */
function readAsset(name: string): Promise<string> {
  const text = read.get(name) ?? readFile(new URL(name, assets), 'utf8');
  read.set(name, text);
  return text;
}

let pages: Promise<DocsPages> | undefined;

function readPages(): Promise<DocsPages> {
  pages ??= readFile(new URL('pages.json', assets), 'utf8').then(parseDocsPages);
  return pages;
}

export const handler = serve(
  docsRoutes,
  {
    records: await openRecords(config),
    clock: systemClock,
    readAsset,
    readPages,
    docsUrl: config.docsUrl,
    resource: {
      publicUrl: config.publicUrl,
      issuer: config.auth.mode === 'oidc' ? config.auth.issuer : undefined,
    },
  },
  config,
).before(({ event }) => placeFolder(event));
