import { describe, expect, it } from '@jest/globals';
import { readMaterial } from '../../../lib/generate/material.ts';
import { startPipeline } from '../../support/pipeline.ts';

const PLENTY = 1_000_000;

describe('readMaterial', () => {
  it('returns every passage of every file in order, and a duplicate text once', async () => {
    const { ports, makeWorkspace } = await startPipeline();
    const workspace = await makeWorkspace();
    const long = Array.from(
      { length: 40 },
      (_, index) => `# Part ${index}\n\n${`Words of part ${index}. `.repeat(30)}\n`,
    );
    await workspace.write('b.md', long.join('\n'));
    await workspace.write('a.md', 'Alpha stands here.\n');
    await workspace.write('copy.md', 'Alpha stands here.\n');
    await workspace.write('blank.md', '\n\n  \n');
    await workspace.sync();
    const { passages, total } = await readMaterial(ports, workspace.id, PLENTY);
    expect(passages.map(({ path, chunk }) => `${path}#${chunk}`)).toEqual([
      'a.md#0',
      ...Array.from({ length: passages.length - 1 }, (_, index) => `b.md#${index}`),
    ]);
    expect(total).toBe(passages.length);
    const text = passages.map((passage) => passage.text).join('\n');
    for (let index = 0; index < 40; index++) expect(text).toContain(`# Part ${index}\n`);
  });

  it('takes an even sample from all files if there are too many passages', async () => {
    const { ports, makeWorkspace } = await startPipeline();
    const workspace = await makeWorkspace();
    for (let index = 0; index < 60; index++)
      await workspace.write(`f${index + 10}.md`, `Text ${index}. ${'word '.repeat(200)}\n`);
    await workspace.sync();
    const { passages, total } = await readMaterial(ports, workspace.id, 20_000);
    expect(total).toBe(60);
    expect(passages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(20_000);
    const places = passages.map(({ path }) => Number(/\d+/.exec(path)?.[0]) - 10);
    expect(places.length).toBeGreaterThan(15);
    for (const [index, place] of places.slice(1).entries())
      expect(place - (places[index] ?? 0)).toBeLessThanOrEqual(4);
  });

  it('returns nothing for an empty or missing index', async () => {
    const { ports, makeWorkspace } = await startPipeline();
    const workspace = await makeWorkspace();
    expect(await readMaterial(ports, workspace.id, PLENTY)).toEqual({ passages: [], total: 0 });
    await workspace.sync();
    expect(await readMaterial(ports, workspace.id, PLENTY)).toEqual({ passages: [], total: 0 });
  });
});
