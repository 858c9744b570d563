import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../../lib/errors.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { builtInSkills } from '../../../lib/skills/built-in.ts';
import { offeredSkills } from '../../../lib/skills/list.ts';
import { findSkill, loadSkill, prepareSkill } from '../../../lib/skills/run.ts';
import type { CreateSkill, SkillParameter } from '../../../lib/skills/schema.ts';
import { createSkill, deleteSkill } from '../../../lib/skills/skills.ts';
import { findWorkspace } from '../../../lib/workspaces/access.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { makeSkill } from '../../support/skills.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let records: Records;
const caller: Caller = { id: 'local', role: 'admin', workspaceIds: null };
const [here, there] = ['01a1fcf8-a7e2-778b-8bd9-87a5309f5401', '01a1fcf8-a7e2-778b-8bd9-87a5309f5402'];
beforeEach(async () => {
  records = sqliteRecords(openDatabase(await tempFolder()));
  for (const id of [here, there])
    await workspaces.put(records, {
      id,
      name: 'w',
      rootPath: `/${id}`,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
});

async function create({ workspaceId = here, ...fields }: Partial<CreateSkill>) {
  const workspace = workspaceId === null ? null : await findWorkspace(records, caller, workspaceId);
  return createSkill({ records, clock: systemClock }, caller, workspace, {
    name: 'A skill',
    description: '',
    systemPrompt: 'Do it.',
    steps: [],
    allowedTools: null,
    parameters: [],
    isEnabled: true,
    ...fields,
  });
}

function parameter(fields: Partial<SkillParameter>): SkillParameter {
  return { name: 'x', label: 'X', type: 'string', required: false, ...fields };
}

describe('prepareSkill', () => {
  const skill = makeSkill({
    systemPrompt: '{{a}} {{ b }} {{c}} {{d}} {{unknown}} {{a}}',
    steps: [{ instruction: 'Take {{a}}' }, { instruction: 'Grep', toolHint: 'grep {{b}}' }],
    allowedTools: ['grep'],
    parameters: [
      parameter({ name: 'a', required: true }),
      parameter({ name: 'b', type: 'number', defaultValue: 3 }),
      parameter({ name: 'c', type: 'boolean' }),
      parameter({ name: 'd', type: 'select', options: ['one', 'two'], defaultValue: 'two' }),
    ],
  });

  it('replaces the names in prompt and steps with values, defaults, or an empty text', () => {
    expect(prepareSkill(skill, { a: 'A', c: false })).toEqual({
      prompt: 'A 3 false two {{unknown}} A\n\nSteps:\n1. Take A\n2. Grep (tool: grep 3)',
      allowedTools: ['grep'],
    });
    expect(prepareSkill(skill, { a: 'A', b: 0, d: 'one' }).prompt).toMatch(/^A 0 {2}one/);
  });

  it('never replaces names in a value, and inserts it literally', () => {
    const value = '{{b}} $& $1 $` \\ {{a}}';
    expect(prepareSkill(skill, { a: value }).prompt).toContain(`${value} 3  two {{unknown}} ${value}`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const one = makeSkill({ systemPrompt: '<{{x}}>', parameters: [parameter({})] });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test removes them
        const clean = text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');
        expect(prepareSkill(one, { x: text }).prompt).toBe(`<${clean}>`);
      }),
    );
  });

  it('removes control characters except tab and line feed', () => {
    expect(prepareSkill(skill, { a: 'a\0b\x1b[31mc\td\r\ne\x7f\x9b' }).prompt).toContain('ab[31mc\td\ne 3');
  });

  it.each([
    ['a missing required value', {}, 'a is required'],
    ['an empty required value', { a: '' }, 'a is required'],
    ['a wrong type', { a: 1 }, 'a must be a string'],
    ['a string instead of a number', { a: 'x', b: '3' }, 'b must be a number'],
    ['an invalid number', { a: 'x', b: Number.NaN }, 'b must be a number'],
    ['a string instead of a boolean', { a: 'x', c: 'true' }, 'c must be a boolean'],
    ['an invalid option', { a: 'x', d: 'three' }, 'd must be one of one, two'],
    ['an option with another type', { a: 'x', d: true }, 'd must be one of'],
    [
      'an unknown name',
      { a: 'x', e: 1 },
      "paramValues doesn't fit the skill: e isn't a parameter of this skill.",
    ],
    [
      'a name of an inherited property',
      JSON.parse('{"a":"x","__proto__":"y"}'),
      "paramValues doesn't fit the skill: __proto__ isn't a parameter of this skill.",
    ],
    [
      'another one',
      { a: 'x', constructor: 'y' },
      "paramValues doesn't fit the skill: constructor isn't a parameter of this skill.",
    ],
    ['a value that is too long', { a: 'x'.repeat(10_001) }, 'a can have at most 10000 characters'],
    [
      'several at once',
      { b: 'x', e: 1 },
      "paramValues doesn't fit the skill: a is required; b must be a number; e isn't a parameter of this skill.",
    ],
  ])('rejects %s', (_what, values, text) => {
    expect(() => prepareSkill(skill, values)).toThrow(InvalidInput);
    expect(() => prepareSkill(skill, values)).toThrow(text);
  });
});

