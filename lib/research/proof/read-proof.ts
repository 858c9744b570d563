import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** Larger than the proof of the longest report. */
export const MAX_PROOF_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 12_000;

/** Why a file can't be read as a proof. */
export class BrokenProof extends Error {}

/**
 * Returns the files in a proof. A proof is untrusted: nothing is written to disk, and its contents never unpack to more than the
 * limit. Throws BrokenProof.
 */
export async function readProof(bytes: Buffer): Promise<Map<string, Buffer>> {
  if (bytes.length > MAX_PROOF_BYTES) throw new BrokenProof('It is larger than 64 MB.');
  try {
    return await unpack(bytes);
  } catch (error) {
    if (error instanceof BrokenProof) throw error;
    const { message } = error as Error;
    const isOther = /end of central directory/i.test(message); // what every ZIP file ends with
    throw new BrokenProof(`It isn't a complete ZIP file${isOther ? '' : ` (${message})`}.`);
  }
}

async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  if (zip.entryCount > MAX_ENTRIES) throw new BrokenProof(`It has more than ${MAX_ENTRIES} entries.`);
  const files = new Map<string, Buffer>();
  let left = MAX_PROOF_BYTES;
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    if (files.has(fileName)) throw new BrokenProof(`It has two entries with the name ${fileName}.`);
    left -= uncompressedSize;
    if (left < 0) throw new BrokenProof('It unpacks to more than 64 MB.');
    // Packers add entries for folders.
    if (fileName.endsWith('/') && uncompressedSize === 0) continue;
    files.set(fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
