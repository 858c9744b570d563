import { open, realpath } from 'node:fs/promises';
import { ServiceError } from '../lib/errors.ts';
import { openInside } from '../lib/paths/confine.ts';
import { hashOfFile } from '../lib/paths/hash.ts';
import { readAtMost } from '../lib/paths/read-at-most.ts';
import { type ProofCheck, result } from '../lib/research/proof/proof-check.ts';
import { MAX_PROOF_BYTES } from '../lib/research/proof/read-proof.ts';
import type { ProofQuote } from '../lib/research/proof/schema.ts';
import { type VerifiedProof, type VerifyOptions, verifyProof } from '../lib/research/proof/verify-proof.ts';
import { UsageError } from './command-line.ts';

export interface VerifyReportOptions extends VerifyOptions {
  /** The folder of the workspace, to compare its files with those that the report quotes. */
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
  return {
    ...verified,
    isIntact: verified.isIntact && files.state !== 'failed',
    checks: [...verified.checks, files],
  };
}

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

/** Compares the hash of each cited file with the one that it had when the report was finished. */
async function checkFiles(quotes: ProofQuote[], root: string | undefined): Promise<ProofCheck> {
  if (root === undefined)
    return {
      ...{ name: 'files', state: 'not_checked', problems: [] },
      about: 'Whether the quoted files are still the same. To compare them, add --folder PATH.',
    };
  const hashes = new Map(quotes.map(({ path, fileSha256 }) => [path, fileSha256]));
  const problems: string[] = [];
  for (const [path, hash] of hashes) problems.push(...(await fileProblems(root, path, hash)));
  const same = `of ${hashes.size} quoted files are the same as when the report was finished.`;
  const about = { passed: `${hashes.size} ${same}`, failed: `Only ${hashes.size - problems.length} ${same}` };
  return result('files', about, problems);
}

async function fileProblems(root: string, path: string, hash: string | null): Promise<string[]> {
  try {
    await using handle = await openInside(root, path);
    if (hash === null) return [`${path} has no hash in the proof.`];
    return (await hashOfFile(handle)) === hash ? [] : [`${path} was changed.`];
  } catch (error) {
    if (error instanceof ServiceError) return [`${path} isn't in the folder, or can't be read.`];
    throw error;
  }
}
