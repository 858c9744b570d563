import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from '@lydell/node-pty';
import { ASKING_RULES, bash, editTo, runTest, writeFailingTest } from '../support/failing-test.ts';
import { type FakeAnswer, type FakeOpenai, inTurn, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../support/wrs.ts';

const PROGRAM = resolve(import.meta.dirname, '../../cli/wrs.mjs');
const NEXT = 'Follow up, or press Enter to end: ';
const ASKS = 'Type "yes" to approve';

let provider: FakeOpenai;
let service: Service;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url });
  env = { ...(await personEnvironment()), WRS_URL: service.url, TERM: 'xterm' };
  await writeFailingTest(join(await realpath(service.root), 'sums'));
});

/** Starts `wrs` in its own terminal, with a person in front of it. */
function inTerminal(...args: string[]) {
  const terminal = spawn(process.execPath, [PROGRAM, ...args], { env, cwd: service.root, cols: 200 });
  let shown = '';
  let seen = 0;
  terminal.onData((text) => {
    shown += stripVTControlCharacters(text);
  });
  const ended = new Promise<number>((done) => terminal.onExit(({ exitCode }) => done(exitCode)));
  whenDone(async () => terminal.kill('SIGKILL'));
  return {
    ended,
    shown: () => shown,
    type: (text: string) => terminal.write(text),
    /** Waits until the text is shown, after the last text that was waited for. */
    async until(text: string) {
      const at = () => shown.indexOf(text, seen);
      await eventually(
        async () => at(),
        (found) => found >= 0,
      );
      seen = at() + text.length;
    },
    async answer(question: string, text: string) {
      await this.until(question);
      terminal.write(`${text}\r`);
    },
  };
}

function script(...answers: FakeAnswer[]): void {
  provider.answer = inTurn(...answers);
}

function asked(): string {
  return JSON.stringify(provider.lastChat?.messages);
}

async function statusOfRuns(workspaceId: string): Promise<string[]> {
  const path = `/api/agent/runs?workspaceId=${workspaceId}`;
  const { body } = await service.call<{ status: string }[]>('GET', path);
  return body.map(({ status }) => status);
}

describe('goes from a plan to a failing test, corrections, a stop, and the next conversation', () => {
  it('goes from a plan over a failing test, corrections, and a stop to the next conversation', async () => {
    const options = { env, cwd: service.root };
    script('1. Add instead of subtracting.');
    const planned = await runWrs(['agent', 'sums', 'Make the test pass.', '--mode', 'plan'], options);
    expect(planned).toMatchObject({ code: 0, stdout: '1. Add instead of subtracting.\n' });
    const [{ id } = { id: '' }] = (await service.call<{ id: string }[]>('GET', '/api/workspaces')).body;
    await service.call('PUT', `/api/workspaces/${id}/permissions`, { rules: ASKING_RULES });

    script(runTest, 'The test still fails.');
    const day = inTerminal('agent', 'sums', 'Carry out this plan.', '-c', '-i');
    await day.until('exit code 1');
    await day.until('2 + 3 gave -1');
    await day.until('The test still fails.');
    await day.until('1 call failed.');
    expect(asked()).toContain('1. Add instead');

    script(editTo('*'), editTo('+'), runTest, 'The test passes.');
    await day.answer(NEXT, 'Correct the sign.');
    await day.answer(ASKS, 'Use a plus sign.');
    await day.answer(ASKS, 'yes');
    await day.until('The test passes.');
    expect(asked()).toContain('Use a plus sign.');

    script(bash('echo begun; sleep 3'), 'I wrote no comment.');
    await day.answer(NEXT, 'Add a comment.');
    await day.answer('→ bash', 'Leave comments out.');
    await day.until('queued: Leave comments out.');
    await day.until('→ you: Leave comments out.');
    await day.until('I wrote no comment.');
    expect(asked()).toContain('Leave comments out.');

    script(bash('sleep 600 & sleep 600'));
    await day.answer(NEXT, 'Wait for it.');
    await day.until('→ bash');
    day.type('\x03');
    expect(await day.ended).toBe(130);
    await eventually(
      () => statusOfRuns(id),
      (statuses) => statuses[0] === 'stopped',
    );

    script(runTest, 'It still passes.');
    const next = await runWrs(['agent', 'sums', 'Test again.', '-c', '--json'], options);
    expect(JSON.parse(next.stdout)).toMatchObject({
      status: 'done',
      failedCalls: 0,
      text: 'It still passes.',
    });
    for (const earlier of ['Make the test pass.', 'Use a plus sign.', 'Leave comments out.', 'Wait for it.'])
      expect(asked()).toContain(earlier);
  });
});
