import type * as z from 'zod';
import { isSameFromStart } from './check-entries.ts';
import { checkMetadata } from './check-metadata.ts';
import { checkProofQuotes } from './check-quotes.ts';
import { checkCodeChecks, checkSentences, checkText } from './check-report.ts';
import { digest } from './digest.ts';
import { json, manifestOf, packProof } from './make-proof.ts';
import { type ProofCheck, type ProofContents, result } from './proof-check.ts';
import { BrokenProof, readProof } from './read-proof.ts';
import {
  callsFileSchema,
  FILE,
  type PassagedQuote,
  type ProofQuote,
  planFileSchema,
  quotesFileSchema,
  reportFileSchema,
} from './schema.ts';

export interface VerifiedProof {
  isIntact: boolean;
  /** False if the file is something else, of which nothing more was checked. */
  isProof: boolean;
  /** Of the file as it is. Undefined if there is no manifest. */
  rootHash?: string;
  runId?: string;
  title?: string;
  checks: ProofCheck[];
  /** The quotes, for a comparison with the files that they come from. */
  quotes: PassagedQuote[];
}

export interface VerifyOptions {
  /** The root hash that the service shows. */
  rootHash?: string | undefined;
  /** Accepts a file that another program packed again, if its contents are intact. */
  repacked?: boolean | undefined;
}

/** Verifies the proof of a report: needs no service, no network, and no model. */
export async function verifyProof(bytes: Buffer, options: VerifyOptions = {}): Promise<VerifiedProof> {
  const files = await readProof(bytes).catch((error: unknown) => {
    if (error instanceof BrokenProof) return error;
    throw error;
  });
  if (files instanceof BrokenProof) return noProof(files.message);
  if (!OWN_FILES.some((path) => files.has(path)))
    return noProof('It is a ZIP file without the files of a proof.');
  const checks = [await checkArchive(bytes, files, options), checkManifest(files), checkRoot(files, options)];
  const manifest = files.get(FILE.manifest);
  const rootHash = manifest && digest(manifest);
  const { contents, problems } = readContents(files);
  checks.push(
    ...(contents === undefined ? [result('sentences', UNREADABLE, problems)] : checkContents(contents)),
  );
  return {
    isIntact: checks.every(({ state }) => state !== 'failed'),
    isProof: true,
    ...(rootHash !== undefined && { rootHash }),
    ...(contents && { runId: contents.report.runId, title: contents.report.title }),
    checks,
    quotes: contents?.quotes.map((quote) => withPassage(files, quote)) ?? [],
  };
}

function withPassage(files: Map<string, Buffer>, quote: ProofQuote): PassagedQuote {
  return { ...quote, passage: files.get(quote.extract?.file ?? '')?.toString() };
}

/** Other archives have none of them; a damaged proof has some. */
const OWN_FILES = [FILE.report, FILE.quotes, FILE.manifest, FILE.root];

function noProof(problem: string): VerifiedProof {
  const about = "This isn't a proof of a report.";
  const archive = result('archive', { passed: about, failed: about }, [problem]);
  return { isIntact: false, isProof: false, checks: [archive], quotes: [] };
}

const UNREADABLE = {
  passed: 'The files of the proof can be read.',
  failed: 'Not all files of the proof can be read.',
};

/** A proof has one form, to the byte. Other bytes with the same contents come from another program, or from tampering. */
async function checkArchive(
  bytes: Buffer,
  files: Map<string, Buffer>,
  { repacked = false }: VerifyOptions,
): Promise<ProofCheck> {
  const about = {
    passed: 'The ZIP file is exactly the one that the service writes for its contents.',
    failed: "The ZIP file isn't the one that the service writes for its contents.",
  };
  const isCanonical = bytes.equals(packProof(files));
  if (isCanonical || !repacked) {
    const problem =
      "The ZIP file isn't as the service wrote it. If you packed it again yourself, verify it with --repacked: then only its contents count.";
    return result('archive', about, isCanonical ? [] : [problem]);
  }
  if (!(await isSameFromStart(bytes)))
    return result('archive', about, [
      'Programs that unpack the ZIP file from its beginning get other files.',
    ]);
  return {
    ...{ name: 'archive', state: 'not_checked', problems: [] },
    about: 'Another program packed the ZIP file again. Only its contents are checked.',
  };
}

