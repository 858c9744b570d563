import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { paperSearch } from '../../../lib/papers/search.ts';
import { paperPorts } from '../papers.ts';

/**
 * A separate process that searches arXiv for each word that it receives: `node paper-process.ts <dataDir> <url> <intervalMs>`.
 */
const [, , dataDir = '', url = '', intervalMs = ''] = process.argv;
const search = paperSearch(paperPorts(dataDir, url, Number(intervalMs)));
flushCompileCache(); // killed, and the cache is written only at a regular end
console.log('ready');
for await (const word of createInterface({ input: process.stdin })) {
  const found = await search({ keywords: [word], maxResults: 5, sources: ['preprint_server'] });
  console.log(JSON.stringify(found));
}
process.exit(0);
