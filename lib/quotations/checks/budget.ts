import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeout } from '../../async/with-timeout.ts';
import type { SourcePorts } from '../../retrieval/cite/sources.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type FileNow, readFileNow } from './file-now.ts';
import type { FindOptions } from './find-quote.ts';

/** The limits of a request that looks for quotes. Other requests wait while a file is decoded. */
const LIMITS = { ms: 5000, files: 100, characters: 10_000_000 };

/** The remaining budget. */
export interface SearchBudget {
  /** Returns whether anything may still be read. */
  isLeft(): boolean;
  /** Returns the remaining milliseconds, at least 1. */
  msLeft(): number;
  count(file: FileNow): void;
  find(): FindOptions;
}

export function startBudget(workspaceId: string): SearchBudget {
  const until = performance.now() + LIMITS.ms;
  let { files, characters } = LIMITS;
  const msLeft = () => Math.max(1, until - performance.now());
  return {
    isLeft: () => files > 0 && characters > 0 && performance.now() < until,
    msLeft,
    count(file) {
      files -= 1;
      if (file.state === 'read') characters -= file.source.text.length;
    },
    find: () => ({ timeoutMs: msLeft(), whose: workspaceId }),
  };
}

/**
 * Reads a file. Returns `unknown` if the budget is used up before the file has been read. Yields to other requests. A
 * late read continues, and the next request finds its result.
 */
export async function readWithin(
  budget: SearchBudget,
  ports: SourcePorts,
  workspace: Workspace,
  path: string,
): Promise<FileNow> {
  if (!budget.isLeft()) return { state: 'unknown' };
  await nextTurn();
  const read = () => readFileNow(ports, workspace, path, MAX_BYTES);
  const file = (await withTimeout(budget.msLeft(), read)) ?? { state: 'unknown' as const };
  budget.count(file);
  return file;
}

/** The maximum size in bytes. A larger file takes too long to decode while a caller waits. */
const MAX_BYTES = 16 * 1024 * 1024;
