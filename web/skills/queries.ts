import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, callApi, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { saveFile } from '../parts/save-file.ts';
import { skillInLanguage } from './built-in-text.ts';

export type Skill = Schemas['Skill'];
export type SkillParameter = Schemas['SkillParameter'];
export type SkillFields = Omit<Schemas['CreateSkill'], 'workspaceId'>;

const LISTED = 1_000;

/** Returns the workspace's skills and those for every workspace, the built-in ones last. */
export function useSkills(workspaceId: string) {
  const { i18n } = useTranslation();
  return useQuery({
    ...skillsQuery(workspaceId),
    select: (skills) => skills.map((skill) => skillInLanguage(skill, i18n)),
  });
}

/** Returns the skills that a run can follow. */
export function useEnabledSkills(workspaceId: string) {
  const { i18n } = useTranslation();
  return useQuery({
    ...skillsQuery(workspaceId),
    select: (skills) =>
      skills.filter(({ isEnabled }) => isEnabled).map((skill) => skillInLanguage(skill, i18n)),
  });
}

const skillsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['skills', workspaceId],
    queryFn: () => take(api.GET('/api/skills', { params: { query: { workspaceId, limit: LISTED } } })),
    staleTime: 30_000,
  });

export function useSkill(skillId: string) {
  const { i18n } = useTranslation();
  return useQuery({
    queryKey: ['skill', skillId],
    queryFn: () => take(api.GET('/api/skills/{skillId}', { params: { path: { skillId } } })),
    select: (skill) => skillInLanguage(skill, i18n),
  });
}

const SAVED = {
  rereads: [['skills']],
  stores: (skill: Skill): [string[], Skill] => [['skill', skill.id], skill],
};

/** Creates a skill, or changes the named one. */
export function useSaveSkill(workspaceId: string | null, skillId: string | undefined) {
  return useChange(SAVED, (fields: SkillFields) =>
    skillId === undefined
      ? take(api.POST('/api/skills', { body: { ...fields, workspaceId } }))
      : take(api.PUT('/api/skills/{skillId}', { params: { path: { skillId } }, body: fields })),
  );
}

export function useEnableSkill(skillId: string) {
  return useChange(SAVED, (isEnabled: boolean) =>
    take(api.PUT('/api/skills/{skillId}', { params: { path: { skillId } }, body: { isEnabled } })),
  );
}

export function useDeleteSkill() {
  return useChange({ rereads: [['skills']] }, (skillId: string) =>
    take(api.DELETE('/api/skills/{skillId}', { params: { path: { skillId } } })),
  );
}

/** Imports from an https URL, or from the text of a SKILL.md or its JSON. */
export function useImportSkill() {
  return useChange(SAVED, ({ text, workspaceId }: { text: string; workspaceId: string | null }) =>
    take(api.POST('/api/skills/import', { body: { ...importedOf(text), workspaceId } })),
  );
}

function importedOf(text: string): Pick<Schemas['ImportSkill'], 'url' | 'content' | 'skill'> {
  const given = text.trim();
  if (/^https:\/\/\S+$/i.test(given)) return { url: given };
  if (!given.startsWith('{')) return { content: text };
  return { skill: JSON.parse(given) as Schemas['ImportedSkill'] };
}

export async function exportSkill({ id, slug }: Skill): Promise<void> {
  const response = await callApi(`/api/skills/${encodeURIComponent(id)}/export`);
  saveFile(await response.blob(), `${slug}.md`);
}
