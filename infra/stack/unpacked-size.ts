import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';
import type { Template } from './template.ts';

/**
 * Lambda's limit for a function together with its layers
 * (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
export const MAX_UNPACKED_BYTES = 262_144_000;
const MB = 1_000_000;
const LAYER = 'NativeLayer';

/**
 * Throws an Error with the sizes and a remedy if Lambda would refuse a function. CloudFormation would report it only
 * after minutes, and roll the whole update back.
 */
export function refuseTooLarge({ Resources }: Template, sizes: ReadonlyMap<string, number>): void {
  const layer = sizes.get(Resources[LAYER]?.Properties.Content.S3Key) ?? 0;
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const code = sizes.get(Properties.Code.S3Key) ?? 0;
    const native = Properties.Layers === undefined ? 0 : layer;
    if (code + native > MAX_UNPACKED_BYTES) throw new Error(describe(Properties.FunctionName, code, native));
  }
}

function describe(name: string, code: number, native: number): string {
  return (
    `${name} would have ${inMb(code + native)} MB unpacked, and Lambda accepts ${inMb(MAX_UNPACKED_BYTES)} (code ${inMb(code)}, ` +
    `native layer ${inMb(native)}). If packaging warned about symbols, install \`strip\` (binutils), which saves 34 MB.`
  );
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}

/** Returns the unpacked sizes by key, as stated in the directories of the zips. */
export async function unpackedSizes(
  artifacts: { key: string; file: string }[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { key, file } of artifacts) sizes.set(key, await unpackedBytes(file));
  return sizes;
}

const open = promisify<string, Options, ZipFile>(yauzl.open);

async function unpackedBytes(file: string): Promise<number> {
  const zip = await open(file, { lazyEntries: false });
  return new Promise((done, failed) => {
    let bytes = 0;
    zip.on('entry', ({ uncompressedSize }: Entry) => {
      bytes += uncompressedSize;
    });
    zip.once('end', () => done(bytes));
    zip.once('error', failed);
  });
}
