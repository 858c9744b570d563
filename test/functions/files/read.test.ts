import { createHash } from 'node:crypto';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { FileContent } from '../../../lib/files/schema.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { encodeAs } from '../../support/samples/encode-as.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await writeFile(join(outside, 'secret.txt'), 'secret');
await mkdir(join(root, 'folder'));
await writeFile(join(root, 'folder/text.md'), '# Größe 😀\r\nline\n');
await writeFile(join(root, 'bom.txt'), '\uFEFFwith a mark');
await writeFile(join(root, 'empty.txt'), '');
await writeFile(join(root, 'binary.bin'), Buffer.from([0xff, 0xfe, 0, 1]));
await writeFile(join(root, 'exact.bin'), '');
await truncate(join(root, 'exact.bin'), 5 * 1024 * 1024);
await writeFile(join(root, 'large.bin'), '');
await truncate(join(root, 'large.bin'), 5 * 1024 * 1024 + 1);
await symlink('folder/text.md', join(root, 'inside'));
await symlink(join(outside, 'secret.txt'), join(root, 'outside'));
await symlink(outside, join(root, 'outside-folder'));
await symlink('nowhere', join(root, 'dangling'));
await symlink('loop', join(root, 'loop'));
await runProgram('mkfifo', [join(root, 'fifo')]);

function read(path: string) {
  return service.call<FileContent>(
    'GET',
    `/api/files/read?workspaceId=${id}&path=${encodeURIComponent(path)}`,
  );
}

describe('GET /api/files/read', () => {
  it('returns text as UTF-8 with size, time, and hash', async () => {
    const content = '# Größe 😀\r\nline\n';
    expect(await read('folder/text.md')).toMatchObject({
      status: 200,
      body: {
        path: 'folder/text.md',
        content,
        encoding: 'utf-8',
        size: Buffer.byteLength(content),
        modifiedAt: expect.stringMatching(/Z$/),
        hash: createHash('sha256').update(content).digest('hex'),
      },
    });
  });

  it('keeps a byte order mark', async () => {
    expect((await read('bom.txt')).body.content).toBe('\uFEFFwith a mark');
  });

  it('converts text in other encodings, returns the encoding, and keeps writes from changing it', async () => {
    const content = '这是一个用国标码写的文件，里面有两行。\n第二行。\n';
    await writeFile(join(root, 'gbk.txt'), encodeAs(content, 'gb18030'));
    expect((await read('gbk.txt')).body).toMatchObject({ content, encoding: 'gb18030' });
    const write = (path: string) =>
      service.call('POST', '/api/files/write', { workspaceId: id, path, content: 'x' });
    expect(await write('gbk.txt')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('gb18030, not UTF-8') },
    });
    expect((await read('gbk.txt')).body).toMatchObject({ content });
    expect((await write('binary.bin')).status).toBe(200);
    await writeFile(join(root, 'binary.bin'), Buffer.from('//4AAQ==', 'base64'));
  });

  it('returns binary files as base64', async () => {
    const { body } = await read('binary.bin');
    expect(body).toMatchObject({ encoding: 'base64', content: '//4AAQ==', size: 4 });
  });

  it('returns an empty file, a file of exactly 5 MB, and the target of a link inside the workspace', async () => {
    expect((await read('empty.txt')).body).toMatchObject({ content: '', encoding: 'utf-8', size: 0 });
    expect((await read('exact.bin')).body.content).toHaveLength(5 * 1024 * 1024);
    expect((await read('inside')).body).toMatchObject({ path: 'inside', encoding: 'utf-8' });
  });

  it.each([
    ['a missing file', 'missing.txt', 404],
    ['a path through a file', 'empty.txt/x', 404],
    ['a directory', 'folder', 400],
    ['the workspace itself', '', 400],
    ['..', '../x', 400],
    ['.. in the middle', 'folder/../empty.txt', 400],
    ['an absolute path', '/etc/passwd', 400],
    ['a backslash', 'folder\\text.md', 400],
    ['NUL', 'empty.txt\0', 400],
    ['a link to the outside', 'outside', 400],
    ['a path through a link to the outside', 'outside-folder/secret.txt', 400],
    ['a dangling link', 'dangling', 400],
    ['a circular link', 'loop', 400],
    ['a FIFO, without blocking', 'fifo', 400],
    ['a name over 255 bytes', 'x'.repeat(256), 400],
    ['a path over 4096 bytes', 'a/'.repeat(2100), 400],
    ['a file over 5 MB', 'large.bin', 413],
  ])('rejects %s', async (_what, path, status) => {
    const answer = await read(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.any(String) });
    const text = answer.bytes.toString();
    expect(text).not.toContain(root);
    expect(text).not.toContain(outside);
    expect(text).toContain(status === 413 ? '/api/files/raw' : 'path');
  });

  it('rejects a request without a path, and names the parameter', async () => {
    const answer = await service.call('GET', `/api/files/read?workspaceId=${id}`);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('path') } });
  });
});
