import { createHash, randomUUID } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import * as z from 'zod';
import { callerIn } from '../access/members.ts';
import { Conflict, InvalidInput, ServiceError } from '../errors.ts';
import { log } from '../log.ts';
import { ExpectationFailed } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { findWorkspaces, guardedPlaceOf } from '../workspaces/access.ts';
import {
  type HttpPorts,
  type Reply,
  type Route,
  type RouteInput,
  takesKey,
  type UploadedFile,
} from './route.ts';

const TTL_SECONDS = 24 * 60 * 60;
/** Milliseconds that a function lives at most. A process that holds a claim for longer was killed. */
const LEASE_MS = 15 * 60 * 1000;
/** Maximum bytes of a stored response. As Base64, it leaves space for the headers in a record of 400 KB. */
const MAX_STORED_BYTES = 300_000;
const RUN_HEADER = 'x-run-id';
const PRINTABLE = /^[\x20-\x7e]{1,200}$/;

const storedAnswerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  form: z.enum(['json', 'text', 'stream']),
  /** The body in Base64. */
  body: z.string(),
});
type StoredAnswer = z.infer<typeof storedAnswerSchema>;

const attemptSchema = z.object({
  callerId: z.string(),
  route: z.string(),
  key: z.string(),
  /** SHA-256 of the request, because the request itself is never stored. */
  fingerprint: z.string(),
  /** The ID of the attempt that holds the claim. Only this attempt may end it. */
  claim: z.string(),
  /** `lost`: the request is done, but its response was interrupted, or was too large to store. */
  state: z.enum(['running', 'kept', 'lost']),
  leaseUntil: z.int(),
  expiresAt: z.int(),
  answer: storedAnswerSchema.optional(),
  /** The run that the request started. It continues even if the response is interrupted. */
  runId: z.string().optional(),
  /** The workspaces of the request. A caller who repeats it must still have access to them. */
  workspaceIds: z.array(z.string()),
});
type Attempt = z.infer<typeof attemptSchema>;

const attempts = collection({
  kind: 'idempotent-request',
  schema: attemptSchema,
  key: (id: Pick<Attempt, 'callerId' | 'route' | 'key'>) => ({
    partition: `idempotency#${sha256(id.callerId)}`,
    sort: `${id.route}#${id.key}`,
  }),
  expiresAt: (attempt) => attempt.expiresAt,
});

/**
 * Implements Idempotency-Key on POST: for 24 hours, the same key, route, and caller get the first response
 * again. Throws Conflict for another request with the key, while the first one runs, and if its response
 * couldn't be stored. A thrown error isn't stored, so the next call tries again. A caller who lost access to
 * the workspace gets that error instead. Routes that accept no key (`takesKey`) ignore the header.
 */
export async function answerIdempotently<Ports extends HttpPorts>(
  ports: Ports,
  route: Route<Ports>,
  input: RouteInput,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const key = readKey(route, input);
  if (key === undefined) return answer();
  const mine = newAttempt(ports, route, input, key);
  const earlier = await claim(ports, mine);
  if (earlier !== undefined) {
    await requireStillIn(ports, route, input, earlier);
    return repeat(earlier);
  }
  try {
    const reply = await answer();
    return await store(ports, { ...mine, workspaceIds: [...(input.caller.visited ?? [])] }, reply);
  } catch (error) {
    await release(ports, mine);
    throw error;
  }
}

function readKey<Ports>(route: Route<Ports>, { headers }: RouteInput): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || !takesKey(route)) return undefined;
  if (!PRINTABLE.test(key))
    throw new InvalidInput('invalid_value', 'idempotency-key must be 1 to 200 printable ASCII characters.', {
      field: 'idempotency-key',
    });
  return key;
}

function newAttempt<Ports>(
  { clock }: HttpPorts,
  route: Route<Ports>,
  input: RouteInput,
  key: string,
): Attempt {
  const now = clock.now();
  return {
    callerId: input.caller.id,
    route: `${route.method} ${route.path}`,
    key,
    fingerprint: fingerprintOf(input),
    claim: randomUUID(),
    state: 'running',
    workspaceIds: [],
    leaseUntil: now + LEASE_MS,
    expiresAt: Math.floor(now / 1000) + TTL_SECONDS,
  };
}

/** Returns the hash of the parsed body, because a repeated multipart body has another boundary. */
function fingerprintOf({ params, query, body }: RouteInput): string {
  return sha256(JSON.stringify([params, query, body], hashContent));
}

function hashContent(_name: string, value: unknown): unknown {
  const { content } = (value ?? {}) as Partial<UploadedFile>;
  return content instanceof Uint8Array ? { ...(value as UploadedFile), content: sha256(content) } : value;
}

/**
 * Claims the key. Undefined if this call has the claim now; otherwise, returns the attempt with the response
 * to repeat. Throws Conflict.
 */
async function claim({ records, clock }: HttpPorts, mine: Attempt): Promise<Attempt | undefined> {
  if (await attempts.create(records, mine)) return undefined;
  const earlier = await attempts.get(records, mine);
  if (earlier === undefined) throw stillRunning();
  if (earlier.fingerprint !== mine.fingerprint)
    throw new Conflict(
      'idempotency_key_reused',
      'This idempotency-key was already used for a different request. Use a new key.',
      { field: 'idempotency-key' },
    );
  if (earlier.state !== 'running') return earlier;
  const abandoned = earlier.leaseUntil <= clock.now();
  if (abandoned && earlier.runId !== undefined) return earlier; // a second attempt would repeat all the work
  if (abandoned && (await attempts.put(records, mine, { claim: earlier.claim, state: 'running' })))
    return undefined;
  throw stillRunning(earlier);
}

