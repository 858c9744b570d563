import type { Caller } from '../access/caller.ts';
import { type AskMode, withAskMode } from '../api-contract/rule-table.ts';
import { TOOL_NAMES } from '../api-contract/tool-names.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, InvalidInput } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { change, refuseOvertaken } from '../records/change.ts';
import { requireMatch } from '../records/etag.ts';
import { DEFAULTS, isAboutTool, liftedDeny } from './rules.ts';
import {
  type Grant,
  MAX_RULES,
  type Permissions,
  type PutPermissions,
  type Rule,
  type SandboxGap,
  type StoredPermissions,
  type StoredRule,
  storedRules,
} from './schema.ts';
import type { PatternKind } from './template.ts';

/** Error codes for a rule that an `always` answer adds (lib/permissions/always.ts). */
export const ALWAYS_ERRORS = [
  'always_not_allowed',
  'concurrent_changes',
  'rule_conflict',
  'rule_pattern_invalid',
  'too_many_rules',
] as const satisfies ErrorCode[];

/** Tools that need approval each time, whatever a rule says. No rule may look as if it allowed them. */
const ALWAYS_ASKED = new Set(['submitJob']);

/** Returns the rules of a workspace, with the defaults below them, and whether they can be changed here. */
export async function readPermissions(
  ports: Pick<PermissionPorts, 'records' | 'selfApproval' | 'sandboxGap'>,
  workspaceId: string,
): Promise<Permissions> {
  return describeStored(ports, await storedRules.get(ports.records, { workspaceId }));
}

async function describeStored(
  ports: Pick<PermissionPorts, 'selfApproval' | 'sandboxGap'>,
  stored: Partial<StoredPermissions> = {},
): Promise<Permissions> {
  const [lockedBy, sandboxGap] = await Promise.all([ports.selfApproval(), gapOf(ports)]);
  const { rules = [], sandboxed = false, network = [] } = stored;
  const here = { lockedBy: lockedBy ?? null, sandboxGap: sandboxGap ?? null };
  return { rules, defaults: DEFAULTS, sandboxed, network, ...here };
}

/** Without the port, nothing is known about the sandbox. */
async function gapOf({ sandboxGap }: Pick<PermissionPorts, 'sandboxGap'>): Promise<SandboxGap | undefined> {
  return sandboxGap === undefined ? 'missing' : sandboxGap();
}

/** Returns all rules in the order in which they apply: the last match wins. */
export async function rulesFor(records: Records, workspaceId: string): Promise<Rule[]> {
  return [...DEFAULTS, ...(await readRules(records, workspaceId))];
}

/** Returns the rules, and whether commands that can't leave the sandbox run without approval. */
export async function rulesWithSandbox(
  records: Records,
  workspaceId: string,
): Promise<{ rules: Rule[]; sandboxed: boolean }> {
  const { rules = [], sandboxed = false } = (await storedRules.get(records, { workspaceId })) ?? {};
  return { rules: [...DEFAULTS, ...rules], sandboxed };
}

/** Returns the hosts that the workspace's commands may reach. */
export async function commandHosts(records: Records, workspaceId: string): Promise<string[]> {
  return (await storedRules.get(records, { workspaceId }))?.network ?? [];
}

/** Returns whether a change would let commands reach another host. */
export async function addsHosts(
  records: Records,
  workspaceId: string,
  { network = [] }: Pick<PutPermissions, 'network'>,
): Promise<boolean> {
  return network.length > 0 && hasOther(network, await commandHosts(records, workspaceId));
}

function hasOther(hosts: string[], before: string[] = []): boolean {
  return hosts.some((host) => !before.includes(host));
}

async function readRules(records: Records, workspaceId: string): Promise<StoredRule[]> {
  return (await storedRules.get(records, { workspaceId }))?.rules ?? [];
}

