import { describe, expect, it } from '@jest/globals';
import { createInstance } from 'i18next';
import { builtInSkills } from '../../../lib/skills/built-in.ts';
import en from '../../../web/languages/en/skills.json' with { type: 'json' };
import zh from '../../../web/languages/zh-CN/skills.json' with { type: 'json' };
import { skillInLanguage } from '../../../web/skills/built-in-text.ts';

async function speak(lng: string) {
  const i18n = createInstance();
  const resources = { en: { translation: { skills: en } }, 'zh-CN': { translation: { skills: zh } } };
  await i18n.init({ lng, resources });
  return i18n;
}

const skills = builtInSkills().map((skill) => [skill.slug, skill] as const);

describe('built-in skill', () => {
  it.each(skills)(
    '%s has the text of its SKILL.md in English, and a shorter description',
    async (_, skill) => {
      const shown = skillInLanguage(skill, await speak('en'));
      expect({ ...shown, description: skill.description }).toEqual(skill);
      expect(shown.description.length).toBeLessThan(skill.description.length);
    },
  );

  it.each(skills)('%s has its name, description, and questions in Chinese', async (_slug, skill) => {
    const { name, description, parameters, ...rest } = skillInLanguage(skill, await speak('zh-CN'));
    for (const text of [name, description, ...parameters.map(({ label }) => label)])
      expect(text).toMatch(/\p{Script=Han}/u);
    expect(skill).toMatchObject(rest);
    expect(parameters.map(({ label: _, ...other }) => other)).toEqual(
      skill.parameters.map(({ label: _, ...other }) => other),
    );
  });
});

it('skills of a person keep their texts', async () => {
  const [, skill] = skills[0] ?? [];
  const own = { ...skill, id: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' } as NonNullable<typeof skill>;
  expect(skillInLanguage(own, await speak('zh-CN'))).toBe(own);
});
