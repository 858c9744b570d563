import { flushCompileCache } from 'node:module';
import { startDownloads } from '../downloads.ts';

/** A separate process that downloads until it is killed: `node download-process.ts <dataDir> <hubUrl>`. */
const [, , dataDir = '', hubUrl = ''] = process.argv;
const { errors } = await startDownloads({ dataDir, hubUrl });
flushCompileCache(); // killed, and the cache is written only at a regular end
console.log('at work');
setInterval(() => {
  for (const error of errors.splice(0)) console.error(error);
}, 100);
