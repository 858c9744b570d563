import { lstat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { diffArrays } from 'diff/lib/diff/array.js';
import type { CallEffect } from '../../api-contract/call-effects.ts';
import { decodeText } from '../../formats/decode.ts';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { effectsOfLine } from '../../permissions/effects.ts';
import type { PathOrigin } from '../../permissions/judge.ts';
import { realPathOf } from '../../permissions/paths.ts';
import { applyEdits, type Edit } from '../tools/edits.ts';
import type { FitCall } from './call.ts';

/** The maximum size in bytes of a file whose lines are described. */
const MAX_BYTES = 1024 * 1024;
const MAX_DIFF_MS = 100;
const MAX_PATH = 200;

/**
 * Returns the certain effects of a call on the current files; none if the tool's effects aren't known. Never
 * throws.
 */
export async function effectsOfCall({ tool, input }: FitCall, place: PathOrigin): Promise<CallEffect[]> {
  const { ruled, name } = tool;
  if (ruled === undefined || ruled.kind === 'text') return [];
  const text = ruled.argument(input);
  if (ruled.kind === 'shell') return bounded(await withFiles(effectsOfLine(text), place));
  if (name !== 'writeFile' && name !== 'editFile') return bounded([{ kind: 'reads', path: text || '.' }]);
  return bounded([
    await effectOfWrite(input, text, place).catch(() => ({ kind: 'edits' as const, path: text })),
  ]);
}

function bounded(effects: CallEffect[]): CallEffect[] {
  const cut = (path: string | undefined) =>
    path !== undefined && path.length > MAX_PATH ? `…${path.slice(-MAX_PATH)}` : path?.toWellFormed();
  return effects.map((effect) => ({ ...effect, path: cut(effect.path), to: cut(effect.to) }));
}

/**
 * Adds the affected files. Deleting a folder deletes its contents, and moving or copying onto a file replaces that
 * file.
 */
async function withFiles(effects: CallEffect[], place: PathOrigin): Promise<CallEffect[]> {
  const all = await Promise.all(effects.map((effect) => withFile(effect, place)));
  return all.flat();
}

async function withFile(effect: CallEffect, place: PathOrigin): Promise<CallEffect[]> {
  const { kind, path = '', to } = effect;
  if (kind === 'deletes' && (await kindAt(place, path)) === 'folder')
    return [{ kind: 'deletesFolder', path }];
  if (kind === 'writes') return [{ kind, path: await writtenAt(place, path) }];
  if (to === undefined) return [effect];
  const into = (await kindBehind(place, to)) === 'folder';
  const target = into ? posix.join(to, basename(path)) : to;
  const replaced = await replacedAt(place, kind, target);
  return replaced === undefined ? [effect] : [{ kind: 'overwrites', path: replaced }, effect];
}

/**
 * Returns the files that are lost at the target. A move replaces a link there; a copy follows the link, and
 * merges folders.
 */
async function replacedAt(place: PathOrigin, kind: CallEffect['kind'], target: string) {
  const there = await kindAt(place, target);
  if (there === undefined || (there === 'folder' && kind === 'moves')) return undefined;
  return kind === 'moves' ? target : writtenAt(place, target);
}

/** A write follows a link within the workspace. */
async function writtenAt({ rootPath, cwd }: PathOrigin, path: string): Promise<string> {
  const found = await realPathOf(rootPath, cwd, path);
  return found === undefined || found.real === found.plain ? path : posix.relative(cwd, found.real);
}

type Kind = 'file' | 'folder' | 'link' | undefined;

/** Doesn't follow a link, because deleting or replacing affects the link itself. */
async function kindAt({ rootPath, cwd }: PathOrigin, path: string): Promise<Kind> {
  const found = await realPathOf(rootPath, cwd, path);
  const stats = found && (await lstat(join(rootPath, found.plain)).catch(() => undefined));
  return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'folder' : stats && 'link';
}

async function kindBehind(place: PathOrigin, path: string): Promise<Kind> {
  const found = await realPathOf(place.rootPath, place.cwd, path);
  return found && kindAt({ ...place, cwd: '' }, found.real);
}

async function effectOfWrite(
  { content, edits }: Record<string, unknown>,
  path: string,
  place: PathOrigin,
): Promise<CallEffect> {
  const before = await readBefore(place, path);
  if (before === 'absent' && typeof content === 'string')
    return { kind: 'creates', path, lines: linesOf(content).length };
  if (typeof before !== 'object') return { kind: typeof content === 'string' ? 'overwrites' : 'edits', path };
  const after = typeof content === 'string' ? content : applyEdits(before.text, edits as Edit[]).text;
  return changeOf(before.text, after, path);
}

/** Reads a text file that a write would replace. */
async function readBefore(
  { rootPath, cwd }: PathOrigin,
  path: string,
): Promise<{ text: string } | 'absent' | 'unreadable'> {
  const found = await realPathOf(rootPath, cwd, path);
  if (found === undefined) return 'unreadable';
  const stats = await lstat(join(rootPath, found.real)).catch(() => undefined);
  if (stats === undefined) return 'absent';
  if (!stats.isFile() || stats.size > MAX_BYTES) return 'unreadable';
  await using handle = await openInside(rootPath, found.real);
  const text = decodeText(await readAtMost(handle, MAX_BYTES));
  return text === undefined ? 'unreadable' : { text };
}

function changeOf(before: string, after: string, path: string): CallEffect {
  if (before === after) return { kind: 'unchanged', path };
  const changes = diffArrays(linesOf(before), linesOf(after), { timeout: MAX_DIFF_MS });
  if (changes === undefined) return { kind: 'overwrites', path };
  const count = (isCounted: (change: { added: boolean; removed: boolean }) => boolean) =>
    changes.filter(isCounted).reduce((sum, { value }) => sum + value.length, 0);
  const [removed, added] = [count((change) => change.removed), count((change) => change.added)];
  if (removed > 0) return { kind: added > 0 ? 'replaces' : 'removes', path, lines: removed };
  return added > 0 ? { kind: 'adds', path, lines: added } : { kind: 'edits', path };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
