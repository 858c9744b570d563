import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Member } from '../../../lib/access/members.ts';
import type { Role } from '../../../lib/api-contract/roles.ts';
import type { FakeIssuer } from '../fakes/fake-issuer.ts';
import type { Answer, Service } from '../service.ts';
import { syncWorkspace } from '../sync.ts';
import { makeWorkspace } from '../workspace.ts';

/** Who may see which secret, worked out from this test's own lists and never by the service's code. */

export interface Person {
  id: string;
  role: Role;
  groups: string[];
  /** Null for a credential without a list of workspaces. */
  workspaceIds: string[] | null;
  headers: Record<string, string>;
}

interface Place {
  id: string;
  root: string;
  members: Member[];
}

export interface Secret {
  /** Only people who may enter all of these may see it. */
  workspaceIds: string[];
  /** The only person who may see it; absent for what belongs to the workspace. */
  ownerId?: string;
  /** The conversation that shows it to others while it is shared. */
  conversationId?: string;
  /** True if administrators of the whole service may see it as well as its owner. */
  admins?: boolean;
}

export type Random = (below: number) => number;

const SECRET = /zq[0-9a-f]{10}/g;
const FILES = 3;
const WORKSPACES = 7;
const GROUPS = ['owls', 'hawks', 'crows'];
const WEEK_S = 7 * 24 * 3600;

export interface World {
  service: Service;
  root: Person;
  people: Person[];
  places: Place[];
  secrets: Map<string, Secret>;
  shared: Set<string>;
  conversations: { id: string; ownerId: string }[];
  noteIds: string[];
  runIds: string[];
}

/** Creates workspaces with planted secrets in their files and notes, and people with each kind of credential. */
export async function makeWorld(service: Service, issuer: FakeIssuer, random: Random): Promise<World> {
  const root = await makePerson(issuer, 'root', 'admin', []);
  const world: World = {
    ...{ service, root, people: [root], places: [], secrets: new Map(), shared: new Set() },
    ...{ conversations: [], noteIds: [], runIds: [] },
  };
  for (let at = 0; at < WORKSPACES; at += 1) world.places.push(await makePlace(world, at));
  for (let at = 0; at < 6; at += 1) {
    const groups = GROUPS.filter(() => random(3) === 0);
    world.people.push(await makePerson(issuer, `p${at}`, at % 3 === 0 ? 'viewer' : 'member', groups));
  }
  for (const role of ['viewer', 'member', 'admin'] as const)
    world.people.push(await makeToken(world, role, draw(world.places, random, 2)));
  world.people.push(await makeToken(world, 'member', null));
  return world;
}

async function makePerson(issuer: FakeIssuer, id: string, role: Role, groups: string[]): Promise<Person> {
  const exp = Math.floor(Date.now() / 1000) + WEEK_S;
  const token = await issuer.sign({ sub: id, role, groups, exp });
  return { id, role, groups, workspaceIds: null, headers: { authorization: `Bearer ${token}` } };
}

async function makeToken(world: World, role: Role, of: Place[] | null): Promise<Person> {
  const workspaceIds = of?.map(({ id }) => id) ?? null;
  const body = { name: `a ${role}`, role, workspaceIds };
  const made = await call<{ id: string; secret: string }>(world, world.root, 'POST', '/api/tokens', body);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { id, secret } = made.body;
  return { id, role, groups: [], workspaceIds, headers: { authorization: `Bearer ${secret}` } };
}

async function makePlace(world: World, at: number): Promise<Place> {
  const asRoot = {
    call: <Body>(method: string, path: string, body?: unknown) =>
      call<Body>(world, world.root, method, path, body),
  };
  const { id, root } = await makeWorkspace(asRoot, `w${at}`);
  for (let file = 0; file < FILES; file += 1) {
    const code = plant(world, { workspaceIds: [id] });
    await writeFile(
      join(root, `ledger-${file}.md`),
      `# Ledger ${file}\n\nThe vault code of the ledger is ${code}.\n`,
    );
  }
  await syncWorkspace(asRoot, id);
  const note = {
    workspaceId: id,
    title: 'Codes',
    content: `The spare code is ${plant(world, { workspaceIds: [id] })}.`,
  };
  const made = await asRoot.call<{ id: string }>('POST', '/api/notes', note);
  world.noteIds.push(made.body.id);
  return { id, root, members: [] };
}

