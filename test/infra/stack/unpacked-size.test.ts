import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { ZipFile } from 'yazl';
import type { Template } from '../../../infra/stack/template.ts';
import { MAX_UNPACKED_BYTES, refuseTooLarge, unpackedSizes } from '../../../infra/stack/unpacked-size.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MB = 1_000_000;

function template(layers: { Layers?: unknown[] } = {}): Template {
  return {
    Resources: {
      NativeLayer: { Type: 'AWS::Lambda::LayerVersion', Properties: { Content: { S3Key: 'layer' } } },
      ChatLambdaFunction: {
        Type: 'AWS::Lambda::Function',
        Properties: { FunctionName: 'chat', Code: { S3Key: 'chat' }, ...layers },
      },
    },
  };
}

function sizes(code: number, layer: number): Map<string, number> {
  return new Map([
    ['chat', code * MB],
    ['layer', layer * MB],
  ]);
}

const NATIVE = { Layers: [{ Ref: 'NativeLayer' }] };

describe('a function that Lambda would refuse', () => {
  it('is refused with its sizes and a remedy, if LanceDB has debug symbols', () => {
    const refused = () => refuseTooLarge(template(NATIVE), sizes(60, 208));
    expect(refused).toThrow(
      'chat would have 268.0 MB unpacked, and Lambda accepts 262.1 (code 60.0, native layer 208.0)',
    );
    expect(refused).toThrow('`strip`');
  });

  it('is accepted without symbols, without the layer, and at exactly the Lambda limit', () => {
    refuseTooLarge(template(NATIVE), sizes(60, 174));
    refuseTooLarge(template(), sizes(60, 208));
    refuseTooLarge(template(), new Map([['chat', MAX_UNPACKED_BYTES]]));
    expect(() => refuseTooLarge(template(), new Map([['chat', MAX_UNPACKED_BYTES + 1]]))).toThrow();
  });
});

describe('the size of a zip', () => {
  it('is the unpacked size of its files', async () => {
    const file = join(await tempFolder(), 'a.zip');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.alloc(100_000), 'zeros');
    zip.addBuffer(Buffer.alloc(23), 'folder/more');
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
    expect(await unpackedSizes([{ key: 'code/a', file }])).toEqual(new Map([['code/a', 100_023]]));
  });
});
