import type { Commit, DiffRequest, FileDiff, LogRange } from '../../ports/repositories.ts';
import { MAX_COMPARED_BYTES, MAX_DIFF_BYTES } from '../../ports/repositories.ts';
import { cutPatch, patchOfNewFile, readPatch } from '../git/patch.ts';
import { type GitCall, type GitProgram, output, outputStart } from './program.ts';

type Call = Omit<GitCall, 'args'>;

const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--ignore-submodules=all',
];

export async function diffOf(
  git: GitProgram,
  call: Call,
  root: string,
  { path, staged }: DiffRequest,
): Promise<FileDiff> {
  const args = [...DIFF, ...(staged ? ['--cached'] : []), '--', ...(path === undefined ? [] : [path])];
  const settings: Call['settings'] = [['core.bigFileThreshold', String(MAX_COMPARED_BYTES)]];
  const { text, isCut } = await outputStart(git, { ...call, settings, args }, MAX_DIFF_BYTES);
  if (path === undefined) return cutPatch(text, isCut);
  if (text === '' && !staged && (await isUntracked(git, call, path))) return patchOfNewFile(root, path);
  return readPatch(text, isCut);
}

async function isUntracked(git: GitProgram, call: Call, path: string): Promise<boolean> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', path];
  return (await outputStart(git, { ...call, args }, MAX_DIFF_BYTES)).text.split('\0').includes(path);
}

const MAX_LOG_BYTES = 2 * 1024 * 1024;
const FORMAT = '--format=%H%x1f%at%x1f%an%x1f%s%x1f%b';

export async function logOf(git: GitProgram, call: Call, { most, skip }: LogRange): Promise<Commit[]> {
  const args = [
    'log',
    '-z',
    `--max-count=${most}`,
    `--skip=${skip}`,
    '--no-color',
    '--no-notes',
    FORMAT,
    'HEAD',
    '--',
  ];
  const { text, isCut } = await outputStart(git, { ...call, args }, MAX_LOG_BYTES);
  const entries = text.split('\0');
  if (isCut) entries.pop(); // the last entry may be incomplete
  return entries.filter((entry) => entry !== '').map(readCommit);
}

function readCommit(entry: string): Commit {
  const [hash = '', at, author = '', subject = '', ...body] = entry.split('\x1f');
  return { hash, author, at: Number(at) || 0, subject, body: body.join('\x1f').trim() };
}

/** Reads the status without looking into nested repositories, because git would use their settings. */
export async function statusText(git: GitProgram, call: Call): Promise<string> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all'];
  return output(git, { ...call, args: [...args, '--ignore-submodules=all', '--no-renames'] });
}
