import * as z from 'zod';
import { CHAT_PLATFORMS, PLATFORMS } from '../api-contract/chat-platforms.ts';
import { hasRole, MEMBER_ROLES, type Role } from '../api-contract/roles.ts';
import { Forbidden, InvalidInput } from '../errors.ts';
import { type Caller, isAdminOfAll, lowerRole, mayUse } from './caller.ts';

/**
 * The maximum number of members. Every request reads the list with its workspace; for more people, add a
 * group.
 */
const MAX_MEMBERS = 200;
const MAX_NAME = 256;

/**
 * The name exactly as the issuer writes it. Refuses invisible characters, and characters that a request can't
 * carry.
 */
const nameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME, { abort: true })
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must be a name without control characters',
  );

/** The prefixes of chat users, such as `ima:` (Feishu). */
const CHATS = PLATFORMS.map((platform) => `\`${platform}:\` (${CHAT_PLATFORMS[platform].name})`).join(' or ');

const memberRoleSchema = z.enum(MEMBER_ROLES).meta({ title: 'MemberRole' });

/** The fields of a member as stored. */
export const memberFields = {
  subject: nameSchema
    .optional()
    .describe(`Caller: the \`sub\` of a JWT, the ID of a token, or ${CHATS} and the ID of a chat user.`),
  group: nameSchema.optional().describe('Group from the claim that OIDC_GROUPS_CLAIM names.'),
  role: memberRoleSchema.describe(
    'Highest role in this workspace. It never exceeds the role that the caller has in the service.',
  ),
};

/**
 * Refuses `Ann Lee <ann@example.org>`, as copied from an email program, because it would never match a
 * caller.
 */
function isIdentifier(text: string): boolean {
  return text === text.trim() && !/\s<[^<>\s]+@[^<>\s]+>$/.test(text);
}

/** Accepts the members that GET returned, and ignores their `name`. */
const memberSchema = z
  .strictObject({
    ...memberFields,
    name: z
      .string()
      .optional()
      .describe('Name of the user or the token, as far as it is known. Ignored in requests.'),
  })
  .refine(({ subject, group }) => (subject === undefined) !== (group === undefined), {
    error: 'must have either a subject or a group',
  })
  .refine(({ subject = '', group = '' }) => isIdentifier(subject) && isIdentifier(group), {
    error:
      'must be written as the issuer does: without spaces around it, and without a name before an email address',
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof memberSchema>;

export function withoutName({ name: _name, ...member }: Member): Member {
  return member;
}

export const membersSchema = z
  .array(memberSchema)
  .max(MAX_MEMBERS)
  .refine((members) => new Set(members.map(keyOf)).size === members.length, 'lists a member twice')
  .meta({ id: 'Members' });

function keyOf({ subject, group }: Member): string {
  return JSON.stringify([subject ?? null, group ?? null]);
}

/** A workspace with its member list. Without a list, or with an empty one, everyone who may use the service may enter. */
export interface GuardedPlace {
  id: string;
  members?: Member[] | undefined;
  /**
   * For a whole root: the workspaces below it that have a member list. A caller who works in the root sees
   * their files.
   */
  inner?: GuardedPlace[] | undefined;
}

/**
 * Returns the caller's role in a workspace; undefined if they may not enter. A member's role is that of their
 * own entry, otherwise the highest of their groups' entries, and never above the role that the caller already
 * has. Global administrators may enter every workspace.
 */
export function roleIn(caller: Caller, { id, members = [], inner = [] }: GuardedPlace): Role | undefined {
  if (!mayUse(caller, id) || !areOpen(caller, inner)) return undefined;
  if (members.length === 0 || isAdminOfAll(caller)) return caller.role;
  const own = members.find(({ subject }) => subject === caller.id);
  const groups = new Set(caller.groups);
  const roles = own
    ? [own.role]
    : members.flatMap(({ group, role }) => (groups.has(group ?? '') ? role : []));
  const highest = MEMBER_ROLES.findLast((role) => roles.includes(role));
  return highest && lowerRole(highest, caller.role);
}

/**
 * Returns true if the caller keeps their full role in each place, whatever workspaces their credential is
 * restricted to.
 */
export function areOpen(caller: Caller, places: GuardedPlace[]): boolean {
  if (isAdminOfAll(caller)) return true;
  return places.every((place) => roleIn({ ...caller, workspaceIds: [place.id] }, place) === caller.role);
}

/** Returns true if each place admits the caller, whatever workspaces their credential is restricted to. */
export function letIn(caller: Caller, places: GuardedPlace[]): boolean {
  if (isAdminOfAll(caller)) return true;
  return places.every((place) => mayEnter({ ...caller, workspaceIds: [place.id] }, place));
}

/**
 * Returns true if the first place's list contains everyone on the second's. The caller needn't be a member.
 */
export function letsInAllOf({ members: list = [] }: GuardedPlace, { members = [] }: GuardedPlace): boolean {
  if (list.length === 0) return true;
  const names = new Set(list.map(keyOf));
  return members.length > 0 && members.every((member) => names.has(keyOf(member)));
}

export function mayEnter(caller: Caller, place: GuardedPlace): boolean {
  return roleIn(caller, place) !== undefined;
}

/**
 * Returns the caller with their role in the workspace. Throws Forbidden if they may not enter, or if the request needs a
 * higher role than they have there.
 */
export function callerIn(caller: Caller, place: GuardedPlace): Caller {
  caller.visited?.add(place.id);
  if (!mayUse(caller, place.id))
    throw new Forbidden('workspace_access_denied', "This token doesn't include this workspace.");
  const role = roleIn(caller, place);
  if (role === undefined)
    throw new Forbidden('workspace_access_denied', "You aren't a member of this workspace.");
  const here = { ...caller, role };
  if (caller.needs !== undefined && !hasRole(here, caller.needs))
    throw new Forbidden('role_required', `This needs the role ${caller.needs} in this workspace.`);
  return here;
}

/** Throws InvalidInput unless the caller could still change the list after this change. */
export function requireStillAdmin(caller: Caller, place: GuardedPlace): void {
  if (roleIn(caller, place) !== 'admin')
    throw new InvalidInput(
      'members_lockout',
      'This list would lock you out. Add yourself or one of your groups as an admin.',
      { field: 'members' },
    );
}
