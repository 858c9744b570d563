import * as z from 'zod';
import { commandMounts } from '../../datasets/links/mounts.ts';
import { confine } from '../../paths/confine.ts';
import { commandHosts } from '../../permissions/store.ts';
import type { Commands } from '../../ports/commands.ts';
import { cutMiddle } from '../../text/cut-text.ts';
import type { Use } from '../../usage/schema.ts';
import { defineTool } from './tool.ts';

const MAX_SECONDS = 300;
/**
 * Milliseconds for three things besides the command: the transfer of the workspace, the wait for a slot, and
 * the transfer back.
 */
const MARGIN_MS = 95_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_STDOUT = 16_000;
const MAX_STDERR = 6_000;
const HINT = '. Write the output to a file and read that in parts.';

const input = z.strictObject({
  command: z.string().min(1).max(50_000).describe('Shell script to run.'),
  timeout: z.int().min(1).max(MAX_SECONDS).default(30).describe('Time limit, in seconds.'),
});

export interface BashPorts {
  commandsFor(use: Use): Commands;
  /**
   * Notifies the index of the paths that a command changed; undefined if it may have changed any file of the workspace.
   */
  workspaceChanged(workspaceId: string, changed: string[] | undefined): Promise<void>;
}

export function bashTool({ commandsFor, workspaceChanged }: BashPorts) {
  return defineTool({
    name: 'bash',
    description:
      'Runs a shell command in the working directory, without a terminal or input. The command can access the workspace (linked datasets are in datasets/, read-only), system programs, and an empty temporary folder. Each call starts a new shell: `cd`, variables, and background processes do not persist. Returns stdout, stderr, and the exit code.',
    input,
    inEveryMode: false,
    ruled: { kind: 'shell', argument: ({ command }) => command },
    timeoutMs: MAX_SECONDS * 1000 + MARGIN_MS,
    async run({ command, timeout }, { workspace, cwd, signal, records, use, keeper, showOutput }) {
      let known: string[] | undefined;
      const { stdout, stderr, exitCode, timedOut, truncated } = await commandsFor(use)
        .run({
          script: command,
          workspaceId: workspace.id,
          cwd: await confine(workspace.rootPath, cwd),
          writable: [workspace.rootPath],
          mounts: await commandMounts(records, workspace),
          hosts: await commandHosts(records, workspace.id),
          timeoutMs: timeout * 1000,
          maxOutputBytes: MAX_OUTPUT_BYTES,
          signal,
          onText: showOutput,
          keeper,
        })
        .then((result) => {
          known = result.changed;
          return result;
        })
        .finally(() => workspaceChanged(workspace.id, known));
      return {
        stdout: cutMiddle(stdout, MAX_STDOUT, HINT),
        stderr: cutMiddle(stderr, MAX_STDERR, HINT),
        exitCode,
        state: exitCode === 0 ? 'done' : 'failed',
        note: describeEnd(timedOut ? timeout : undefined, truncated),
      };
    },
  });
}

function describeEnd(seconds: number | undefined, truncated: boolean): string | undefined {
  const notes = [
    ...(seconds === undefined ? [] : [`Stopped after ${seconds} s. timeout can be at most ${MAX_SECONDS}.`]),
    ...(truncated ? [`The output was over ${MAX_OUTPUT_BYTES / 1024} KB. Only its beginning was kept.`] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}