export interface PermissionPorts extends TimedRecords {
  /** Returns how a command of the agent could set rules itself; undefined if it can't. */
  selfApproval(): Promise<'loopback' | 'records' | undefined>;
  /** Returns how a command could leave its sandbox; undefined if it can't. */
  sandboxGap?(): Promise<SandboxGap | undefined>;
}

const NOT_A_PERSON =
  "Rules can't be set on this host: commands reach the service without sign-in, or its records without a sandbox, so they could set rules too.";

/**
 * Replaces all rules; a rule that existed before keeps its author and date. Throws InvalidInput, Conflict if `ifMatch` names
 * another state, and Forbidden if a command of the agent could do the same.
 */
export async function putPermissions(
  ports: PermissionPorts,
  caller: Caller,
  workspaceId: string,
  {
    rules,
    ifMatch,
    mayAddHosts = false,
    ...confinement
  }: PutPermissions & { ifMatch?: string | undefined; mayAddHosts?: boolean },
): Promise<Permissions> {
  if ((await ports.selfApproval()) !== undefined) throw new Forbidden('rules_locked', NOT_A_PERSON);
  if (confinement.sandboxed === true) await requireConfined(ports, 'sandboxed');
  if (mayAddHosts) await requireConfined(ports, 'network');
  for (const [index, rule] of rules.entries()) requireUseful(rule, `rules.${index}`);
  const next = ({ rules: before = [], network }: Partial<StoredPermissions>) => {
    requireMatch(ifMatch, versionedPart({ rules: before, network }));
    if (!mayAddHosts && hasOther(confinement.network ?? [], network)) throw refuseOvertaken();
    return rules.map(({ tool, pattern, action }) => {
      const same = before.find((kept) => isSame(kept, { tool, pattern, action }));
      return same ?? newRule(ports, caller, { tool, pattern, action }, null);
    });
  };
  return describeStored(ports, await changeRules(ports, workspaceId, next, confinement));
}

/** Returns the part of the permissions that their ETag covers. */
export function versionedPart({
  rules,
  network = [],
}: Pick<StoredPermissions, 'rules' | 'network'>): unknown {
  return network.length === 0 ? rules : { rules, network };
}

/**
 * Throws Conflict with the reason why commands can leave their sandbox, because the field would have no
 * effect.
 */
async function requireConfined(ports: PermissionPorts, field: 'sandboxed' | 'network'): Promise<void> {
  const gap = await gapOf(ports);
  if (gap !== undefined) throw new Conflict('sandbox_unavailable', `${field} ${GAPS[gap]}`, { field });
}

const GAPS: Record<SandboxGap, string> = {
  missing: 'needs a sandbox for commands, and this host has none. Install bubblewrap.',
  network: 'needs commands without a network. Set COMMAND_NETWORK=none.',
  unbounded: "needs limits of memory, processes, and hosts, which the sandbox of this system doesn't have.",
  elsewhere: "can't be set where another function runs the commands, because its sandbox isn't known here.",
};

function requireUseful({ tool, action }: Rule, place: string): void {
  requireKnown({ tool }, place);
  if (action === 'allow' && ALWAYS_ASKED.has(tool))
    throw new InvalidInput(
      'always_not_allowed',
      `${place} can't allow ${tool}, which needs approval every time. It can be denied.`,
      { field: place },
    );
}

export function requireGrantable({ tool }: Grant, place: string): void {
  requireKnown({ tool }, place);
  if (ALWAYS_ASKED.has(tool))
    throw new InvalidInput(
      'always_not_allowed',
      `${place} can't permit ${tool}, which needs approval every time.`,
      { field: place },
    );
}

/** Throws for an unknown tool, because a rule for it would have no effect. */
function requireKnown(rule: Pick<Grant, 'tool'>, place: string): void {
  const { tool } = rule;
  if (/^(mcp__|\*)/.test(tool) || TOOL_NAMES.some((name) => isAboutTool(rule, name))) return;
  throw new InvalidInput(
    'tool_unknown',
    `${place}.tool must be one of ${TOOL_NAMES.join(', ')}, or begin with mcp__.`,
    { field: `${place}.tool` },
  );
}

