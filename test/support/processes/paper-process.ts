import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { paperSearch } from '../../../lib/papers/search.ts';
import { paperPorts } from '../papers.ts';

/** A process of its own that searches arXiv for each word it is sent: `node paper-process.ts <dataDir> <url> <intervalMs>`. */
const [, , dataDir = '', url = '', intervalMs = ''] = process.argv;
const search = paperSearch(paperPorts(dataDir, url, Number(intervalMs)));
flushCompileCache(); // it is killed, and at an end of its own alone it would be kept for the next
console.log('ready');
for await (const word of createInterface({ input: process.stdin })) {
  const found = await search({ keywords: [word], maxResults: 5, sources: ['preprint_server'] });
  console.log(JSON.stringify(found));
}
process.exit(0);
