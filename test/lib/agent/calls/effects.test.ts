import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FitCall } from '../../../../lib/agent/calls/call.ts';
import { effectsOfCall } from '../../../../lib/agent/calls/effects.ts';
import type { Tool } from '../../../../lib/agent/tools/tool.ts';
import { effectsText } from '../../../../lib/api-contract/call-effects.ts';
import { basisOf, fileBefore } from '../../../../lib/runs/basis.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let root: string;

beforeEach(async () => {
  root = await tempFolder();
  await mkdir(join(root, 'notes'));
  await writeFile(join(root, 'notes/ideas.md'), 'one\ntwo\nthree\nfour\n');
  await writeFile(join(root, 'image.bin'), Buffer.from([0, 1, 2, 0]));
});

async function read(name: string, kind: 'path' | 'shell' | 'tree' | 'text', input: Record<string, unknown>) {
  const ruled = { kind, argument: ({ path, command }: Record<string, unknown>) => String(path ?? command) };
  const call = { tool: { name, ruled } as unknown as Tool, input, call: { id: 'c', name, input: '' } };
  return effectsText(await effectsOfCall(call as FitCall, { rootPath: root, cwd: '' }));
}

const write = (path: string, content: string) => read('writeFile', 'path', { path, content });
const run = (command: string) => read('bash', 'shell', { command });

describe('effects of a write', () => {
  it.each([
    ['notes/ideas.md', 'one\n2\n3\nfour\n', 'Replaces 2 lines of notes/ideas.md'],
    ['notes/ideas.md', 'all new\n', 'Replaces 4 lines of notes/ideas.md'],
    ['notes/ideas.md', 'one\ntwo\n', 'Removes 2 lines from notes/ideas.md'],
    ['notes/ideas.md', 'one\ntwo\nthree\nfour\nfive', 'Adds 1 line to notes/ideas.md'],
    ['notes/ideas.md', 'one\ntwo\nthree\nfour', 'Changes notes/ideas.md'],
    ['notes/ideas.md', 'one\ntwo\nthree\nfour\n', 'Leaves notes/ideas.md unchanged'],
    ['notes/new.md', 'a\nb\n', 'Creates notes/new.md with 2 lines'],
    ['image.bin', 'a', 'Replaces image.bin'],
  ])('are described for %s of %j as: %s', async (path, content, text) => {
    expect(await write(path, content)).toBe(text);
  });

  it('apply to the target of a link', async () => {
    await symlink('notes/ideas.md', join(root, 'link.md'));
    expect(await write('link.md', 'one\ntwo\n')).toBe('Removes 2 lines from link.md');
  });

  it("count the lines of edits, unless the edits don't match", async () => {
    const edit = (oldText: string) =>
      read('editFile', 'path', { path: 'notes/ideas.md', edits: [{ oldText, newText: 'x' }] });
    expect(await edit('two\nthree')).toBe('Replaces 2 lines of notes/ideas.md');
    expect(await edit('absent')).toBe('Changes notes/ideas.md');
  });
});

describe('effects of a command', () => {
  it('distinguish folders from files, and name a replaced file', async () => {
    expect(await run('rm -rf notes')).toBe('Deletes the folder notes');
    expect(await run('rm notes/ideas.md')).toBe('Deletes notes/ideas.md');
    expect(await run('mv image.bin notes/ideas.md')).toBe(
      'Replaces notes/ideas.md · Moves image.bin to notes/ideas.md',
    );
    await writeFile(join(root, 'notes/image.bin'), 'x');
    expect(await run('cp image.bin notes')).toBe('Replaces notes/image.bin · Copies image.bin to notes');
    expect(await run('cp image.bin fresh')).toBe('Copies image.bin to fresh');
  });

  it('name the file that is written through a link, and the link that a move replaces', async () => {
    await symlink('notes/ideas.md', join(root, 'link'));
    expect(await run('cp image.bin link')).toBe('Replaces notes/ideas.md · Copies image.bin to link');
    expect(await run('ls | tee link')).toBe('Writes notes/ideas.md');
    expect(await run('echo > link')).toBe('Writes notes/ideas.md');
    expect(await run('mv image.bin link')).toBe('Replaces link · Moves image.bin to link');
  });

  it('name a folder into which files are copied', async () => {
    await mkdir(join(root, 'more/notes'), { recursive: true });
    await symlink('notes', join(root, 'link'));
    expect(await run('cp -r more/notes .')).toBe('Replaces notes · Copies more/notes to .');
    expect(await run('cp -r more/notes/. notes')).toContain('effects unknown');
    expect(await run('mv image.bin link')).toBe('Moves image.bin to link');
    await writeFile(join(root, 'notes/image.bin'), 'x');
    expect(await run('mv image.bin link')).toBe('Replaces link/image.bin · Moves image.bin to link');
  });

  it('name no folder behind a link', async () => {
    await mkdir(join(root, 'sub/deep'), { recursive: true });
    await symlink('sub/deep', join(root, 'link'));
    expect(await run('rm -rf link/../notes')).toBe('Deletes files: names unknown');
    expect(await run('cd link && rm -rf ../notes')).toBe('Deletes files: names unknown');
  });

  it('name the link, not its target folder', async () => {
    await symlink('notes', join(root, 'link'));
    expect(await run('rm link')).toBe('Deletes link');
  });
});

it('effect text exists only for read-only tools', async () => {
  expect(await read('readFile', 'path', { path: 'a.md' })).toBe('Reads a.md');
  expect(await read('submitJob', 'text', { path: 'x' })).toBe('');
});

describe('file before a write', () => {
  const place = () => ({ rootPath: root, cwd: '' });
  const asked = (path: string) =>
    basisOf({ tools: ['writeFile'], argument: { kind: 'path', text: path } }, place(), []);

  it('is shown as it was at the approval, and not shown after a change', async () => {
    const basis = await asked('notes/ideas.md');
    expect(await fileBefore(basis, place())).toEqual({ state: 'text', text: 'one\ntwo\nthree\nfour\n' });
    await writeFile(join(root, 'notes/ideas.md'), 'somebody was faster\n');
    expect(await fileBefore(basis, place())).toEqual({ state: 'changed' });
  });

  it('is never the target of a newer link', async () => {
    await writeFile(join(root, 'a'), 'same');
    await writeFile(join(root, 'b'), 'same');
    await symlink('a', join(root, 'link'));
    const basis = await asked('link');
    await unlink(join(root, 'link'));
    await symlink('b', join(root, 'link'));
    expect(await fileBefore(basis, place())).toEqual({ state: 'changed' });
  });

  it.each([
    ['new.md', { state: 'absent' }],
    ['image.bin', { state: 'binary', size: 4 }],
    ['large.txt', { state: 'large', size: 300_000 }],
    ['huge.txt', { state: 'large', size: 2_000_000 }],
  ])('is returned for %s as %j', async (path, before) => {
    await writeFile(join(root, 'large.txt'), 'x'.repeat(300_000));
    await writeFile(join(root, 'huge.txt'), 'x'.repeat(2_000_000));
    expect(await fileBefore(await asked(path), place())).toEqual(before);
  });
});
