import { createInterface } from 'node:readline';
import { type Keyboard, PERSON } from './approvals.ts';
import type { Client } from './client.ts';
import { Failure } from './failure.ts';
import { dim, printLine, red, shortLine, tellLine } from './terminal.ts';

/** Sends the lines that a person types while a run works to the run. */
export interface Steering {
  /** Reads lines until the work has ended. Nothing else may read the terminal meanwhile. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Withdraws the messages that the run ended before. Returns them as the next request; '' if there are none. */
  leftovers(): Promise<string>;
}

const SHOWN = 160;

/** Returns the steering of a run. */
export function steerByTyping(client: Client, runId: string, keyboard: Keyboard = PERSON): Steering {
  const params = { path: { runId } };
  const late: string[] = [];
  let sending: Promise<void> = Promise.resolve();
  const send = async (text: string) => {
    try {
      await client.call((api) => api.POST('/api/agent/runs/{runId}/messages', { params, body: { text } }));
      printLine(dim(`queued: ${shortLine(text, SHOWN)}`));
    } catch (error) {
      if (error instanceof Failure && error.code === 'run_over') late.push(text);
      else tellLine(red(`not sent: ${shortLine(text, SHOWN)}: `), shortLine((error as Error).message, SHOWN));
    }
  };
  return {
    async during(work) {
      const lines = createInterface({ input: keyboard.input, terminal: false });
      lines.on('line', (line) => {
        const text = line.trim();
        if (text !== '') sending = sending.then(() => send(text));
      });
      try {
        return await work();
      } finally {
        lines.close();
        await sending;
      }
    },
    async leftovers() {
      const queued = await withdrawQueued(client, runId);
      return [...queued, ...late].join('\n\n');
    },
  };
}

async function withdrawQueued(client: Client, runId: string): Promise<string[]> {
  const messages = await client.call((api) =>
    api.GET('/api/agent/runs/{runId}/messages', { params: { path: { runId } } }),
  );
  const withdrawn: string[] = [];
  for (const { id: messageId, text } of messages.filter(({ state }) => state === 'queued'))
    try {
      const path = { runId, messageId };
      await client.call((api) =>
        api.DELETE('/api/agent/runs/{runId}/messages/{messageId}', { params: { path } }),
      );
      withdrawn.push(text);
    } catch (error) {
      // A console sends it.
      if (!(error instanceof Failure && error.code === 'run_message_not_found')) throw error;
    }
  return withdrawn;
}

/** Steering for runs without a person who types. */
export const NO_STEERING: Steering = { during: (work) => work(), leftovers: async () => '' };