/** Gives a file another secret, which breaks the citations of the earlier one. */
export async function changeFile(world: World, random: Random): Promise<void> {
  const { id, root } = pick(world.places, random);
  const code = plant(world, { workspaceIds: [id] });
  await writeFile(join(root, 'ledger-0.md'), `# Ledger 0\n\nThe vault code of the ledger is ${code}.\n`);
  await call(world, world.root, 'POST', `/api/workspaces/${id}/sync`);
}

/** Returns a new secret. */
export function plant({ secrets }: Pick<World, 'secrets'>, secret: Secret): string {
  const text = `zq${randomBytes(5).toString('hex')}`;
  secrets.set(text, secret);
  return text;
}

export function secretsIn(text: string): string[] {
  return [...new Set(text.match(SECRET))];
}

/** Replaces the list of a workspace, also by none. The service's administrator may enter every workspace. */
export async function changeMembers(world: World, random: Random): Promise<void> {
  const place = pick(world.places, random);
  const subjects = draw(world.people.slice(1), random, random(8)).map(
    ({ id: subject }): Member => ({ subject, role: pick(['viewer', 'member', 'admin'], random) }),
  );
  const groups = draw(GROUPS, random, random(2)).map(
    (group): Member => ({ group, role: pick(['viewer', 'member'], random) }),
  );
  const members = random(8) === 0 ? [] : [...subjects, ...groups];
  const { status, body } = await call(
    world,
    world.root,
    'PUT',
    `/api/workspaces/${place.id}/members`,
    members,
  );
  if (status !== 200) throw new Error(`members: ${status} ${JSON.stringify(body)}`);
  place.members = members;
}

/** Shares a conversation, or ends that, as its owner. */
export async function changeSharing(world: World, random: Random): Promise<void> {
  const chosen = world.conversations.length > 0 ? pick(world.conversations, random) : undefined;
  const owner = world.people.find(({ id }) => id === chosen?.ownerId);
  if (chosen === undefined || owner === undefined) return;
  const shared = random(2) === 0;
  const { status } = await call(world, owner, 'PUT', `/api/conversations/${chosen.id}`, { shared });
  if (status !== 200) return;
  if (shared) world.shared.add(chosen.id);
  else world.shared.delete(chosen.id);
}

export function maySee(world: World, person: Person, secret: Secret): boolean {
  const { workspaceIds, ownerId, conversationId, admins = false } = secret;
  const isAdmin = person.role === 'admin' && person.workspaceIds === null;
  const isOwn = ownerId === undefined || ownerId === person.id || (admins && isAdmin);
  const isShared = conversationId !== undefined && world.shared.has(conversationId);
  return (isOwn || isShared) && workspaceIds.every((id) => mayEnter(world, person, id));
}

export function mayEnter({ places }: World, person: Person, id: string): boolean {
  const { role, workspaceIds, groups } = person;
  if (workspaceIds !== null && !workspaceIds.includes(id)) return false;
  const members = places.find((place) => place.id === id)?.members ?? [];
  if (members.length === 0 || (role === 'admin' && workspaceIds === null)) return true;
  return members.some(({ subject, group }) => subject === person.id || groups.includes(group ?? '-'));
}

export function call<Body = unknown>(
  { service }: World,
  { headers }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  return service.call<Body>(method, path, body, headers);
}

export function pick<Item>(from: readonly Item[], random: Random): Item {
  return from[random(from.length)] as Item;
}

/** Returns different items in a random order. */
export function draw<Item>(from: readonly Item[], random: Random, count: number): Item[] {
  const left = [...from];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random(left.length), 1)[0] as Item,
  );
}
