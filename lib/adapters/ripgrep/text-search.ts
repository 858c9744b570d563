import { stat } from 'node:fs/promises';
import { InvalidInput, NotConfigured } from '../../errors.ts';
import { confine } from '../../paths/confine.ts';
import { fileError } from '../../paths/file-errors.ts';
import type {
  HeldMatch,
  TextFilesRequest,
  TextPattern,
  TextPlace,
  TextSearch,
  TextSearchRequest,
  TextSearchResult,
} from '../../ports/text-search.ts';
import { parseEvent } from './events.ts';
import { heldLines, matchCollector } from './matches.ts';
import { type RipgrepRun, startRipgrep } from './process.ts';

/** Maximum bytes of ripgrep's output. It contains whole lines, however long they are. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Larger files are skipped, because ripgrep loads a whole line into memory, and a file may be one line. */
const MAX_FILE_SIZE = '256M';

/**
 * Text search by ripgrep. `binary` is the program's path, by default that of the installed package, resolved
 * at the first search. Omits hidden files, and files that .gitignore names, unless the path itself names
 * them.
 */
export function ripgrepTextSearch(binary?: string): TextSearch {
  let found: Promise<string> | undefined;
  return {
    async search(request) {
      refuseNul(request);
      const target = await findTarget(request);
      return runSearch(await program(), request, target);
    },
    async files(request) {
      refuseNul(request);
      const target = await findTarget(request);
      return listFiles(await program(), request, target);
    },
    async searchTexts(texts, pattern) {
      refuseNul(pattern);
      return searchHeld(await program(), texts, pattern);
    },
  };
  function program(): Promise<string> {
    found ??= binary === undefined ? findBinary() : Promise.resolve(binary);
    return found;
  }
}

/** Returns the program. The package throws if it doesn't support this system. */
async function findBinary(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep').catch(notInstalled);
  return rgPath;
}

function notInstalled(): never {
  throw new NotConfigured(
    'text_search_not_configured',
    "Text search isn't available: ripgrep is not installed. Install it, or set RIPGREP_PATH.",
  );
}

function refuseNul({ pattern = '', include = [], signal }: Partial<TextSearchRequest>): void {
  signal?.throwIfAborted();
  if (pattern.includes('\0'))
    throw new InvalidInput('invalid_pattern', "pattern can't contain NUL. Write \\x00.", {
      field: 'pattern',
    });
  if (include.some((glob) => glob.includes('\0')))
    throw new InvalidInput('invalid_pattern', "include can't contain NUL.", { field: 'include' });
}

/** Returns the path below the root to search, with links resolved. Throws InvalidInput and NotFound. */
async function findTarget({ root, path }: TextPlace): Promise<string> {
  const location = await confine(root, path);
  const found = await stat(location).catch(fileError);
  if (!found.isFile() && !found.isDirectory())
    throw new InvalidInput('not_a_file', "path isn't a regular file.", { field: 'path' });
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
  await requireBegun(ended, completed, signal);
  return { matches: collector.sorted(), truncated: !completed };
}

/** Throws if ripgrep couldn't start. Unreadable files, for which the exit code is 2 as well, are skipped. */
async function requireBegun(
  ended: RipgrepRun['ended'],
  completed: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { code, problem } = await endOf(ended, signal);
  if (code === 2 && !completed) throw refusal(problem);
}

async function endOf(ended: RipgrepRun['ended'], signal: AbortSignal | undefined) {
  const end = await ended.catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    return error.code === 'ENOENT' ? notInstalled() : Promise.reject(error);
  });
  signal?.throwIfAborted();
  return end;
}

/** Matches a UTF-8 start byte without a valid continuation, or a continuation byte without a start. */
const NOT_UTF8 = String.raw`(?-u:[\xc2-\xf4](?:[\x00-\x09\x0b-\x7f\xc0-\xff]|$)|[\x00-\x09\x0b-\x7f][\x80-\xbf])`;

