import { flushCompileCache } from 'node:module';
import { startDownloads } from '../downloads.ts';

/** A process of its own that downloads until it is killed: `node download-process.ts <dataDir> <hubUrl>`. */
const [, , dataDir = '', hubUrl = ''] = process.argv;
const { errors } = await startDownloads({ dataDir, hubUrl });
flushCompileCache(); // it is killed, and at an end of its own alone it would be kept for the next
console.log('at work');
setInterval(() => {
  for (const error of errors.splice(0)) console.error(error);
}, 100);