function stillRunning(attempt?: Attempt): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'The first request with this idempotency-key is still running. Repeat it later to get its response.',
    {
      headers: { 'retry-after': '1', ...runHeader(attempt) },
    },
  );
}

/**
 * Throws Forbidden if the caller may no longer enter the workspaces of the stored response. Deleted workspaces don't
 * count.
 */
async function requireStillIn<Ports extends HttpPorts>(
  { records }: HttpPorts,
  route: Route<Ports>,
  input: RouteInput,
  { workspaceIds }: Attempt,
): Promise<void> {
  const named = route.workspace?.(input);
  if (Array.isArray(named)) await findWorkspaces(records, input.caller, named);
  const ids = new Set(typeof named === 'string' ? [named, ...workspaceIds] : workspaceIds);
  for (const id of ids) callerIn(input.caller, await guardedPlaceOf(records, id));
}

/** Returns the header that shows where to follow the run that the first request started. */
function runHeader({ runId }: Partial<Attempt> = {}): Record<string, string> {
  return runId === undefined ? {} : { [RUN_HEADER]: runId };
}

function repeat(attempt: Attempt): Reply {
  const { answer } = attempt;
  if (answer === undefined) {
    const text =
      "The request with this idempotency-key was completed, but its response can't be repeated. Check the result before you send it with a new key.";
    throw new ServiceError('idempotency_answer_lost', text, { headers: runHeader(attempt) });
  }
  const headers = { ...answer.headers, 'idempotency-replayed': 'true' };
  return { status: answer.status, headers, body: restoreBody(answer) };
}

function restoreBody({ form, body }: StoredAnswer): unknown {
  const bytes = Buffer.from(body, 'base64');
  if (form === 'stream') return Readable.from([bytes]);
  return form === 'json' ? JSON.parse(bytes.toString()) : bytes.toString();
}

/** Stores the response immediately or, for a stream, while it's sent. */
async function store(ports: HttpPorts, mine: Attempt, reply: Reply): Promise<Reply> {
  const { body, headers = {} } = reply;
  if (body instanceof Readable) {
    const noted = await noteRun(ports, mine, headers[RUN_HEADER]);
    return { ...reply, body: storeStream(ports, noted, reply, body) };
  }
  const form = headers['content-type'] === undefined ? 'json' : 'text';
  const text = form === 'json' ? JSON.stringify(body) : String(body);
  await settle(ports, mine, toStored(reply, form, Buffer.from(text)));
  return reply;
}

async function noteRun({ records }: HttpPorts, mine: Attempt, runId?: string): Promise<Attempt> {
  if (runId === undefined) return mine;
  const noted = { ...mine, runId };
  await attempts
    .put(records, noted, { claim: mine.claim, state: 'running' })
    .catch((error: unknown) => log.error('a run was not noted', { runId }, error));
  return noted;
}

/**
 * Passes on the same bytes, and stores a copy before they end. If either side breaks off, the response counts
 * as lost.
 */
function storeStream(ports: HttpPorts, mine: Attempt, reply: Reply, body: Readable): Readable {
  const copy = byteCopy();
  const tee = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      copy.add(chunk);
      done(null, chunk);
    },
    flush(done) {
      void settle(ports, mine, toStored(reply, 'stream', copy.bytes())).then(() => done());
    },
  });
  return pipeline(body, tee, (error) => {
    if (error) void settle(ports, mine, undefined);
  });
}

/** Collects chunks up to the storage limit; `bytes` returns undefined beyond it. */
function byteCopy() {
  let size = 0;
  let chunks: Buffer[] = [];
  return {
    add(chunk: Buffer) {
      size += chunk.length;
      if (size > MAX_STORED_BYTES) chunks = [];
      else chunks.push(chunk);
    },
    bytes: () => (size > MAX_STORED_BYTES ? undefined : Buffer.concat(chunks)),
  };
}

/** Returns a storable response; undefined if it's too large. */
function toStored(
  { status, headers = {} }: Reply,
  form: StoredAnswer['form'],
  bytes: Buffer | undefined,
): StoredAnswer | undefined {
  if (bytes === undefined || bytes.length > MAX_STORED_BYTES) return undefined;
  return { status, headers, form, body: bytes.toString('base64') };
}

/** Ends the attempt. The work is already done, so if recording it fails, the request must not fail. */
async function settle(
  { records }: HttpPorts,
  mine: Attempt,
  answer: StoredAnswer | undefined,
): Promise<void> {
  const end: Attempt = answer === undefined ? { ...mine, state: 'lost' } : { ...mine, state: 'kept', answer };
  try {
    await attempts.put(records, end, { claim: mine.claim, state: 'running' });
  } catch (error) {
    log.error('failed to store an answer', { route: mine.route }, error);
  }
}

/**
 * Releases the key, so that the next call may try again. Does nothing if another call has taken over the key.
 */
async function release({ records }: HttpPorts, mine: Attempt): Promise<void> {
  try {
    await attempts.delete(records, mine, { claim: mine.claim });
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) log.error('claim not freed', { route: mine.route }, error);
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
