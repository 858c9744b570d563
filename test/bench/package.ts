import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type FunctionSource, startFunction } from '../lanes/function-process.ts';
import {
  type PackagedFunction,
  packagedFunctions,
  readArtifacts,
  readTemplate,
  unpackFunction,
} from '../lanes/packaged-service.ts';
import { readZip, type ZipEntry } from '../lanes/zip.ts';
import { serveUntilDone } from '../support/processes/serve-until-done.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { percentile } from './load.ts';
import { type BenchRow, ms } from './table.ts';

/** Measurements of a packaged function. */
export interface PackageMeasure {
  name: string;
  zippedMb: number;
  unpackedMb: number;
  /** True if it uses the layer with LanceDB's native library. */
  hasLancedb: boolean;
  /** True if its code loads LanceDB. */
  usesLancedb: boolean;
  /** True if it contains Adobe's CMaps and code that reads PDFs with them. */
  carriesCmaps: boolean;
  usesCmaps: boolean;
  /** True if its code watches folders, which only hosts do. */
  watchesFolders: boolean;
  /**
   * Median time in AWS's own runtime client, from the start of the process to its first request for an event.
   */
  initMs: number;
  aimMs: number;
  rssMb: number;
  /** Number of its requests to AWS during one start. */
  requests: number;
}

const STARTS = 5;
const MB = 1_000_000;
export const MAX_UNPACKED_MB = 210;
/** The CMaps are one of the megabytes. */
export const MAX_ZIPPED_MB = 4;

/**
 * Compares the sizes and start times of every function in .serverless/ (`npm run package`) with the start of
 * an empty function.
 */
export async function measurePackage(
  starts = STARTS,
): Promise<{ functions: PackageMeasure[]; emptyInitMs: number }> {
  const aws = await startRefusing();
  // The API's ID is a parameter of its own stack.
  const ids = [...Object.keys(readTemplate()), 'ApiId'];
  const values = Object.fromEntries(ids.map((id) => [id, `${aws.url}/${id}`]));
  const empty = await measureStarts(await emptyFunction(), starts);
  const functions: PackageMeasure[] = [];
  for (const source of packagedFunctions()) {
    const place = { folder: await tempFolder(), mount: await tempFolder(), values };
    const settings = { AWS_ENDPOINT_URL: aws.url };
    const measured = await measureStarts(unpackFunction(source, { ...place, settings }), starts);
    const requests = aws.takeCount() / starts;
    functions.push({ ...sizesOf(source), ...measured, aimMs: aimOf(source.name), requests });
  }
  return { functions, emptyInitMs: empty.initMs };
}

/** A fake AWS that rejects and counts all requests. */
async function startRefusing() {
  let count = 0;
  const url = await serveUntilDone(
    createServer((_, response) => {
      count += 1;
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end('{"__type":"Refused"}');
    }),
  );
  const takeCount = () => {
    const counted = count;
    count = 0;
    return counted;
  };
  return { url, takeCount };
}

/** Returns the same numbers as rows of `npm run bench`. */
export async function benchPackage(): Promise<BenchRow[]> {
  const { functions, emptyInitMs } = await measurePackage();
  return functions.flatMap((measure) => [initRow(measure, emptyInitMs), sizeRow(measure)]);
}

async function emptyFunction(): Promise<FunctionSource> {
  const folder = await tempFolder();
  await mkdir(join(folder, 'functions'));
  await writeFile(join(folder, 'functions/empty.mjs'), 'export async function handler() {}\n');
  return { name: 'empty', folder, handler: 'functions/empty.handler', memoryMb: 512, env: {} };
}

async function measureStarts(
  source: FunctionSource,
  starts: number,
): Promise<{ initMs: number; rssMb: number }> {
  const inits: number[] = [];
  const memory: number[] = [];
  for (let start = 0; start < starts; start++) {
    const instance = await startFunction(source);
    inits.push(instance.initMs);
    memory.push(instance.maxRssMb());
    await instance.stop();
  }
  return { initMs: percentile(inits, 0.5), rssMb: Math.max(...memory) };
}

/**
 * Strings of both watchers that minification keeps: the start of a native package's name, and a file that the
 * other watcher reads.
 */
const WATCHING = ['@parcel/watcher-', 'fs/inotify'];

/**
 * A setting of the passage store that minification keeps. Some functions bundle LanceDB without it, because
 * they measure its tables on a single host.
 */
const OPENING = 'readConsistencyInterval';

function sizesOf({ name, zip, zippedBytes, layered }: PackagedFunction) {
  const entries = readZip(zip);
  const names = (what: string) =>
    entries.some(({ path, read }) => path.endsWith('.mjs') && read().includes(what));
  return {
    name,
    zippedMb: zippedBytes / MB,
    unpackedMb: unpackedBytes([...entries, ...(layered ? layerEntries() : [])]) / MB,
    hasLancedb: layered,
    usesLancedb: names(OPENING),
    carriesCmaps: entries.some(({ path }) => path === 'lib/formats/cmaps/GBK-EUC-H.bcmap'),
    usesCmaps: names('lib/formats/cmaps'),
    watchesFolders: entries.some(({ path }) => path.includes('@parcel/')) || WATCHING.some(names),
  };
}

/** Returns the entries of the layer, which count for each function that has it. */
function layerEntries(): ZipEntry[] {
  const layer = readArtifacts().find(({ key }) => key.startsWith('code/native-layer-'));
  return readZip(layer?.file ?? '');
}

function unpackedBytes(entries: ZipEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

/** Functions that load at least the modules that chat loads. */
const WITH_MODEL = ['chat', 'agent', 'agent-worker', 'generate', 'task-worker', 'bot-worker'];

/** Targets of the project on this host with a warm disk. Lambda itself takes longer. */
function aimOf(name: string): number {
  if (WITH_MODEL.includes(name)) return 130;
  return name === 'scheduler' || name.endsWith('-worker') ? 60 : 110;
}

function initRow({ name, initMs, aimMs }: PackageMeasure, emptyInitMs: number): BenchRow {
  return {
    measure: `init of ${name}, median of ${STARTS}`,
    ours: ms(initMs),
    baseline: `an empty function ${ms(emptyInitMs)}`,
    aim: `under ${aimMs} ms`,
    met: initMs < aimMs,
  };
}

function sizeRow({ name, zippedMb, unpackedMb }: PackageMeasure): BenchRow {
  return {
    measure: `size of ${name}, zipped, and unpacked with its layer`,
    ours: `${zippedMb.toFixed(2)} and ${unpackedMb.toFixed(2)} MB`,
    baseline: 'Lambda takes 262 MB unpacked',
    aim: `zipped under ${MAX_ZIPPED_MB} MB, unpacked under ${MAX_UNPACKED_MB} MB`,
    met: unpackedMb < MAX_UNPACKED_MB && zippedMb < MAX_ZIPPED_MB,
  };
}
