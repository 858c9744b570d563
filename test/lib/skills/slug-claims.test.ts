import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { portableSkillSchema, type Skill, skills, skillsPartition } from '../../../lib/skills/schema.ts';
import { createSkill, deleteSkill, updateSkill } from '../../../lib/skills/skills.ts';
import { claimSlug, findBySlug } from '../../../lib/skills/slug-claims.ts';
import { makeSkill } from '../../support/skills.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { tries } from '../../support/tries.ts';

const START = Date.parse('2026-06-01T00:00:00.000Z');
const caller: Caller = { id: 'local', role: 'admin', workspaceIds: null };
let time = START;
const clock = { now: () => time };

async function freshRecords(): Promise<Records> {
  return sqliteRecords(openDatabase(await tempFolder()), clock);
}

function create(records: Records, slug: string) {
  const portable = portableSkillSchema.parse({ name: 'x', systemPrompt: 'x', slug });
  return createSkill({ records, clock }, caller, null, portable);
}

/**
 * Every call yields a random number of times before and after, so that concurrent calls interleave in many
 * ways.
 */
function slowly(records: Records, turns: () => number): Records {
  const wait = async () => {
    for (let left = turns(); left > 0; left--) await setImmediate();
  };
  return new Proxy(records, {
    get:
      (target, name) =>
      async (...given: never[]) => {
        await wait();
        const answer = await (target[name as keyof Records] as (...all: never[]) => unknown)(...given);
        await wait();
        return answer;
      },
  });
}

describe('slug', () => {
  it('is free again after a minute if a crash left it claimed', async () => {
    time = START;
    const records = await freshRecords();
    expect(await claimSlug({ records, clock }, makeSkill({ slug: 'left' }))).toBe(true);
    expect(await findBySlug(records, null, 'left')).toBeUndefined();
    time = START + 59_000;
    await expect(create(records, 'left')).rejects.toThrow(Conflict);
    time = START + 61_000;
    const made = await create(records, 'left');
    expect(await findBySlug(records, null, 'left')).toEqual(made);
  });

  it('stays with its skill, however old the claim is', async () => {
    time = START;
    const records = await freshRecords();
    const { id } = await create(records, 'kept');
    time = START + 1_000_000_000;
    await expect(create(records, 'kept')).rejects.toThrow(Conflict);
    await deleteSkill({ records, clock }, caller, id);
    await expect(create(records, 'kept')).resolves.toMatchObject({ slug: 'kept' });
  });

  it('stays with a skill that reclaims it before the call that released it is over', async () => {
    time = START;
    const records = await freshRecords();
    const { id } = await create(records, 'there');
    const rename = (by: Records, slug: string) => updateSkill({ records: by, clock }, caller, id, { slug });
    const late: Records = {
      ...records,
      async delete(...given) {
        await rename(records, 'there');
        return records.delete(...given);
      },
    };
    await rename(late, 'away');
    expect(await findBySlug(records, null, 'there')).toMatchObject({ id });
    time = START + 100_000;
    await expect(create(records, 'there')).rejects.toThrow(Conflict);
    await expect(create(records, 'away')).resolves.toMatchObject({ slug: 'away' });
  });

  it('is never shared, and finds its own skill, for any interleaving', async () => {
    const records = await freshRecords();
    const slug = fc.constantFrom('a', 'b', 'c');
    const turn = fc.oneof({ weight: 9, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constant(60) });
    const call = fc.record({ what: fc.constantFrom('create', 'rename', 'delete'), slug, which: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), fc.infiniteStream(turn), async (calls, turns) => {
        time += 100_000;
        const slow = slowly(records, () => turns.next().value);
        const before = await stored(records);
        await Promise.all(calls.map((one) => perform(slow, one, before[one.which]?.id)));
        const after = await stored(records);
        expect(new Set(after.map((skill) => skill.slug)).size).toBe(after.length);
        for (const skill of after) expect(await findBySlug(records, null, skill.slug)).toEqual(skill);
      }),
      { numRuns: tries(150) },
    );
  });
});

async function stored(records: Records): Promise<Skill[]> {
  return (await skills.list(records, { partition: skillsPartition(null), byIndex: true })).items;
}

async function perform(
  records: Records,
  { what, slug }: { what: string; slug: string },
  id: string | undefined,
): Promise<void> {
  const ports = { records, clock };
  const done =
    what === 'create' || id === undefined
      ? create(records, slug)
      : what === 'rename'
        ? updateSkill(ports, caller, id, { slug })
        : deleteSkill(ports, caller, id);
  await done.catch((error: unknown) => {
    if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
  });
}
