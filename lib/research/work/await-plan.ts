import { Conflict } from '../../errors.ts';
import { approvalsOf, askForApproval } from '../../runs/approvals.ts';
import type { Approval } from '../../runs/schema.ts';
import { pluralize } from '../../text/pluralize.ts';
import { planSchema, type ResearchPlan } from '../schema.ts';
import type { Study } from './study.ts';

/** The tool name of a plan approval. */
const PLAN_TOOL = 'researchPlan';

/** Returns the plan as a person approved it; undefined until there is an answer. Throws Conflict if it was denied. */
export async function agreedPlan(study: Study, plan: ResearchPlan): Promise<ResearchPlan | undefined> {
  if (!study.request.approvePlan) return plan;
  const asked = await findPlanApproval(study.ports.records, study.run.id);
  if (asked === undefined) {
    await askAboutPlan(study, plan);
    return undefined;
  }
  if (asked.status === 'approved') return planSchema.parse(asked.input);
  if (asked.status === 'refused') throw new Conflict('plan_denied', 'The plan was denied.');
  if (study.ports.clock.now() < Date.parse(asked.expiresAt)) return undefined;
  throw new Conflict('approval_expired', 'Nobody approved the plan in time.');
}

export async function findPlanApproval(
  records: Study['ports']['records'],
  runId: string,
): Promise<Approval | undefined> {
  return (await approvalsOf(records, runId)).find(({ toolName }) => toolName === PLAN_TOOL);
}

async function askAboutPlan({ ports, run }: Study, plan: ResearchPlan): Promise<void> {
  const call = { id: `plan-${run.id}`, name: PLAN_TOOL, input: '' };
  const summary = `Approve a plan of ${pluralize(plan.questions.length, 'question')}`;
  const asked = { call, tool: { name: PLAN_TOOL }, input: plan };
  await askForApproval(ports, run, asked, { summary, subjects: [] });
}
