import * as z from 'zod';
import type { WebSearchProvider } from '../api-contract/web-search-providers.ts';
import { NotFound } from '../errors.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { webSearchProviderSchema } from '../ports/web-search.ts';
import {
  citationJudgeSchema,
  isJudged,
  judgeSourceSchema,
  judgeValue,
  type ServiceJudge,
} from '../support/judge-setting.ts';
import { type Workspace, workspaces } from './schema.ts';

const ownJudge = citationJudgeSchema.nullable();

export const putSettingsSchema = z.strictObject({
  citationJudge: ownJudge.describe(
    'Whether a model judges the citations in this workspace. Null to use the value of the service.',
  ),
});

export const workspaceSettingsSchema = z
  .strictObject({
    citationJudge: ownJudge.describe('Own value of the workspace. Null if that of the service applies.'),
    citationJudgeInForce: citationJudgeSchema.describe(
      'Value that applies to requests that set no `judge`: the own one, or that of the service.',
    ),
    citationJudgeSource: judgeSourceSchema.describe(
      'Origin of the value in force. `environment` also if the value was never set.',
    ),
    webSearch: webSearchProviderSchema
      .nullable()
      .describe('Provider that gets the words of web searches. Null if web search is disabled.'),
  })
  .meta({ id: 'WorkspaceSettings' });
export type WorkspaceSettings = z.infer<typeof workspaceSettingsSchema>;

export function describeSettings(
  workspace: Workspace,
  service: ServiceJudge,
  webSearch: WebSearchProvider | undefined,
): WorkspaceSettings {
  const own = workspace.citationJudge;
  return {
    citationJudge: own ?? null,
    citationJudgeInForce: judgeValue(isJudged(undefined, workspace, service)),
    citationJudgeSource: own === undefined ? service.source : 'workspace',
    webSearch: webSearch ?? null,
  };
}

/**
 * Changes only the settings of the workspace, and leaves its members, for example, unchanged. Throws NotFound
 * if it was deleted.
 */
export async function putSettings(
  records: Records,
  id: string,
  { citationJudge }: z.infer<typeof putSettingsSchema>,
): Promise<Workspace> {
  const change = citationJudge === null ? { remove: ['citationJudge'] } : { set: { citationJudge } };
  const changed = await ifExpected(workspaces.update(records, { id }, change, { id }));
  if (changed === undefined) throw new NotFound('workspace_not_found', 'This workspace does not exist.');
  return changed;
}
