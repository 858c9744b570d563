import { randomUUID } from 'node:crypto';
import { call, draw, mayEnter, type Person, pick, plant, type Random, type World } from './world.ts';

/** A request of a person, and everything that the service sent back within its time. */
export interface Played {
  person: Person;
  kind: string;
  request: string;
  status: number;
  response: string;
}

type Sent = Omit<Played, 'person' | 'kind'>;
type Play = (world: World, person: Person, random: Random) => Promise<Sent>;

/** Milliseconds after which a stream that stays open is left. */
const STREAM_MS = 250;
const TOPIC = 'vault code of the ledger';

/** One kind of request is drawn as often as another, so a kind that matters more stands here more often. */
const PLAYS: Play[] = [
  searchOne,
  searchSeveral,
  searchSeveral,
  chat,
  chat,
  chatAbout,
  completion,
  completion,
  response,
  agent,
  callTool,
  callTool,
  read,
  read,
  read,
  readConversation,
  readConversation,
  readFile,
  writeNote,
  follow,
  generate,
  research,
  verify,
  readResult,
  readResult,
];

/** Plays one random request of a random person. The first person, the administrator, asks as often as others. */
export async function playOne(world: World, random: Random): Promise<Played> {
  const person = pick(world.people, random);
  const play = pick(PLAYS, random);
  return { person, kind: play.name, ...(await play(world, person, random)) };
}

async function ask(
  world: World,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Sent> {
  const { status, bytes, headers } = await call(world, person, method, path, body);
  const request = `${method} ${path} ${JSON.stringify(body) ?? ''}`;
  return { request, status, response: `${JSON.stringify(headers)}\n${bytes.toString()}` };
}

/** Two times in three, only workspaces that the person may enter. */
function placesFor(world: World, person: Person, random: Random, most: number): string[] {
  const own = world.places.filter(({ id }) => mayEnter(world, person, id));
  const from = random(3) === 0 || own.length === 0 ? world.places : own;
  return draw(from, random, 1 + random(most)).map(({ id }) => id);
}

/** One time in two, a conversation that the person began. */
function conversationFor({ conversations }: World, person: Person, random: Random): string {
  const own = conversations.filter(({ ownerId }) => ownerId === person.id);
  const from = random(2) === 0 ? conversations : own;
  return from.length === 0 ? randomUUID() : pick(from, random).id;
}

const onePlace = (world: World, person: Person, random: Random) =>
  placesFor(world, person, random, 1)[0] as string;

/** A query is the topic of all files, or a secret that somebody else may have told the person. */
function queryFrom({ secrets }: World, random: Random): string {
  return encodeURIComponent(random(4) === 0 ? pick([...secrets.keys()], random) : TOPIC);
}

function searchOne(world: World, person: Person, random: Random) {
  return ask(
    world,
    person,
    'GET',
    `/api/workspaces/${onePlace(world, person, random)}/search?q=${queryFrom(world, random)}`,
  );
}

function searchSeveral(world: World, person: Person, random: Random) {
  const ids = random(3) === 0 ? '' : `&workspaceIds=${placesFor(world, person, random, 4).join(',')}`;
  return ask(world, person, 'GET', `/api/search?q=${queryFrom(world, random)}${ids}`);
}

/** A question with a secret of its own, in a new conversation or in one of anybody. */
function newQuestion(world: World, person: Person, workspaceIds: string[], random: Random) {
  const id = random(2) === 0 ? randomUUID() : conversationFor(world, person, random);
  const isNew = world.conversations.every((known) => known.id !== id);
  const code = plant(world, { workspaceIds, ownerId: person.id, conversationId: id });
  if (isNew) world.conversations.push({ id, ownerId: person.id });
  return { id, messages: [{ role: 'user', content: `What is the ${TOPIC}? Mine is ${code}.` }] };
}

function chat(world: World, person: Person, random: Random) {
  const workspaceId = onePlace(world, person, random);
  return ask(world, person, 'POST', '/api/chat', {
    workspaceId,
    ...newQuestion(world, person, [workspaceId], random),
  });
}

function chatAbout(world: World, person: Person, random: Random) {
  const workspaceIds = placesFor(world, person, random, 3);
  return ask(world, person, 'POST', '/api/chat', {
    workspaceIds,
    ...newQuestion(world, person, workspaceIds, random),
  });
}

function modelOf(world: World, person: Person, random: Random) {
  return `workspace:${placesFor(world, person, random, 3).join(',')}`;
}

function completion(world: World, person: Person, random: Random) {
  const messages = [{ role: 'user', content: `What is the ${TOPIC}?` }];
  const body = { model: modelOf(world, person, random), messages, stream: random(2) === 0 };
  return ask(world, person, 'POST', '/api/openai/v1/chat/completions', body);
}

function response(world: World, person: Person, random: Random) {
  const body = {
    model: modelOf(world, person, random),
    input: `What is the ${TOPIC}?`,
    stream: random(2) === 0,
  };
  return ask(world, person, 'POST', '/api/openai/v1/responses', body);
}

/** A run belongs to its workspace, whose people may read it. It may continue a conversation of anybody. */
async function agent(world: World, person: Person, random: Random) {
  const workspaceId = onePlace(world, person, random);
  const code = plant(world, { workspaceIds: [workspaceId] });
  const id = random(2) === 0 ? conversationFor(world, person, random) : undefined;
  const messages = [{ role: 'user', content: `What is the ${TOPIC}? Mine is ${code}.` }];
  const played = await ask(world, person, 'POST', '/api/agent', {
    workspaceId,
    cwd: '',
    mode: 'ask',
    messages,
    ...(id && { id }),
  });
  const runId = /"x-run-id":"([^"]+)"/.exec(played.response)?.[1];
  if (runId !== undefined) world.runIds.push(runId);
  if (runId !== undefined && id !== undefined) openConversation(world, person, id);
  return played;
}

