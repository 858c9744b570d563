import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import { reply } from '../../../lib/http/reply.ts';
import { readBody } from '../../../lib/http/request-body.ts';
import { type HttpPorts, routeFor, type UploadedFile } from '../../../lib/http/route.ts';

const routeTaking = (bodyType: 'application/json' | 'multipart/form-data') =>
  routeFor<HttpPorts>()({
    method: 'POST',
    path: '/x',
    operationId: 'testRoute',
    summary: '',
    access: 'public',
    body: z.unknown(),
    bodyType,
    replies: { 200: z.unknown() },
    handle: async ({ body }) => reply(200, body),
  });

const eventWith = (contentType: string | undefined, body: string | null, isBase64Encoded = false) =>
  ({ headers: { 'content-type': contentType }, body, isBase64Encoded }) as unknown as APIGatewayProxyEvent;

/** As long as clients write it, because Node's parser searches for it at any position. */
const B = 'boundary-7MA4YWxkTrZu0gW';
const part = (disposition: string, content: string) =>
  `--${B}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const readForm = (text: string) =>
  readBody(
    routeTaking('multipart/form-data'),
    eventWith(`multipart/form-data; boundary=${B}`, Buffer.from(text).toString('base64'), true),
  );

describe('form', () => {
  it('is rejected before its parser reads endless headers', async () => {
    const headers = 'x-a: b\r\n'.repeat(3000);
    await expect(readForm(`--${B}\r\n${headers}\r\nx\r\n--${B}--\r\n`)).rejects.toMatchObject({
      status: 400,
      message: 'The headers of a part can have at most 16384 bytes.',
    });
  });

  it('may have many more bytes in a part, and anything after its end', async () => {
    const content = 'x'.repeat(50_000);
    const epilogue = `--${B}\r\n`.repeat(50);
    expect(await readForm(`${part('name="a"', content)}--${B}--\r\n${epilogue}`)).toEqual({ a: content });
  });
});

describe('JSON body', () => {
  const route = routeTaking('application/json');

  it.each([['application/json'], ['Application/JSON; charset=utf-8']])('is read under %s', async (type) => {
    expect(await readBody(route, eventWith(type, '{"a":"ü"}'))).toEqual({ a: 'ü' });
  });

  it('is read from base64 as well', async () => {
    const body = Buffer.from('{"a":"ü"}').toString('base64');
    expect(await readBody(route, eventWith('application/json', body, true))).toEqual({ a: 'ü' });
  });

  it.each([
    ['no content type', undefined, '{}', 'content-type must be application/json.'],
    ['plain text', 'text/plain', '{}', 'content-type must be application/json.'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1', 'content-type must be application/json.'],
    ['broken JSON', 'application/json', '{"a":', "The body isn't valid JSON."],
    ['an empty body', 'application/json', null, "The body isn't valid JSON."],
    [
      'deep nesting',
      'application/json',
      '['.repeat(101),
      'The body has more than 100 levels of nesting. Send less of it at once.',
    ],
  ])('is rejected: %s', async (_name, type, body, message) => {
    await expect(readBody(route, eventWith(type, body))).rejects.toMatchObject({ status: 400, message });
  });
});

describe('multipart body', () => {
  it('returns the texts and the file, byte for byte', async () => {
    const form = `${part('name="path"', 'docs/ü')}${part('name="file"; filename="报告.bin"', 'a\r\n--\0z')}--${B}--\r\n`;
    const body = (await readForm(form)) as { path: string; file: UploadedFile };
    expect(body.path).toBe('docs/ü');
    expect(body.file.filename).toBe('报告.bin');
    expect(body.file.content.toString()).toBe('a\r\n--\0z');
  });

  it.each([
    [
      'is truncated inside a file',
      `${part('name="path"', 'a')}--${B}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhel`,
    ],
    ['is truncated inside a field', `--${B}\r\nContent-Disposition: form-data; name="path"\r\n\r\nhel`],
    ['is truncated inside a header', `--${B}\r\nContent-Disp`],
    ['has a part without a name', `--${B}\r\n\r\nabc\r\n--${B}--\r\n`],
    ['is empty', ''],
    ['is something else', 'hello'],
    [
      'has two files',
      `${part('name="file"; filename="1"', 'a')}${part('name="file"; filename="2"', 'b')}--${B}--\r\n`,
    ],
    ['repeats a field', `${part('name="path"', 'a')}${part('name="path"', 'b')}--${B}--\r\n`],
    [
      'has very many parts',
      `${Array.from({ length: 30 }, (_, n) => part(`name="f${n}"`, 'a')).join('')}--${B}--\r\n`,
    ],
  ])('is rejected if it %s', async (_name, text) => {
    await expect(readForm(text)).rejects.toMatchObject({ status: 400 });
  });

  it('keeps field names that end in brackets unchanged', async () => {
    const form = `${part('name="path"', 'a')}${part('name="path[]"', 'b')}--${B}--\r\n`;
    expect(await readForm(form)).toEqual({ path: 'a', 'path[]': 'b' });
  });
});
