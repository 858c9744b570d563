import { v5 } from 'uuid';
import { BUILT_IN_TEXTS } from './built-in-texts.ts';
import type { Skill } from './schema.ts';
import { readSkillMarkdown } from './skill-md.ts';
import { slugOf } from './slug.ts';

/** The namespace for IDs of built-in skills; an ID is derived from the slug and never changes. */
const NAMESPACE = 'b6f4a3de-6a6e-4d0c-9d8b-3b1f0a7c5e21';
const RELEASED = '2026-11-21T00:00:00.000Z';

let read: Skill[] | undefined;

/** Returns the skills that come with the service (skills/<slug>/SKILL.md), for every workspace; read once. */
export function builtInSkills(): Skill[] {
  read ??= BUILT_IN_TEXTS.map(readBuiltIn);
  return read;
}

function readBuiltIn(text: string): Skill {
  const portable = readSkillMarkdown(text, 'built-in skill');
  const slug = slugOf(portable.slug ?? portable.name);
  return {
    ...portable,
    id: v5(slug, NAMESPACE),
    workspaceId: null,
    slug,
    createdAt: RELEASED,
    updatedAt: RELEASED,
  };
}

export function isBuiltIn({ id }: { id: string }): boolean {
  return builtInSkills().some((skill) => skill.id === id);
}