/** The answer of a run may repeat the conversation that its owner continues with it (known limitation). */
function openConversation({ secrets }: World, { id: ownerId }: Person, conversationId: string): void {
  for (const secret of secrets.values())
    if (secret.conversationId === conversationId && secret.ownerId === ownerId) delete secret.ownerId;
}

/** One time in three, a single workspace. */
function askedPlaces(world: World, person: Person, random: Random) {
  const workspaceIds = placesFor(world, person, random, 3);
  return random(3) === 0 ? { workspaceId: workspaceIds[0] } : { workspaceIds };
}

function idsOf({ workspaceId, workspaceIds }: ReturnType<typeof askedPlaces>): string[] {
  return workspaceIds ?? [workspaceId as string];
}

/** A report on a question with a secret of its own, which everyone who may read its workspaces may read. */
function research(world: World, person: Person, random: Random) {
  const asked = askedPlaces(world, person, random);
  const code = plant(world, { workspaceIds: idsOf(asked) });
  const question = `What is the ${TOPIC}? Mine is ${code}.`;
  return runToEnd(world, person, '/api/research', { ...asked, question, depth: 'quick' });
}

/** A check of a shared draft, or of one that only its starter and administrators may read. */
function verify(world: World, person: Person, random: Random) {
  const asked = askedPlaces(world, person, random);
  const shared = random(2) === 0;
  const owner = shared ? {} : { ownerId: person.id, admins: true };
  const code = plant(world, { workspaceIds: idsOf(asked), ...owner });
  const text = `The vault code of the ledger is ${code}.`;
  return runToEnd(world, person, '/api/verify', { ...asked, text, shared, judge: false });
}

/** Starts a run, follows it to its end, and reads its result. */
async function runToEnd(world: World, person: Person, path: string, body: object): Promise<Sent> {
  const started = await ask(world, person, 'POST', path, body);
  const runId = keepRun(world, started);
  if (runId === undefined) return started;
  const stream = await ask(world, person, 'GET', `/api/agent/runs/${runId}/stream`);
  const result = await ask(world, person, 'GET', `${path}/${runId}`);
  const response = [started, stream, result].map((each) => each.response).join('\n');
  return { ...result, request: started.request, response };
}

function keepRun(world: World, { response }: Sent): string | undefined {
  const runId = /runId\\*":\\*"([0-9a-f-]{36})/.exec(response)?.[1];
  if (runId !== undefined) world.runIds.push(runId);
  return runId;
}

/** Reads a report or a check of anybody, or continues it. */
async function readResult(world: World, person: Person, random: Random): Promise<Sent> {
  const id = pick([...world.runIds, randomUUID()], random);
  const end = pick(['', '/export?format=md', '/export?format=zip', '/export?format=json'], random);
  const next = pick(['continue', 'refresh'], random);
  if (random(8) > 0)
    return ask(world, person, 'GET', `/api/${pick(['research', 'verify'], random)}/${id}${end}`);
  const question = next === 'continue' ? { question: `What is the ${TOPIC} now?` } : {};
  const started = await ask(world, person, 'POST', `/api/research/${id}/${next}`, question);
  keepRun(world, started);
  return started;
}

const TOOLS = [
  'start_research',
  'get_report',
  'verify',
  'get_verification',
  'search',
  'list_files',
  'read_file',
  'find_text',
  'ask',
  'list_notes',
  'read_note',
  'list_workspaces',
];

async function callTool(world: World, person: Person, random: Random) {
  const workspaceId = onePlace(world, person, random);
  const id = pick([...world.noteIds, randomUUID()], random);
  const input = {
    workspaceId,
    path: 'ledger-1.md',
    query: TOPIC,
    pattern: 'zq',
    question: TOPIC,
    noteId: id,
    id,
    text: `The ${TOPIC} is unknown.`,
    runId: pick([...world.runIds, randomUUID()], random),
  };
  const name = pick(TOOLS, random);
  const listed = await toolFields(world, name);
  const isOfSeveral = listed.includes('workspaceIds') && random(2) === 0;
  const left = [isOfSeveral ? 'workspaceId' : '', name === 'verify' ? 'path' : ''];
  const given = Object.fromEntries(
    Object.entries(input).filter(([field]) => listed.includes(field) && !left.includes(field)),
  );
  const several = isOfSeveral && { workspaceIds: placesFor(world, person, random, 3) };
  const played = await rpc(world, person, 'tools/call', { name, arguments: { ...given, ...several } });
  if (name === 'start_research' || name === 'verify') keepRun(world, played);
  return played;
}

