import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { builtInModule, builtInModulePath } from '../../../infra/built-in-skills.ts';
import { builtInSkills } from '../../../lib/skills/built-in.ts';
import { exportSkill } from '../../../lib/skills/export.ts';
import { prepareSkill } from '../../../lib/skills/run.ts';
import { readSkillMarkdown } from '../../../lib/skills/skill-md.ts';

/** Must never change, because runs and tasks reference skills by them. */
const IDS = {
  'cluster-job': '4ba251a5-d0cf-5c37-ad0f-1dd024e1abaf',
  'code-walkthrough': '5386065a-8ba8-5409-be65-bc04a9d0d81b',
  'data-exploration': '50748d9c-31f2-56ca-8a50-438e81afbc3b',
  'experiment-log': 'adaaa236-c09c-5826-86c1-09c5e17b4b96',
  'literature-review': '00e227e9-d86c-5235-82cd-c40a1cade17a',
  'paper-critique': 'f6112117-532e-599b-8ed4-fabed418c78a',
  'reproduce-results': 'b82e7ed4-cdf1-5373-808f-d03d81619646',
  'write-report': 'fa8547f1-6f8f-546c-8261-5ddb343b449a',
};
const skills = builtInSkills().map((skill) => [skill.slug, skill] as const);

describe('built-in skills', () => {
  it('are the files in skills/ (otherwise, run npm run skills)', () => {
    expect(readFileSync(builtInModulePath(), 'utf8')).toBe(builtInModule());
  });

  it('keep their IDs', () => {
    expect(Object.fromEntries(skills.map(([slug, { id }]) => [slug, id]))).toEqual(IDS);
  });

  it.each(skills)('survive export and import: %s', (_slug, skill) => {
    const { id: _i, workspaceId: _w, createdAt: _c, updatedAt: _u, ...portable } = skill;
    expect(readSkillMarkdown(exportSkill(skill, 'markdown').text, 'x')).toEqual(portable);
  });

  it.each(skills)('use each parameter, and no unknown name: %s', (_slug, { systemPrompt, parameters }) => {
    const used = [...systemPrompt.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(parameters.map(({ name }) => name).sort());
  });

  it.each(skills)('list the tools that their text mentions: %s', (_slug, { systemPrompt, allowedTools }) => {
    const spoken = [...systemPrompt.matchAll(/`([a-z]+[A-Z]\w+|bash|grep)`/g)].map(([, name]) => name);
    expect(allowedTools).toEqual(expect.arrayContaining([...new Set(spoken)]));
  });

  it.each(skills)('run with only their required values: %s', (_slug, skill) => {
    const required = skill.parameters.filter((parameter) => parameter.required);
    const values = Object.fromEntries(required.map(({ name }) => [name, 'something']));
    expect(prepareSkill(skill, values).prompt).not.toMatch(/\{\{/);
    expect(() => prepareSkill(skill, {})).toThrow('is required');
  });
});