async function listFiles(
  binary: string,
  request: TextFilesRequest,
  target: string,
): Promise<{ paths: string[]; truncated: boolean }> {
  const { root, timeoutMs, signal, written } = request;
  const what =
    written === undefined ? ['--files'] : ['--files-with-matches', '--encoding=none', '-e', NOT_UTF8];
  const args = [...placeArguments(request, target), ...what, '--', target];
  const limits = { timeoutMs, maxBytes: MAX_BYTES, signal };
  const { lines, ended } = startRipgrep(binary, args, root, limits);
  const paths = await Array.fromAsync(lines, (line) => line.replace(/^\.\//, ''));
  const { code } = await endOf(ended, signal);
  return { paths: paths.sort(), truncated: code === null };
}

/** Searches the documents as a single text, in which line numbers identify each document. */
async function searchHeld(
  binary: string,
  texts: string[],
  { context = 0, maxMatches, timeoutMs, signal, ...pattern }: TextPattern,
): Promise<{ matches: HeldMatch[]; truncated: boolean }> {
  const starts: number[] = [];
  let lineCount = 0;
  for (const text of texts) {
    starts.push(lineCount);
    lineCount += text.split('\n').length;
  }
  const input = texts.map((text) => `${text.replace(/^\ufeff/, '')}\n`).join('');
  const args = ['--text', ...patternArguments({ ...pattern, context, maxMatches }), '-'];
  const { lines, ended } = startRipgrep(binary, args, '/', { timeoutMs, maxBytes: MAX_BYTES, signal, input });
  const held = heldLines(starts);
  let completed = false;
  for await (const line of lines) {
    const event = parseEvent(line);
    if (event.type === 'match' || event.type === 'context') held.add(event);
    completed = event.type === 'summary';
  }
  await requireBegun(ended, completed, signal);
  const matches = held.matches(context);
  return { matches: matches.slice(0, maxMatches), truncated: !completed || matches.length > maxMatches };
}

/**
 * Returns the path arguments. Ignore files above the root don't apply; those between the root and the target
 * do. ripgrep reads either all of them or none, so the root's own is passed explicitly.
 */
function placeArguments({ include = [] }: Pick<TextPlace, 'include'>, target: string): string[] {
  return [
    ...['--no-config', '--no-follow', '--no-require-git', '--no-ignore-parent', '--no-ignore-global'],
    ...(target === './' ? [] : ['--ignore-file', '.gitignore']),
    `--max-filesize=${MAX_FILE_SIZE}`,
    ...include.map((glob) => `--glob=${glob}`),
  ];
}

function patternArguments({
  pattern,
  ignoreCase = false,
  context = 0,
  maxMatches,
}: Omit<TextPattern, 'timeoutMs' | 'signal'>): string[] {
  return [
    ...['--json', '--no-config', '--crlf', '--regex-size-limit=10M'],
    ...[`--max-count=${maxMatches + 1}`, `--context=${context}`],
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    // The pattern includes the rest of the line, so that each line has one match. Otherwise, ripgrep lists
    // every match in a line: possibly gigabytes for a long one.
    ...['-e', `(?:${pattern}).*`, '--'],
  ];
}

function makeArguments({ exclude = [], ...request }: TextSearchRequest, target: string): string[] {
  const excluded = exclude.map((extension) => `--iglob=!*.${extension}`);
  return [...placeArguments(request, target), ...excluded, ...patternArguments(request), target];
}

/** Returns the error; quotes ripgrep's own message if it's about the caller's input. */
function refusal(problem: string): Error {
  const glob = /error parsing glob .*?: (.+)/.exec(problem)?.[1];
  if (glob !== undefined)
    return new InvalidInput('invalid_pattern', `include is not a valid glob: ${glob}`, { field: 'include' });
  const parsing = /^error: (.+)/m.exec(problem)?.[1];
  const other = /^rg: (the literal .+|compiled regex .+)/m.exec(problem)?.[1];
  if (parsing === undefined && other === undefined) return new Error(`ripgrep failed: ${problem}`);
  return new InvalidInput(
    'invalid_pattern',
    `pattern is not a valid regular expression: ${parsing ?? other}`,
    { field: 'pattern' },
  );
}
