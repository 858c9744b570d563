import { type PortableSkill, portableSkillSchema, type Skill } from './schema.ts';
import { writeSkillMarkdown } from './skill-md.ts';

/** Exports a skill as a file; importing it produces the same skill again. */
export function exportSkill(
  skill: Skill,
  format: 'markdown' | 'json',
): { text: string; headers: Record<string, string> } {
  const portable = toPortable(skill);
  const [text, mediaType, extension] =
    format === 'json'
      ? [`${JSON.stringify(portable, null, 2)}\n`, 'application/json', 'json']
      : [writeSkillMarkdown(portable), 'text/markdown; charset=utf-8', 'md'];
  const disposition = `attachment; filename="${skill.slug}.${extension}"`;
  return { text, headers: { 'content-type': mediaType, 'content-disposition': disposition } };
}

/** Drops the fields that belong to the record and not to the skill. */
function toPortable(skill: Skill): PortableSkill {
  const fields = Object.keys(portableSkillSchema.shape) as (keyof PortableSkill)[];
  return Object.fromEntries(fields.map((field) => [field, skill[field]])) as PortableSkill;
}
