import type { i18n as I18n } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

type Skill = Schemas['Skill'];

/** Returns whether a skill is built in; its ID is then derived from its name, and otherwise from the time. */
export function isBuiltIn({ id }: Pick<Skill, 'id'>): boolean {
  return id[14] === '5';
}

/**
 * Returns a built-in skill in the reader's language. The service has it in English, with a longer description that is
 * also for models.
 */
export function skillInLanguage(skill: Skill, i18n: Pick<I18n, 't' | 'exists'>): Skill {
  if (!isBuiltIn(skill)) return skill;
  const place = `skills.builtIns.${skill.slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const said = (name: string, own: string) =>
    i18n.exists(`${place}.${name}`) ? String(i18n.t(`${place}.${name}` as never)) : own;
  return {
    ...skill,
    name: said('name', skill.name),
    description: said('description', skill.description),
    parameters: skill.parameters.map((parameter) => ({
      ...parameter,
      label: said(`labels.${parameter.name}`, parameter.label),
    })),
  };
}
