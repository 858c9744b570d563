import { expect, it, jest } from '@jest/globals';
import { type DraftChecks, verifyDraftTool } from '../../../../lib/agent/tools/verify-draft.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { makeContext } from '../../../support/tool-context.ts';

const citation = { path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls.', verified: true };
const sentence = (n: number, verdict: string) => ({
  n,
  text: `${n}`,
  verdict,
  reason: 'r',
  citations: [citation],
});
const CHECK = {
  ...{ status: 'done', error: null, counts: { claims: 2 } },
  sentences: [sentence(1, 'supported'), sentence(2, 'not_found'), sentence(3, 'no_claim')],
};

async function makeTool() {
  const begin = jest.fn<DraftChecks['begin']>(async () => ({ runId: 'run' }));
  const read = jest.fn<DraftChecks['read']>(async () => CHECK);
  const tool = verifyDraftTool({ draftChecks: { begin, read } });
  const context = makeContext(await tempFolder());
  const run = (fields: Record<string, unknown>) => tool.run(tool.input.parse(fields), context);
  return { tool, begin, read, run };
}

it('verifyDraftTool starts a check of a path in the workspace, and names the call for its result', async () => {
  const { begin, run } = await makeTool();
  expect(await run({ path: 'draft.md' })).toMatchObject({
    runId: 'run',
    follow: expect.stringContaining('runId'),
  });
  expect(begin).toHaveBeenCalledWith({ path: 'draft.md', judge: false }, expect.anything());
});

it('verifyDraftTool returns the claims that need attention, with their quotes', async () => {
  const { run } = await makeTool();
  expect(await run({ runId: 'run' })).toEqual({
    ...{ status: 'done', error: undefined, counts: { claims: 2 } },
    claims: [
      {
        n: 2,
        text: '2',
        verdict: 'not_found',
        reason: 'r',
        quotes: [{ path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls.' }],
      },
    ],
  });
});

it('verifyDraftTool requires a draft', async () => {
  const { run } = await makeTool();
  await expect(run({})).rejects.toMatchObject({ code: 'missing_value', field: 'path' });
});
