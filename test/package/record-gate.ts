import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packagedFunctions, readTemplate } from '../lanes/packaged-service.ts';
import { arnOf, evaluate, resolvePolicy, type Statement } from '../support/iam-policy.ts';
import { whenDone } from '../support/temp-folder.ts';

/** DynamoDB behind the rights of roles, because the emulator allows everything to everyone. */
export interface RecordGate {
  /** The URL for one function. Its requests are judged by the role that the template gives it. */
  urlFor(functionName: string): string;
  /** The refused requests so far: `chat: dynamodb:GetItem TOKEN`. */
  refusals: string[];
}

const TABLE = arnOf('Table');
const REFUSAL = {
  __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException',
  message: 'not authorized by the role of the function',
};

interface Item {
  pk: { S: string };
}
interface Body {
  IndexName?: string;
  Key?: Item;
  Item?: Item;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, { S: string }>;
  RequestItems?: Record<
    string,
    { Keys: Item[] } | { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]
  >;
}

/** Starts a gate in front of the DynamoDB at this URL. It ends after the test file. */
export async function startRecordGate(target: string): Promise<RecordGate> {
  const refusals: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    const name = incoming.url?.split('/')[1] ?? '';
    const refusal = judge(name, String(incoming.headers['x-amz-target']), JSON.parse(body.toString()));
    if (refusal === undefined) return passOn(incoming, outgoing, { body, target, agent });
    refusals.push(refusal);
    outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(REFUSAL));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { urlFor: (name) => `http://127.0.0.1:${port}/${name}`, refusals };
}

/** Returns the refused action; undefined if the request is allowed. */
function judge(name: string, target: string, body: Body): string | undefined {
  const action = `dynamodb:${target.split('.')[1]}`;
  const keys = [...new Set(leadingKeys(body))];
  const resource = body.IndexName === undefined ? TABLE : `${TABLE}/index/${body.IndexName}`;
  const context = keys.length > 0 && { context: { 'dynamodb:LeadingKeys': keys } };
  if (evaluate(rightsOf(name), { action, resource, ...context }) === 'allowed') return undefined;
  return `${name}: ${action} ${keys.join(' ')}`;
}

/** Returns the partition keys that a request names, of the table or of the queried index. */
function leadingKeys(body: Body): string[] {
  const single = [body.Key, body.Item].flatMap((item) => item?.pk.S ?? []);
  const batched = Object.values(body.RequestItems ?? {}).flatMap((part) =>
    Array.isArray(part)
      ? part.flatMap(({ PutRequest, DeleteRequest }) => (PutRequest?.Item ?? DeleteRequest?.Key)?.pk.S ?? [])
      : part.Keys.map(({ pk }) => pk.S),
  );
  const [, value = ''] = /^\S+ = (:\w+)/.exec(body.KeyConditionExpression ?? '') ?? [];
  return [...single, ...batched, ...[body.ExpressionAttributeValues?.[value]?.S ?? []].flat()];
}

const rights = new Map<string, Statement[]>();

/** Returns the rights that the packaged template gives to the role of a function. */
export function rightsOf(name: string): Statement[] {
  const known = rights.get(name) ?? readRights(name);
  rights.set(name, known);
  return known;
}

function readRights(name: string): Statement[] {
  const own = packagedFunctions().find((candidate) => candidate.name === name);
  const { Role } = resource<{ Role: { 'Fn::GetAtt': [string, string] } }>(own?.logicalId ?? name);
  const { Policies } = resource<{ Policies: { PolicyDocument: { Statement: Statement[] } }[] }>(
    Role['Fn::GetAtt'][0],
  );
  return resolvePolicy(Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement));
}

function resource<Properties>(logicalId: string): Properties {
  const found = readTemplate()[logicalId];
  if (found === undefined) throw new Error(`the package has no ${logicalId}`);
  return found.Properties as Properties;
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function passOn(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  { body, target, agent }: { body: Buffer; target: string; agent: Agent },
): void {
  const forwarded = request(target, { method, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  forwarded.end(body);
}