describe('findSkill', () => {
  const find = (idOrSlug: string, by = caller, workspaceId = here) =>
    findSkill(records, by, workspaceId, idOrSlug);

  it('accepts an ID or a slug of the workspace, then of the global skills, and then of the built-in skills', async () => {
    const global = await create({ workspaceId: null, name: 'Both' });
    expect(await find('both')).toEqual(global);
    const own = await create({ name: 'Both' });
    expect(await find('both')).toEqual(own);
    expect(await find('both', caller, there)).toEqual(global);
    expect(await find(global.id)).toEqual(global);
    expect(await find(own.id)).toEqual(own);
    const [builtIn] = builtInSkills();
    expect(await find(builtIn?.slug ?? '')).toEqual(builtIn);
    expect(await find(builtIn?.id ?? '')).toEqual(builtIn);
  });

  it('finds no deleted or unknown skill, and no skill of another workspace', async () => {
    const other = await create({ workspaceId: there, name: 'Elsewhere' });
    const gone = await create({ name: 'Gone' });
    await deleteSkill({ records, clock: systemClock }, caller, gone.id);
    for (const name of [other.id, 'elsewhere', gone.id, 'gone', 'never', ' ', here])
      await expect(find(name)).rejects.toThrow(NotFound);
  });

  it('rejects a disabled skill, and a caller of another workspace', async () => {
    await create({ name: 'Off', isEnabled: false });
    await expect(find('off')).rejects.toThrow(Conflict);
    await expect(find('both', { ...caller, workspaceIds: [there] })).rejects.toThrow(Forbidden);
  });
});

describe('loadSkill', () => {
  it('returns the text with its placeholders, and their values', async () => {
    await create({
      name: 'Load',
      description: 'For tests',
      systemPrompt: 'Read {{file}}.',
      steps: [{ instruction: 'Open' }],
      parameters: [
        parameter({ name: 'file', label: 'The file', required: true }),
        parameter({ name: 'how', label: 'How', type: 'select', options: ['a', 'b'], defaultValue: 'b' }),
      ],
    });
    expect(await loadSkill(records, caller, here, 'load')).toEqual({
      name: 'Load',
      slug: 'load',
      description: 'For tests',
      instructions:
        'Read {{file}}.\n\nTake the values from the conversation:\n- {{file}}: The file\n- {{how}}: How, one of a, b (default: b)',
      steps: [{ instruction: 'Open' }],
    });
  });
});

describe('offeredSkills', () => {
  it('lists the skills available to a run, each slug once', async () => {
    for (const name of ['Load', 'Both']) await create({ name });
    await create({ workspaceId: null, name: 'Both' });
    await create({ workspaceId: there, name: 'Elsewhere' });
    await create({ name: 'Off', isEnabled: false });
    const offered = await offeredSkills(records, here);
    const slugs = offered.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs).toEqual(
      expect.arrayContaining(['load', 'both', ...builtInSkills().map(({ slug }) => slug)]),
    );
    expect(slugs).not.toContain('off');
    expect(slugs).not.toContain('elsewhere');
    for (const slug of slugs) expect((await findSkill(records, caller, here, slug)).slug).toBe(slug);
  });
});
