import { expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../../lib/errors.ts';
import { describeResearch, findResearch } from '../../../../lib/research/find-research.ts';
import { MEMBER } from '../../../support/agent.ts';
import { type ResearchRig, startResearchRig } from '../../../support/research.ts';

const PAGES = { 'https://a.example/owls': '<p>Owls hunt at night in 12 forests.</p>' };

async function calledFor(rig: ResearchRig, runId: string) {
  return describeResearch(rig.ports, await findResearch(rig.ports.records, MEMBER, runId));
}

it('failed model call counts toward the budget, and is repeated', async () => {
  const rig = await startResearchRig(PAGES);
  let failures = 0;
  rig.model.script = ({ step }) => {
    if (step === 'plan' && failures++ === 0)
      throw new UpstreamFailed('upstream_failed', 'the provider is away');
    return undefined;
  };
  const { runId } = await rig.begin();
  await rig.work();
  const research = await calledFor(rig, runId);
  expect(research).toMatchObject({ status: 'done', counts: { supported: 2 } });
  expect(research.calls).toBe(rig.model.prompts.length);
});

it('endlessly repeated model failures end when the budget is used up', async () => {
  const rig = await startResearchRig(PAGES);
  rig.model.script = ({ step }) => {
    if (step !== 'plan')
      throw new UpstreamFailed('upstream_failed', 'it takes no more', { refusedRequest: true });
    return undefined;
  };
  const { runId } = await rig.begin({ budget: { calls: 4 } });
  await rig.work();
  const research = await calledFor(rig, runId);
  expect(research.calls).toBe(rig.model.prompts.length);
  expect(research).toMatchObject({ status: 'done', sections: [] });
});

it('model call that fails because of the settings is made once', async () => {
  const rig = await startResearchRig(PAGES);
  rig.model.script = () => {
    throw new UpstreamFailed('model_credential_refused', 'The provider refused the key.');
  };
  const { runId } = await rig.begin();
  await rig.work();
  expect(await calledFor(rig, runId)).toMatchObject({ status: 'failed' });
  expect(rig.model.prompts).toHaveLength(1);
});
