import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';
import type { FunctionSettings } from './settle-functions.ts';
import type { Template } from './template.ts';

/** What Lambda accepts of a function together with its layers (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html). */
export const MAX_UNPACKED_BYTES = 262_144_000;
const MB = 1_000_000;
const LAYER = 'NativeLayer';

/** The collector's is an ARN. */
type Layer = string | { Ref?: string };

interface Parts {
  code: number;
  native: number;
  collector: number;
}

/**
 * Throws an Error with the sizes and what to do if Lambda would refuse a function. CloudFormation would report it only after
 * minutes, and roll the whole update back.
 */
export function refuseTooLarge(
  { Resources }: Template,
  sizes: ReadonlyMap<string, number>,
  settings: Omit<FunctionSettings, 'kmsKey'>,
): void {
  const native = sizes.get(Resources[LAYER]?.Properties.Content.S3Key) ?? 0;
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const layers: Layer[] = Properties.Layers ?? [];
    const parts = {
      code: sizes.get(Properties.Code.S3Key) ?? 0,
      native: layers.some(isNative) ? native : 0,
      collector: layers.includes(settings.collectorLayer) ? Number(settings.collectorLayerMb) * MB : 0,
    };
    const sum = parts.code + parts.native + parts.collector;
    if (sum > MAX_UNPACKED_BYTES) throw new Error(describe(Properties.FunctionName, sum, parts));
  }
}

function isNative(layer: Layer): boolean {
  return typeof layer === 'object' && layer.Ref === LAYER;
}

function describe(name: string, sum: number, parts: Parts): string {
  const collector = parts.collector > 0;
  const sizes = `code ${inMb(parts.code)}, native layer ${inMb(parts.native)}`;
  const fault = `${name} would have ${inMb(sum)} MB unpacked, and Lambda accepts ${inMb(MAX_UNPACKED_BYTES)} (${sizes}`;
  const remedy = 'If packaging warned about symbols, install `strip` (binutils), which saves 34 MB.';
  if (!collector) return `${fault}). ${remedy}`;
  return (
    `${fault}, COLLECTOR_LAYER ${inMb(parts.collector)}). ${remedy} Otherwise set COLLECTOR_LAYER_MB to the unpacked size of ` +
    'your layer, choose a smaller one, or send traces to a collector outside of the functions (docs/operate/tracing.md).'
  );
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}

/** Returns the unpacked sizes by key, as the directories of the zips state them. */
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