function checkManifest(files: Map<string, Buffer>): ProofCheck {
  const about = {
    passed: `Each file has the hash that ${FILE.manifest} lists, and no file is missing or added.`,
    failed: `The files aren't those that ${FILE.manifest} lists.`,
  };
  const manifest = files.get(FILE.manifest)?.toString();
  if (manifest === undefined) return result('manifest', about, [`${FILE.manifest} is missing.`]);
  const payload = new Map(files);
  payload.delete(FILE.manifest);
  payload.delete(FILE.root);
  const expected = manifestOf(payload);
  if (expected === manifest) return result('manifest', about, []);
  const [listed, found] = [linesOf(manifest), linesOf(expected)];
  const paths = [...new Set([...listed.keys(), ...found.keys()])].sort();
  const problems = paths.flatMap((path) => {
    if (!found.has(path)) return [`${path} is missing.`];
    if (!listed.has(path)) return [`${path} isn't listed.`];
    return listed.get(path) === found.get(path) ? [] : [`${path} was changed.`];
  });
  return result(
    'manifest',
    about,
    problems.length > 0 ? problems : [`The form of ${FILE.manifest} was changed.`],
  );
}

function linesOf(manifest: string): Map<string, string> {
  const lines = manifest.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

function checkRoot(files: Map<string, Buffer>, { rootHash }: VerifyOptions): ProofCheck {
  const [given, other] =
    rootHash === undefined ? ['', ''] : [', and the one that you gave', ', or not the one that you gave'];
  const about = {
    passed: `The root hash is the hash of ${FILE.manifest}${given}.`,
    failed: `The root hash isn't the hash of ${FILE.manifest}${other}.`,
  };
  const manifest = files.get(FILE.manifest);
  const stated = files.get(FILE.root)?.toString();
  if (manifest === undefined || stated === undefined)
    return result('root', about, [`${FILE.root} is missing.`]);
  const actual = digest(manifest);
  const problems = [
    ...(stated === `${actual}\n` ? [] : [`${FILE.root} doesn't have the hash of ${FILE.manifest}.`]),
    ...(rootHash === undefined || rootHash.toLowerCase() === actual
      ? []
      : [`The root hash is ${actual}, and not the one that you gave.`]),
  ];
  return result('root', about, problems);
}

function readContents(files: Map<string, Buffer>): { contents?: ProofContents; problems: string[] } {
  const problems: string[] = [];
  const read = <Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> | undefined => {
    const value = parse(files.get(path));
    const parsed = schema.safeParse(value);
    if (parsed.success && !isInOneForm(files, path, value)) {
      problems.push(`${path} has a key twice, or another form than the service writes.`);
      return undefined;
    }
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const isThere = files.has(path);
    problems.push(
      isThere ? `${path} can't be read: ${issue?.path.join('.')} ${issue?.message}` : `${path} is missing.`,
    );
    return undefined;
  };
  const report = read(FILE.report, reportFileSchema);
  const quotes = read(FILE.quotes, quotesFileSchema)?.quotes;
  read(FILE.plan, planFileSchema);
  read(FILE.calls, callsFileSchema);
  if (report === undefined || quotes === undefined || problems.length > 0) return { problems };
  return { contents: { files, quotes, report: { ...report, evidence: quotes } }, problems };
}

/** Readers of JSON differ about a key that is there twice. */
function isInOneForm(files: Map<string, Buffer>, path: string, value: unknown): boolean {
  return files.get(path)?.equals(json(value)) === true;
}

function parse(content: Buffer | undefined): unknown {
  try {
    return JSON.parse(content?.toString() ?? '');
  } catch {
    return undefined;
  }
}

function checkContents(contents: ProofContents): ProofCheck[] {
  return [
    checkMetadata(contents, parse(contents.files.get(FILE.metadata))),
    ...checkProofQuotes(contents),
    checkSentences(contents),
    checkText(contents),
    checkCodeChecks(contents),
  ];
}
