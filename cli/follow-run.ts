import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StreamPart } from '../lib/api-contract/stream-part.ts';
import type { Client } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { clearProgress, print, printJson, tellLine } from './terminal.ts';
import type { Context } from './workspace.ts';

/**
 * Number of resumed streams without events after which the run counts as broken. A stream that reached the server's
 * time limit is resumed.
 */
export const MAX_EMPTY = 120; // five hours, because a stream without events ends after 150 s on AWS

/**
 * Shows a run's events until the run ends. If the command ends earlier, it stops the run. `about` names the
 * run's page in the console.
 */
export async function followRun(
  client: Client,
  runId: string,
  context: Context,
  { showPart, about }: { showPart: (part: StreamPart) => void; about: string },
): Promise<void> {
  const params = { path: { runId } };
  try {
    await showAll(client, runId, { showPart: context.isJson ? () => {} : showPart, about });
  } catch (error) {
    if (context.signal.aborted)
      await client.lastCall((api) => api.POST('/api/agent/runs/{runId}/stop', { params }));
    throw error;
  } finally {
    clearProgress();
  }
}

/** Shows all events; resumes a stream that reached the server's time limit. */
async function showAll(
  client: Client,
  runId: string,
  { showPart, about }: { showPart: (part: StreamPart) => void; about: string },
): Promise<void> {
  let after = 0;
  for (let empty = 0; empty <= MAX_EMPTY; empty++) {
    const stream = await client.stream((api) =>
      api.GET('/api/agent/runs/{runId}/stream', { params: { path: { runId }, query: { after } } }),
    );
    for await (const { id, part } of stream.parts) {
      [after, empty] = [Math.max(after, id), 0];
      showPart(part);
    }
    if (stream.end.isDone) return;
  }
  throw new Failure(`The stream of run ${runId} sends no more events. Check the ${about} in the console.`);
}

/** Throws Failure unless a run is done. `extent` describes how far it got. */
export function requireDone<Found extends { status: string; error: string | null }>(
  found: Found,
  extent = '',
): Found {
  const { status, error } = found;
  const say = (text: string) => `${text} ${extent}`.trimEnd();
  if (status === 'stopped') throw new Failure(say('The run was stopped.'), { exit: EXIT.interrupted });
  if (status !== 'done') throw new Failure(say(error ?? `The run is ${status}.`));
  return found;
}

/**
 * Throws Failure if the folder for the output file is missing, before the run starts, because a run costs minutes and
 * money.
 */
export async function checkOutFolder(out: string): Promise<void> {
  const folder = dirname(out);
  await access(folder, constants.W_OK).catch(() => {
    throw new Failure(
      `--out ${out} can't be written: the folder ${folder} doesn't exist or isn't writable.`,
      { exit: EXIT.usage },
    );
  });
}

/** Writes the result of a run to the file of `--out`, or prints it. `whole` is what `--json` prints without a file. */
export async function handOut(
  { isJson }: Pick<Context, 'isJson'>,
  out: string | undefined,
  { file, done, whole = done }: { file: Buffer; done: object; whole?: object },
): Promise<void> {
  if (out !== undefined) await writeFile(out, file);
  if (isJson) printJson(out === undefined ? whole : { ...done, out });
  else if (out === undefined) print(file.toString());
  else tellLine(out);
}

/** Returns the format for the extension of `--out`. Throws Failure for an unsupported extension. */
export function outFormat<Format extends string>(
  out: string | undefined,
  formats: Record<string, Format>,
  usual: Format,
): Format {
  if (out === undefined) return usual;
  const format = formats[out.slice(out.lastIndexOf('.') + 1).toLowerCase()];
  if (format !== undefined) return format;
  throw new Failure(`--out ${out} must end in one of ${Object.keys(formats).join(', ')}.`, {
    exit: EXIT.usage,
  });
}
