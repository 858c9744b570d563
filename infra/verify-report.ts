import { open, realpath } from 'node:fs/promises';
import { ServiceError } from '../lib/errors.ts';
import { MAX_FILE_BYTES } from '../lib/formats/max-file-bytes.ts';
import { openInside } from '../lib/paths/confine.ts';
import { sha256 } from '../lib/paths/hash.ts';
import { readAtMost } from '../lib/paths/read-at-most.ts';
import { findInFile, type Lookup } from '../lib/research/proof/find-in-file.ts';
import { type ProofCheck, result } from '../lib/research/proof/proof-check.ts';
import { MAX_PROOF_BYTES } from '../lib/research/proof/read-proof.ts';
import type { PassagedQuote } from '../lib/research/proof/schema.ts';
import { type VerifiedProof, type VerifyOptions, verifyProof } from '../lib/research/proof/verify-proof.ts';
import { UsageError } from './command-line.ts';

export interface VerifyReportOptions extends VerifyOptions {
  /** The folder of the workspace, to look for the quotes in its files. */
  folder?: string | undefined;
}

/** Verifies the proof of a report in a file. Throws UsageError if the file or folder can't be read. */
export async function verifyReportFile(
  path: string,
  { folder, ...options }: VerifyReportOptions,
): Promise<Omit<VerifiedProof, 'quotes'>> {
  const root = folder === undefined ? undefined : await realpath(folder).catch(unreadable(folder));
  const { quotes, ...verified } = await verifyProof(await readFileOf(path), options);
  if (!verified.isProof) return verified;
  const files = await checkFiles(quotes, root);
  const unsealed = options.rootHash === undefined ? [UNSEALED] : [];
  return {
    ...verified,
    isIntact: verified.isIntact && files.every(({ state }) => state !== 'failed'),
    checks: [...verified.checks, ...files, ...unsealed],
  };
}

/** Each hash in a file can be made again, by anyone. */
const UNSEALED: ProofCheck = {
  ...{ name: 'root', state: 'not_checked', problems: [] },
  about:
    'Whether the service wrote the report. Someone who made or changed the ZIP file could have sealed it again. To compare it with the one that was exported, add --root-hash.',
};

async function readFileOf(path: string): Promise<Buffer> {
  await using handle = await open(path).catch(unreadable(path));
  const stats = await handle.stat();
  if (!stats.isFile()) throw new UsageError(`${path} isn't a file.`);
  return await readAtMost(handle, Math.min(stats.size, MAX_PROOF_BYTES + 1));
}

function unreadable(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new UsageError(`${path} can't be read (${error.code}).`);
  };
}

/** Compares each cited file with the one that it was when the report was finished, and looks for the quotes in it. */
async function checkFiles(quotes: PassagedQuote[], root: string | undefined): Promise<ProofCheck[]> {
  if (root === undefined)
    return [
      notChecked(
        'Whether the quotes are in the files that the proof names. To look for them, add --folder PATH.',
      ),
    ];
  const byPath = Map.groupBy(quotes, ({ path }) => path);
  const found: Lookup[] = [];
  for (const [path, some] of byPath) found.push(await lookUp(root, path, some));
  const unread = found.flatMap(({ unread: why = [] }) => why);
  const good = found.filter(({ problems, unread: why }) => problems.length === 0 && why === undefined).length;
  const same = `of ${byPath.size} quoted files are the same as when the report was finished, and have each quote.`;
  const about = { passed: `${good} ${same}`, failed: `Only ${good} ${same}` };
  const problems = found.flatMap((one) => one.problems);
  return [
    result('files', about, problems),
    ...(unread.length === 0
      ? []
      : [
          notChecked(
            `Whether the quotes are in these files, of which only the hash was compared: ${unread.join('; ')}.`,
          ),
        ]),
  ];
}

function notChecked(about: string): ProofCheck {
  return { name: 'files', state: 'not_checked', problems: [], about };
}

async function lookUp(root: string, path: string, quotes: PassagedQuote[]): Promise<Lookup> {
  const hashes = new Set(quotes.map(({ fileSha256 }) => fileSha256));
  const [hash] = hashes;
  if (hash === null || hashes.size !== 1)
    return { problems: [`${path} has no hash in the proof, or several.`] };
  const bytes = await readInside(root, path);
  if (bytes === undefined) return { problems: [`${path} isn't in the folder, or can't be read.`] };
  if ((await sha256(bytes)) !== hash) return { problems: [`${path} was changed.`] };
  return findInFile(path, bytes, quotes);
}

async function readInside(root: string, path: string): Promise<Buffer | undefined> {
  try {
    await using handle = await openInside(root, path);
    return await readAtMost(handle, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
