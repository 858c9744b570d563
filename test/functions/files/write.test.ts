import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WrittenFile } from '../../../lib/files/schema.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await mkdir(join(root, 'folder'));
await writeFile(join(root, 'file.txt'), 'as it was');
await symlink(outside, join(root, 'outside'));
await symlink(join(outside, 'new.txt'), join(root, 'dangling'));
await symlink('file.txt', join(root, 'inside'));
await symlink('loop', join(root, 'loop'));
await runProgram('mkfifo', [join(root, 'fifo')]);

function write(path: unknown, content: unknown, more: Record<string, unknown> = {}) {
  return service.call<WrittenFile>('POST', '/api/files/write', { workspaceId: id, path, content, ...more });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('POST /api/files/write', () => {
  it('creates a file with its parents', async () => {
    const content = 'Größe 😀\r\n';
    const { status, body } = await write('new/deep/a.md', content);
    expect(status).toBe(200);
    expect(body).toEqual({
      path: 'new/deep/a.md',
      size: Buffer.byteLength(content),
      modifiedAt: expect.stringMatching(/Z$/),
      hash: hashOf(content),
    });
    expect(await readFile(join(root, 'new/deep/a.md'), 'utf8')).toBe(content);
  });

  it('replaces a file atomically, keeps its mode, and leaves no temporary file', async () => {
    await mkdir(join(root, 'mode'));
    const file = join(root, 'mode/run.sh');
    await writeFile(file, 'a much longer text than the new one');
    await chmod(file, 0o750);
    expect((await write('mode/run.sh', 'new')).status).toBe(200);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o750);
    expect(await readdir(join(root, 'mode'))).toEqual(['run.sh']);
  });

  it('writes an empty file, and writes to the target of a link inside the workspace', async () => {
    expect((await write('empty.txt', '')).body).toMatchObject({ size: 0, hash: hashOf('') });
    await write('inside', 'through the link');
    expect(await readFile(join(root, 'file.txt'), 'utf8')).toBe('through the link');
    expect((await lstat(join(root, 'inside'))).isSymbolicLink()).toBe(true);
  });

  it('writes with the right expectedHash, and changes nothing with a stale one', async () => {
    const first = await write('guarded.txt', 'one');
    expect((await write('guarded.txt', 'two', { expectedHash: first.body.hash })).status).toBe(200);
    const stale = await write('guarded.txt', 'three', { expectedHash: first.body.hash });
    expect(stale).toMatchObject({ status: 409, body: { error: expect.stringContaining('expectedHash') } });
    expect(await readFile(join(root, 'guarded.txt'), 'utf8')).toBe('two');
  });

  it('creates only new files with expectedHash null, and changes only existing files with a hash', async () => {
    expect((await write('only-new.txt', '1', { expectedHash: null })).status).toBe(200);
    expect((await write('only-new.txt', '2', { expectedHash: null })).status).toBe(409);
    expect((await write('not-there.txt', '1', { expectedHash: hashOf('x') })).status).toBe(409);
    await expect(stat(join(root, 'not-there.txt'))).rejects.toThrow('ENOENT');
  });

  it('lets exactly one of twenty concurrent writers with the same expectedHash succeed', async () => {
    const { hash } = (await write('race.txt', 'start')).body;
    const texts = Array.from({ length: 20 }, (_, index) => `writer ${index}`);
    const answers = await Promise.all(texts.map((text) => write('race.txt', text, { expectedHash: hash })));
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [texts[index]] : []));
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await readFile(join(root, 'race.txt'), 'utf8')).toBe(winners[0]);
  });

  it('never shows a partial file to a reader', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
    await write('whole.txt', texts[0]);
    const writing = Promise.all(
      Array.from({ length: 12 }, (_, index) => write('whole.txt', texts[index % 2])),
    );
    for (let turn = 0; turn < 40; turn++)
      expect(texts).toContain(await readFile(join(root, 'whole.txt'), 'utf8'));
    expect((await writing).every(({ status }) => status === 200)).toBe(true);
  });

  it.each([
    ['a body that is not JSON', '{"workspaceId"', 400, 'JSON'],
    ['a body that is a list', [], 400, 'body'],
    ['no path', { workspaceId: id, content: '' }, 400, 'path'],
    ['no content', { workspaceId: id, path: 'a' }, 400, 'content'],
    ['no workspaceId', { path: 'a', content: '' }, 400, 'workspaceId'],
    ["content that isn't a string", { workspaceId: id, path: 'a', content: 1 }, 400, 'content'],
    ['an unknown field', { workspaceId: id, path: 'a', content: '', mode: 1 }, 400, 'mode'],
    [
      "an expectedHash that isn't a string",
      { workspaceId: id, path: 'a', content: '', expectedHash: 1 },
      400,
      'expectedHash',
    ],
    ['an unknown workspace', { workspaceId: 'x', path: 'a', content: '' }, 404, 'workspace'],
    ['the workspace itself', { workspaceId: id, path: '', content: '' }, 400, 'path'],
    ['a directory', { workspaceId: id, path: 'folder', content: '' }, 400, 'path'],
    ['a path that ends with /', { workspaceId: id, path: 'b/', content: '' }, 400, 'path'],
    ['a file as parent', { workspaceId: id, path: 'file.txt/a', content: '' }, 404, 'path'],
    ['..', { workspaceId: id, path: '../a', content: '' }, 400, 'path'],
    ['an absolute path', { workspaceId: id, path: '/tmp/a', content: '' }, 400, 'path'],
    ['a backslash', { workspaceId: id, path: 'a\\b', content: '' }, 400, 'path'],
    ['NUL', { workspaceId: id, path: 'a\0', content: '' }, 400, 'path'],
    ['a lone surrogate', { workspaceId: id, path: 'a\ud800', content: '' }, 400, 'path'],
    ['a name over 255 bytes', { workspaceId: id, path: 'x'.repeat(256), content: '' }, 400, 'path'],
    ['a link to the outside', { workspaceId: id, path: 'outside/a', content: '' }, 400, 'path'],
    ['a link to a missing target outside', { workspaceId: id, path: 'dangling', content: '' }, 400, 'path'],
    ['a circular link', { workspaceId: id, path: 'loop', content: '' }, 400, 'path'],
    ['a FIFO', { workspaceId: id, path: 'fifo', content: '' }, 400, 'path'],
  ])('rejects %s', async (_what, body, status, named) => {
    const answer = await service.call('POST', '/api/files/write', body, {
      'content-type': 'application/json',
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect(answer.bytes.toString()).not.toContain(root);
    expect(await readdir(outside)).toEqual([]);
  });

  it('rejects a body without a JSON content type', async () => {
    const answer = await service.call('POST', '/api/files/write', '{}', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('content-type') } });
  });
});
