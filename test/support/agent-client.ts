import { type IncomingMessage, request } from 'node:http';
import type { Part } from './event-frames.ts';
import type { Service } from './service.ts';
import { eventually } from './sync.ts';

export interface Frame {
  id: number;
  part: Part;
}

export interface StreamRead {
  status: number;
  headers: Headers;
  /** The complete events. */
  frames: Frame[];
  /** True if `[DONE]` was received. */
  done: boolean;
  /** The text of a response that isn't a stream. */
  text: string;
}

export interface StreamRequest {
  body?: unknown;
  headers?: Record<string, string>;
  /** Disconnects as soon as this returns true. */
  leave?: (seen: { frames: Frame[]; bytes: number }) => boolean;
}

/** Reads a stream of the agent to its end, or until the client disconnects. */
export async function readStream(
  service: Service,
  path: string,
  options: StreamRequest = {},
): Promise<StreamRead> {
  const { body, headers, leave = () => false } = options;
  const response = await open(`${service.url}${path}`, body, headers);
  let bytes = 0;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (leave({ frames: parseFrames(text).frames, bytes })) break; // which closes the connection
  }
  const answered = new Headers(Object.entries(response.headers) as [string, string][]);
  return { status: response.statusCode ?? 0, headers: answered, text, ...parseFrames(text) };
}

/** Uses its own connection: fetch opens others in advance, for which the service would wait when it stops. */
function open(url: string, body: unknown, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    };
    const outgoing = request(url, options, resolve);
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Text after the last blank line is incomplete and dropped, as readers of server-sent events do. */
function parseFrames(text: string): { frames: Frame[]; done: boolean } {
  const blocks = text.split('\n\n').slice(0, -1);
  const frames = blocks.flatMap((block): Frame[] => {
    const match = /^id: (\d+)\ndata: (.+)$/.exec(block);
    return match === null ? [] : [{ id: Number(match[1]), part: JSON.parse(match[2] ?? '') as Part }];
  });
  return { frames, done: blocks.at(-1) === 'data: [DONE]' };
}

export interface AgentRun {
  id: string;
  workspaceId: string;
  mode: string;
  status: string;
  origin: string;
  steps: number;
  error: string | null;
  createdAt: string;
  finishedAt: string | null;
  approvals?: { id: string; toolName: string; input: unknown; summary: string; expiresAt: string }[];
}

export async function getRun(service: Pick<Service, 'call'>, runId: string): Promise<AgentRun> {
  const { status, body } = await service.call<AgentRun>('GET', `/api/agent/runs/${runId}`);
  if (status !== 200) throw new Error(`GET run answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export function waitForRun(
  service: Pick<Service, 'call'>,
  runId: string,
  ...statuses: string[]
): Promise<AgentRun> {
  return eventually(
    () => getRun(service, runId),
    ({ status }) => statuses.includes(status),
  );
}
