import type { Records } from '../ports/records.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import { builtInSkills } from './built-in.ts';
import { type Skill, skills, skillsPartition } from './schema.ts';

const READ_AT_ONCE = 50;
const MAX_OFFERED = 50;

/**
 * Lists the global skills and those of one workspace, newest first; the built-in ones last. The cursor is the last
 * skill's ID.
 */
export function listSkills(
  records: Records,
  workspaceId: string | undefined,
  query: PageQuery,
): Promise<{ items: Skill[]; cursor?: string }> {
  return pageUpTo((cursor) => skillsAfter(records, workspaceId, cursor), query);
}

/**
 * Returns the skills that an agent in that workspace can choose from. For the same slug, the workspace's own skill
 * precedes others, as in findSkill.
 */
export async function offeredSkills(
  records: Records,
  workspaceId: string,
): Promise<Pick<Skill, 'slug' | 'name' | 'description'>[]> {
  const offered = new Map<string, Skill>();
  for await (const skill of skillsAfter(records, workspaceId, undefined)) {
    const known = offered.get(skill.slug);
    if (known === undefined || known.workspaceId === null) offered.set(skill.slug, skill);
    if (offered.size === MAX_OFFERED) break;
  }
  const enabled = [...offered.values()].filter(({ isEnabled }) => isEnabled);
  return enabled.map(({ slug, name, description }) => ({ slug, name, description }));
}

async function* skillsAfter(
  records: Records,
  workspaceId: string | undefined,
  cursor: string | undefined,
): AsyncGenerator<Skill> {
  const position = builtInSkills().findIndex(({ id }) => id === cursor);
  if (position < 0) {
    const scopes = workspaceId === undefined ? [null] : [null, workspaceId];
    yield* merge(scopes.map((scope) => storedAfter(records, scope, cursor)));
  }
  yield* builtInSkills().slice(position + 1);
}

async function* storedAfter(
  records: Records,
  scope: string | null,
  cursor: string | undefined,
): AsyncGenerator<Skill> {
  const partition = skillsPartition(scope);
  const order = 'descending' as const;
  const query = { partition, byIndex: true, order, to: cursor, limit: READ_AT_ONCE };
  for await (const skill of skills.all(records, query)) if (skill.id !== cursor) yield skill;
}

/** Merges sources that are each newest first, because IDs sort by creation time. */
async function* merge(sources: AsyncGenerator<Skill>[]): AsyncGenerator<Skill> {
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    const ids = heads.map(({ done, value }) => (done ? '' : value.id));
    const newest = ids.indexOf(ids.toSorted().at(-1) ?? '');
    const [source, head] = [sources[newest], heads[newest]];
    if (source === undefined || head === undefined || head.done) return;
    yield head.value;
    heads[newest] = await source.next();
  }
}
