import { ApiError, api, take } from '../api/client.ts';
import { followFrames, type WireFrame } from '../api/event-stream.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** The session of a tab, kept so that a reload continues it. */
const keptKey = (workspaceId: string) => `terminal-session:${workspaceId}`;
export const keptSession = (workspaceId: string) => sessionStorage.getItem(keptKey(workspaceId)) ?? undefined;
export const forgetSession = (workspaceId: string) => sessionStorage.removeItem(keptKey(workspaceId));

export async function openTabSession(workspaceId: string, size: Size): Promise<string> {
  const { id } = await take(api.POST('/api/terminal/sessions', { body: { workspaceId, ...size } }));
  sessionStorage.setItem(keptKey(workspaceId), id);
  return id;
}

/** Yields the output of a session from its kept beginning. */
export function sessionFrames(id: string, signal: AbortSignal): AsyncGenerator<WireFrame> {
  return followFrames((after) => `/api/terminal/sessions/${id}/stream?after=${after}`, 0, signal);
}

const named = (sessionId: string) => ({ params: { path: { sessionId } } });

export const sendInput = (id: string, text: string) =>
  api.POST('/api/terminal/sessions/{sessionId}/input', { ...named(id), body: { text } });

export const sendSize = (id: string, size: Size) =>
  api.POST('/api/terminal/sessions/{sessionId}/resize', { ...named(id), body: size });

/** Milliseconds for programs to end by themselves. */
const KILL_AFTER_MS = 400;

export const stopForeground = (id: string) =>
  api.POST('/api/terminal/sessions/{sessionId}/signal', {
    ...named(id),
    body: { signal: 'INT', killAfterMs: KILL_AFTER_MS },
  });

export const closeSession = (id: string) => api.DELETE('/api/terminal/sessions/{sessionId}', named(id));

/** Returns whether the service can't hold terminals at all, and only single commands are possible. */
export function isImpossible(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503;
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
