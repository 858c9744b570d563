import * as z from 'zod';
import { Forbidden, InvalidInput } from '../errors.ts';
import { type Caller, hasRole, isAdminOfAll, lowerRole, mayUse, type Role, roleSchema } from './caller.ts';

/** The list is read with its workspace, by every request: many people are a group. */
const MAX_MEMBERS = 200;
const MAX_NAME = 256;

/** As the issuer writes it, letter by letter; what nobody can see or send is no name. */
const nameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME, { abort: true })
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must be a name without control characters',
  );

export const memberSchema = z
  .strictObject({
    subject: nameSchema
      .optional()
      .describe(
        'who calls: the `sub` of a JWT, the id of a token, `ima:` or `imb:` and the id of a person in a chat',
      ),
    group: nameSchema.optional().describe('one of OIDC_GROUPS_CLAIM'),
    role: roleSchema.describe('at most this here; never more than the caller has everywhere'),
  })
  .refine(({ subject, group }) => (subject === undefined) !== (group === undefined), {
    error: 'name either a subject or a group',
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof memberSchema>;

export const membersSchema = z
  .array(memberSchema)
  .max(MAX_MEMBERS)
  .refine((members) => new Set(members.map(nameOf)).size === members.length, 'names somebody twice')
  .meta({ id: 'Members' });

function nameOf({ subject, group }: Member): string {
  return JSON.stringify([subject ?? null, group ?? null]);
}

/** A workspace, as far as it says who may enter. Without a list, or with an empty one: whoever the service lets in. */
export interface GuardedPlace {
  id: string;
  members?: Member[] | undefined;
  /** For a whole root: the workspaces below it that have a list. Whoever works in the root sees them. */
  inner?: GuardedPlace[] | undefined;
}

/**
 * What the caller may do in a workspace; undefined where he may not enter. A list lets in those whom it names, with at most
 * the role that it says: their own entry, else the highest of their groups'. It never gives more than the caller has anyway.
 * Administrators of all workspaces are in every one.
 */
export function roleIn(caller: Caller, { id, members = [], inner = [] }: GuardedPlace): Role | undefined {
  if (!mayUse(caller, id) || !areOpen(caller, inner)) return undefined;
  if (members.length === 0 || isAdminOfAll(caller)) return caller.role;
  const own = members.find(({ subject }) => subject === caller.id);
  const groups = new Set(caller.groups);
  const roles = own
    ? [own.role]
    : members.flatMap(({ group, role }) => (groups.has(group ?? '') ? role : []));
  const highest = (['admin', 'member', 'viewer'] as const).find((role) => roles.includes(role));
  return highest && lowerRole(highest, caller.role);
}

/** Whether each leaves the caller what he has elsewhere; whatever the workspaces that his credential is bound to. */
export function areOpen(caller: Caller, places: GuardedPlace[]): boolean {
  if (isAdminOfAll(caller)) return true;
  return places.every((place) => roleIn({ ...caller, workspaceIds: [place.id] }, place) === caller.role);
}

/** Whether each lets the caller in; whatever the workspaces that his credential is bound to. */
export function letIn(caller: Caller, places: GuardedPlace[]): boolean {
  if (isAdminOfAll(caller)) return true;
  return places.every((place) => mayEnter({ ...caller, workspaceIds: [place.id] }, place));
}

/** Whether the list of a place names everybody whom the list of another names, who need not be there when this is asked. */
export function letsInAllOf({ members: list = [] }: GuardedPlace, { members = [] }: GuardedPlace): boolean {
  if (list.length === 0) return true;
  const names = new Set(list.map(nameOf));
  return members.length > 0 && members.every((member) => names.has(nameOf(member)));
}

/** Whether the caller may enter. */
export function mayEnter(caller: Caller, place: GuardedPlace): boolean {
  return roleIn(caller, place) !== undefined;
}

/**
 * The caller with what he may do in the workspace. Throws Forbidden when he may not enter, or what he asks for takes a
 * higher role than he has there.
 */
export function callerIn(caller: Caller, place: GuardedPlace): Caller {
  caller.visited?.add(place.id);
  if (!mayUse(caller, place.id))
    throw new Forbidden('forbidden', 'this credential is not for that workspace');
  const role = roleIn(caller, place);
  if (role === undefined)
    throw new Forbidden('forbidden', 'you are not on the list of who may enter that workspace');
  const here = { ...caller, role };
  if (caller.needs !== undefined && !hasRole(here, caller.needs))
    throw new Forbidden('forbidden', `this needs the role ${caller.needs} in that workspace`);
  return here;
}

/** Whoever changes a list can change it again. Throws InvalidInput. */
export function requireStillAdmin(caller: Caller, place: GuardedPlace): void {
  if (roleIn(caller, place) !== 'admin')
    throw new InvalidInput(
      'invalid_value',
      'with this list you could change it no more: name yourself, or a group of yours, as admin',
    );
}