const fieldsOf = new Map<string, string[]>();

async function toolFields(world: World, name: string): Promise<string[]> {
  if (fieldsOf.size === 0) {
    const { response } = await rpc(world, world.root, 'tools/list', {});
    const json = JSON.parse(response.slice(response.indexOf('{"', response.indexOf('\n'))).trim());
    for (const tool of json.result.tools)
      fieldsOf.set(tool.name, Object.keys(tool.inputSchema.properties ?? {}));
  }
  return fieldsOf.get(name) ?? [];
}

async function rpc(world: World, person: Person, method: string, params: unknown): Promise<Sent> {
  const headers = {
    ...person.headers,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const { status, bytes } = await world.service.call('POST', '/api/mcp', body, headers);
  return { request: `${method} ${JSON.stringify(params)}`, status, response: `\n${bytes.toString()}` };
}

/** Reads what belongs to a workspace, or to all, by each route that only needs IDs. */
function read(world: World, person: Person, random: Random) {
  const id = onePlace(world, person, random);
  const ofRun = `/api/agent/runs/${pick([...world.runIds, randomUUID()], random)}`;
  const note = pick([...world.noteIds, randomUUID()], random);
  const paths = [
    ...['', '/members', '/sync', '/files', '/activity', '/papers', '/broken-citations', '/settings'].map(
      (end) => `/api/workspaces/${id}${end}`,
    ),
    `/api/workspaces/${id}/citations?path=ledger-1.md`,
    `/api/workspaces/${id}/documents/ledger-1.md`,
    ...['notes', 'conversations', 'agent/runs', 'research', 'skills', 'scheduled-tasks', 'git/status'].map(
      (list) => `/api/${list}?workspaceId=${id}`,
    ),
    ...['', '/changes', '/messages'].map((end) => `${ofRun}${end}`),
    ...[
      'workspaces',
      'scheduled-tasks',
      'skills',
      'usage',
      'people',
      'audit',
      'me',
      'system/storage',
      'datasets',
    ].map((list) => `/api/${list}`),
    `/api/notes/${note}`,
    `/api/usage?workspaceId=${id}`,
  ];
  return ask(world, person, 'GET', pick(paths, random));
}

function readConversation(world: World, person: Person, random: Random) {
  const id = conversationFor(world, person, random);
  const end = pick(['', '?branches=all', '/export?format=md', '/export?format=json'], random);
  return ask(world, person, 'GET', `/api/conversations/${id}${end}`);
}

function readFile(world: World, person: Person, random: Random) {
  const other = random(world.places.length);
  const path = pick(
    ['ledger-0.md', 'ledger-2.md', `../w${other}/ledger-1.md`, '', '..', `../w${other}`],
    random,
  );
  const route = pick(['read', 'raw', 'browse'], random);
  const query = new URLSearchParams({ workspaceId: onePlace(world, person, random), path });
  return ask(world, person, 'GET', `/api/files/${route}?${query}`);
}

async function writeNote(world: World, person: Person, random: Random) {
  const workspaceId = onePlace(world, person, random);
  const content = `The code is ${plant(world, { workspaceIds: [workspaceId] })}.`;
  const played = await ask(world, person, 'POST', '/api/notes', { workspaceId, title: 'A code', content });
  const id = /"id":"([^"]+)"/.exec(played.response)?.[1];
  if (played.status === 201 && id !== undefined) world.noteIds.push(id);
  return played;
}

function generate(world: World, person: Person, random: Random) {
  const body = {
    workspaceId: onePlace(world, person, random),
    type: pick(['summary', 'brief', 'faq', 'timeline'], random),
  };
  return ask(world, person, 'POST', pick(['/api/generate', '/api/daily-report'], random), body);
}

/** Follows a conversation or a run for a moment. Such a stream has no end. */
async function follow(world: World, person: Person, random: Random): Promise<Sent> {
  const conversation = `/api/conversations/${conversationFor(world, person, random)}/stream`;
  const run = `/api/agent/runs/${pick([...world.runIds, randomUUID()], random)}/stream`;
  const path = random(2) === 0 ? conversation : run;
  const request = `GET ${path}`;
  const signal = AbortSignal.timeout(STREAM_MS);
  const answer = await fetch(`${world.service.url}${path}`, { headers: person.headers, signal }).catch(
    () => undefined,
  );
  if (answer?.body == null) return { request, status: answer?.status ?? 0, response: '' };
  const parts: string[] = [];
  const decoder = new TextDecoder();
  try {
    for await (const bytes of answer.body) parts.push(decoder.decode(bytes, { stream: true }));
  } catch {
    // The time is up.
  }
  return { request, status: answer.status, response: parts.join('') };
}
