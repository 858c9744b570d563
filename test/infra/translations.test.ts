import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const SOURCE = /^<!-- From (docs\/\S+\.md), sha256 ([0-9a-f]{12})\. -->$/m;

it.each(globSync('docs/zh-CN/*.md').sort())(
  '%s is up to date with its English page (otherwise, translate the change, and write the new hash)',
  (page) => {
    const [, source = '', hash] = SOURCE.exec(readFileSync(page, 'utf8')) ?? [];
    expect(source).not.toBe('');
    const current = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
    expect({ source, hash }).toEqual({ source, hash: current });
  },
);
