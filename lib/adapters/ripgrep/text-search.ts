import { stat } from 'node:fs/promises';
import { InvalidInput, NotConfigured } from '../../errors.ts';
import { confine } from '../../paths/confine.ts';
import { fileError } from '../../paths/file-errors.ts';
import type { TextSearch, TextSearchRequest, TextSearchResult } from '../../ports/text-search.ts';
import { parseEvent } from './events.ts';
import { matchCollector } from './matches.ts';
import { startRipgrep } from './process.ts';

/** The most bytes of ripgrep's own output, of which a match is a part: lines come whole, however long. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Larger files are passed over: ripgrep holds a line in memory, and a file may be one line. */
const MAX_FILE_SIZE = '256M';

/**
 * Text search by ripgrep. `binary` is the program's path; the default is the one of the installed package, which is looked
 * for at the first search. What .gitignore names is left out, and so are hidden files, unless the path names them.
 */
export function ripgrepTextSearch(binary?: string): TextSearch {
  let found: Promise<string> | undefined;
  return {
    async search(request) {
      request.signal?.throwIfAborted();
      const target = await findTarget(request);
      found ??= binary === undefined ? findBinary() : Promise.resolve(binary);
      return runSearch(await found, request, target);
    },
  };
}

/** The package throws where it brings no program for this system. */
async function findBinary(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep').catch(notInstalled);
  return rgPath;
}

function notInstalled(): never {
  throw new NotConfigured('text search: ripgrep is not installed here; set RIPGREP_PATH');
}

/** Below the root, links resolved, as ripgrep is given it. Throws InvalidInput and NotFound. */
async function findTarget({ root, path, pattern, include = [] }: TextSearchRequest): Promise<string> {
  if (pattern.includes('\0')) throw new InvalidInput('pattern: must not contain NUL (write \\x00)');
  if (include.some((glob) => glob.includes('\0'))) throw new InvalidInput('include: must not contain NUL');
  const location = await confine(root, path);
  const found = await stat(location).catch(fileError);
  if (!found.isFile() && !found.isDirectory()) throw new InvalidInput('path: not a regular file');
  return `./${location.slice(root.length + 1)}`;
}

async function runSearch(
  binary: string,
  request: TextSearchRequest,
  target: string,
): Promise<TextSearchResult> {
  const { root, context = 0, maxMatches, timeoutMs, signal } = request;
  const limits = { timeoutMs, maxBytes: MAX_BYTES, signal };
  const { lines, ended } = startRipgrep(binary, makeArguments(request, target), root, limits);
  const collector = matchCollector(root, context, maxMatches);
  let completed = false;
  try {
    for await (const line of lines) {
      const event = parseEvent(line);
      if (!(await collector.add(event))) break;
      completed = event.type === 'summary';
    }
  } finally {
    await collector.close();
  }
  const { code, problem } = await ended.catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    return error.code === 'ENOENT' ? notInstalled() : Promise.reject(error);
  });
  signal?.throwIfAborted();
  // Files that cannot be read are passed over (code 2 as well); without a summary it never began.
  if (code === 2 && !completed) throw refusal(problem);
  return { matches: collector.sorted(), truncated: !completed };
}

/**
 * Ignore files above the root are another's business, those between the root and the target are not: of these the
 * root's own is given by hand, for ripgrep looks at all or none.
 */
function makeArguments(
  { pattern, include = [], ignoreCase = false, context = 0, maxMatches }: TextSearchRequest,
  target: string,
): string[] {
  return [
    ...[
      '--json',
      '--no-config',
      '--no-follow',
      '--no-require-git',
      '--no-ignore-parent',
      '--no-ignore-global',
    ],
    ...(target === './' ? [] : ['--ignore-file', '.gitignore']),
    ...['--crlf', '--regex-size-limit=10M', `--max-count=${maxMatches + 1}`, `--context=${context}`],
    `--max-filesize=${MAX_FILE_SIZE}`,
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...include.map((glob) => `--glob=${glob}`),
    // With the rest of the line in it a match is one: ripgrep lists all of a line, in gigabytes when the line is long.
    ...['-e', `(?:${pattern}).*`, '--', target],
  ];
}

/** Ripgrep's own words where they are about what the caller gave. */
function refusal(problem: string): Error {
  const glob = /error parsing glob .*?: (.+)/.exec(problem)?.[1];
  if (glob !== undefined) return new InvalidInput(`include: ${glob}`);
  const parsing = /^error: (.+)/m.exec(problem)?.[1];
  const other = /^rg: (the literal .+|compiled regex .+)/m.exec(problem)?.[1];
  if (parsing === undefined && other === undefined) return new Error(`ripgrep failed: ${problem}`);
  return new InvalidInput(`pattern: ${parsing ?? other}`);
}
