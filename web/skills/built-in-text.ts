import type { i18n as I18n } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

type Skill = Schemas['Skill'];

/** Whether it came with the service: its id is made of its name, others' ids of the time. */
export function isBuiltIn({ id }: Pick<Skill, 'id'>): boolean {
  return id[14] === '5';
}

/**
 * The skill in the reader's language if it came with the service, which words it in English. Its description there is also for
 * models, and longer.
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
