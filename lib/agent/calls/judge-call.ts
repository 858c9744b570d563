import { hasRole } from '../../api-contract/roles.ts';
import { type JudgedCall, type Judgement, judge, type PathOrigin } from '../../permissions/judge.ts';
import { DEFAULTS, rulesInSandbox } from '../../permissions/rules.ts';
import type { Rule } from '../../permissions/schema.ts';
import { rulesWithSandbox } from '../../permissions/store.ts';
import type { PatternKind } from '../../permissions/template.ts';
import type { Records } from '../../ports/records.ts';
import { grantsOfRun } from '../../runs/approvals.ts';
import { basisOf } from '../../runs/basis.ts';
import type { ApprovalBasis, Run } from '../../runs/schema.ts';
import { rootWorkspaceId, type Workspace } from '../../workspaces/schema.ts';
import type { Tool } from '../tools/tool.ts';
import type { FitCall } from './call.ts';
import { UNATTENDED } from './modes.ts';

/** The verdict of the workspace's rules on a call. */
export type Verdict =
  | { word: 'allow' }
  | { word: 'ask'; question: string; subjects: string[]; reasons: string[] }
  /** Not even an approval permits the call, or no one can give one. */
  | { word: 'refuse'; text: string };

interface JudgePorts {
  records: Records;
  /** Why no approval counts on this host. Undefined if approvals count. */
  nobodyApproves?: string | undefined;
  /** True if a command can't leave its sandbox: it has no network, and limits of memory, processes, and time. */
  confinesCommands?: boolean | undefined;
}

/** Reads the rules for each call, so that a new rule applies to the next one. */
export async function judgeCall(
  { records, nobodyApproves, confinesCommands = false }: JudgePorts,
  { run, workspace }: { run: Run; workspace: Workspace },
  call: FitCall,
): Promise<Verdict> {
  const place = { rootPath: workspace.rootPath, cwd: run.cwd };
  const judged = judgedCall(call);
  const { rules, sandboxed } = await rulesWithSandbox(records, workspace.id);
  const first = await judge(rules, judged, place, run.permits);
  if (first.action === 'ask' && sandboxed && confinesCommands && staysInside(workspace, call)) {
    const inside = await judge(rulesInSandbox(rules), judged, place, run.permits);
    if (inside.action === 'allow') return { word: 'allow' };
  }
  // Read only for calls that rules ask about. A grant replaces an approval, but never overrides a denial.
  const own = first.action === 'ask' ? await withGrants(records, run, rules, judged, place) : first;
  // If a command could have written the rules, they can only restrict.
  const judgement = nobodyApproves === undefined ? own : stricter(own, await judge(DEFAULTS, judged, place));
  return verdictOf(judgement, call.tool, whyNobody(run, nobodyApproves));
}

/** A workspace that is a whole root contains other workspaces, which its commands can reach. */
function staysInside({ id, rootPath }: Workspace, { tool }: FitCall): boolean {
  return tool.name === 'bash' && id !== rootWorkspaceId(rootPath);
}

async function withGrants(
  records: Records,
  run: Run,
  rules: Rule[],
  judged: JudgedCall,
  place: PathOrigin,
): Promise<Judgement> {
  return judge(rules, judged, place, [...run.permits, ...(await grantsOfRun(records, run.id))]);
}

/** Collects the facts that an approval of this call depends on, in addition to the arguments. */
export function basisOfCall(
  { run, workspace }: { run: Run; workspace: Workspace },
  call: FitCall,
  verdict: Verdict,
): Promise<ApprovalBasis> {
  const place = { rootPath: workspace.rootPath, cwd: run.cwd };
  return basisOf(judgedCall(call), place, verdict.word === 'ask' ? verdict.reasons : []);
}

function verdictOf(
  { action, reason = '', reasons, subjects }: Judgement,
  { name }: Tool,
  nobody: string | undefined,
): Verdict {
  if (action === 'allow') return { word: 'allow' };
  if (action === 'deny')
    return {
      word: 'refuse',
      text: `This call is denied: ${reason}. It was not run. Continue without it.`,
    };
  if (nobody !== undefined) return { word: 'refuse', text: `${nobody} (${reason})` };
  return { word: 'ask', question: `${name}: ${reason}`, subjects, reasons };
}

function stricter(one: Judgement, other: Judgement): Judgement {
  return other.action === 'allow' || one.action === 'deny'
    ? one
    : one.action === 'ask'
      ? { ...one, subjects: [] }
      : other;
}

/**
 * Returns why no one can approve here. Only the run's owner may approve, and only if they aren't just a
 * reader.
 */
function whyNobody({ unattended, caller }: Run, nobodyApproves: string | undefined): string | undefined {
  if (nobodyApproves !== undefined) return nobodyApproves;
  return unattended || !hasRole(caller, 'member') ? UNATTENDED : undefined;
}

function judgedCall({ tool, input }: FitCall): JudgedCall {
  const { name, ruledAs, ruled } = tool;
  return {
    tools: ruledAs === undefined ? [name] : [name, ruledAs],
    argument:
      ruled === undefined
        ? { kind: 'text', text: JSON.stringify(input) }
        : { kind: ruled.kind, text: ruled.argument(input) },
  };
}

/** Returns how to read patterns for a tool's argument. */
export function patternKindOf(tool: Pick<Tool, 'ruled'> | undefined): PatternKind {
  return tool?.ruled?.kind === 'path' || tool?.ruled?.kind === 'tree' ? 'path' : 'text';
}
