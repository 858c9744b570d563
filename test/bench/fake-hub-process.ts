import { fakeFile, fakeRepo, hashesOf, startFakeHub } from '../support/fakes/fake-hub.ts';

/**
 * Runs the fake hub as a separate process, so that its work doesn't count as the downloader's. Prints its
 * URL.
 */
const small = Array.from({ length: 2000 }, (_, index) =>
  fakeFile(`data/${index % 10}/${index}.bin`, 4096, false),
);
const large = Array.from({ length: 8 }, (_, index) =>
  fakeFile(`large/${index}.bin`, 256 * 1024 * 1024, true),
);
for (const file of [...small, ...large]) hashesOf(file);
const hub = await startFakeHub({ 'o/small': fakeRepo(small), 'o/large': fakeRepo(large) });
console.log(hub.url);
process.on('message', () => {
  process.send?.(hub.counts);
  hub.counts = { lists: 0, files: 0, cdn: 0, limited: 0 };
});