/**
 * Gives a new workspace the rules of a mode, unless it already has rules. Does nothing where rules can't be
 * changed, because no one could give the approvals that they require, or remove them.
 */
async function startRules(
  ports: PermissionPorts,
  caller: Caller,
  workspaceId: string,
  mode: AskMode,
): Promise<void> {
  if ((await ports.selfApproval()) !== undefined) return;
  const rules = withAskMode({ rules: [], defaults: DEFAULTS }, mode);
  await change(storedRules, ports.records, { workspaceId }, (before) =>
    before === undefined
      ? { workspaceId, rules: rules.map((rule) => newRule(ports, caller, rule, null)) }
      : undefined,
  );
}

/** Returns a function that gives a new workspace its first rules, if a mode was requested. */
export function prepareRules(ports: PermissionPorts, caller: Caller, { ask }: { ask?: AskMode | undefined }) {
  return ask && ((workspaceId: string) => startRules(ports, caller, workspaceId, ask));
}

/** A person's "always" answer. */
interface Always extends Grant {
  kind: PatternKind;
  /** Another tool whose rules also apply to this one. */
  ruledAs: string | undefined;
}

/**
 * Adds the rule of an "always" answer. Throws Conflict if it would allow something that is denied now, or if there are too many
 * rules.
 */
export async function addAlways(
  ports: TimedRecords,
  caller: Caller,
  workspaceId: string,
  { answeredCall, ...added }: Always & { answeredCall: string },
): Promise<void> {
  const { tool, pattern } = added;
  const rule = newRule(ports, caller, { tool, pattern, action: 'allow' }, answeredCall);
  await changeRules(ports, workspaceId, ({ rules: before = [] }) => {
    requireLiftsNothing(before, added);
    return [...before.filter((kept) => !isSame(kept, rule)), rule];
  });
}

/** Throws the same errors as addAlways. Called before anything is answered. */
export async function requireAddable(
  { records }: TimedRecords,
  workspaceId: string,
  added: Always,
): Promise<void> {
  requireLiftsNothing(await readRules(records, workspaceId), added);
}

function requireLiftsNothing(rules: Rule[], { kind, ruledAs, ...grant }: Always): void {
  if (rules.length >= MAX_RULES)
    throw new Conflict('too_many_rules', `The workspace already has ${MAX_RULES} rules. Remove one first.`);
  const denied = liftedDeny(rules, kind, grant, [grant.tool, ...(ruledAs ? [ruledAs] : [])]);
  if (denied !== undefined)
    throw new Conflict(
      'rule_conflict',
      `always would also allow what the rule ${denied.tool} ${JSON.stringify(denied.pattern)} denies.`,
      { field: 'always' },
    );
}

function isSame(one: Rule, other: Rule): boolean {
  return one.tool === other.tool && one.pattern === other.pattern && one.action === other.action;
}

function newRule(
  { clock }: TimedRecords,
  caller: Caller,
  rule: Rule,
  answeredCall: string | null,
): StoredRule {
  return { ...rule, addedBy: caller.id, addedAt: timestamp(clock), answeredCall };
}

/** Applies changes one after another, even if two arrive at the same time. */
async function changeRules(
  { records }: TimedRecords,
  workspaceId: string,
  next: (before: Partial<StoredPermissions>) => StoredRule[],
  { sandboxed, network }: Pick<PutPermissions, 'sandboxed' | 'network'> = {},
): Promise<StoredPermissions | undefined> {
  return change(storedRules, records, { workspaceId }, (before) => ({
    workspaceId,
    rules: next(before ?? {}),
    ...(sandboxed !== undefined && { sandboxed }),
    ...(network !== undefined && { network }),
  }));
}

/** Removes the rules of a deleted workspace. */
export async function dropPermissions(records: Records, workspaceId: string): Promise<void> {
  await storedRules.delete(records, { workspaceId });
}
