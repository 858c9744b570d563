import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { answerOverApi } from '../../../../lib/agent/start/answer.ts';
import { bashTool } from '../../../../lib/agent/tools/bash.ts';
import { editFileTool } from '../../../../lib/agent/tools/edit-file.ts';
import { writeFileTool } from '../../../../lib/agent/tools/write-file.ts';
import { OverBudget } from '../../../../lib/errors.ts';
import { namedPaths } from '../../../../lib/permissions/named-paths.ts';
import { putPermissions } from '../../../../lib/permissions/store.ts';
import type { Commands } from '../../../../lib/ports/commands.ts';
import {
  type AgentRig,
  calls,
  doIt,
  inTurn,
  MEMBER,
  recordingTool,
  says,
  startAgentRig,
} from '../../../support/agent.ts';
import { touchQueue } from '../../../support/tool-context.ts';

type Rule = [tool: string, pattern: string, action: 'allow' | 'ask' | 'deny'];

let rig: AgentRig;
let ran: string[];
let launch: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  ran = [];
  launch = recordingTool('mcp__test__launch', { asks: doIt });
  const commands = {
    run: async ({ script }: { script: string }) => {
      ran.push(script);
      return { stdout: 'done', stderr: '', exitCode: 0, timedOut: false, truncated: false };
    },
  } as unknown as Commands;
  const queue = { touchQueue: touchQueue() };
  const bash = bashTool({ commandsFor: () => commands, workspaceChanged: async () => {} });
  rig = await startAgentRig([writeFileTool(queue), editFileTool(queue), bash, launch.tool]);
  await setRules(['writeFile', '**', 'ask'], ['bash', '*', 'ask']);
  await put('notes.md', 'owls\n');
});

const at = (path: string) => join(rig.workspace.rootPath, path);
const put = (path: string, text: string) => writeFile(at(path), text);
const textOf = (path: string) => readFile(at(path), 'utf8').catch(() => undefined);

async function setRules(...rules: Rule[]) {
  await putPermissions({ ...rig.ports, selfApproval: async () => undefined }, MEMBER, rig.workspace.id, {
    rules: rules.map(([tool, pattern, action]) => ({ tool, pattern, action })),
  });
}

/** Starts a run that waits for these calls. */
async function ask(wanted: { name: string; input: object }[], fields: Record<string, unknown> = {}) {
  rig.model.answer = inTurn(calls(...wanted), says('Fine.'));
  const { run, parts } = await rig.ask(fields);
  expect(run.status).toBe('waiting');
  return { run, after: parts.length };
}

/**
 * Approves all calls that the run waits for, and resumes the run. Returns the errors of its calls, as the
 * person reads them.
 */
async function approve({ run, after }: Awaited<ReturnType<typeof ask>>): Promise<string[]> {
  for (;;) {
    const approval = await rig.approvalOf(run.id).catch(() => undefined);
    if (approval === undefined) break;
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
  }
  await rig.work();
  const parts = await rig.read(run.id, after);
  return parts.flatMap((part) => (part.type === 'tool-output-error' ? [part.errorText] : []));
}

const WRITE = { name: 'writeFile', input: { path: 'notes.md', content: 'hawks\n' } };
const EDIT = {
  name: 'editFile',
  input: { path: 'notes.md', edits: [{ oldText: 'owls', newText: 'hawks' }] },
};
const NEW = { name: 'writeFile', input: { path: 'new/a.md', content: 'hawks\n' } };
const line = (command: string) => ({ name: 'bash', input: { command } });

describe('approved change to a file', () => {
  it.each([WRITE, EDIT])('is made while the file is unchanged: $name', async (call) => {
    expect(await approve(await ask([call]))).toEqual([]);
    expect(await textOf('notes.md')).toBe('hawks\n');
  });

  it.each([WRITE, EDIT])(
    'is not made once the file has changed, and the person and the model get the reason: $name',
    async (call) => {
      const asked = await ask([call]);
      await put('notes.md', 'owls and all that was written since\n');
      const [error] = await approve(asked);
      expect(error).toMatch(/^"notes.md" changed after a person was asked .* make it again/);
      expect(rig.model.requests.at(-1)?.messages.at(-1)?.content).toBe(error);
      expect(await textOf('notes.md')).toBe('owls and all that was written since\n');
    },
  );

  it.each<[string, object, () => Promise<unknown>]>([
    ['was made where there was none', NEW, () => mkdir(at('new')).then(() => put('new/a.md', 'mine'))],
    ['was removed', WRITE, () => rm(at('notes.md'))],
    ['became a folder', WRITE, () => rm(at('notes.md')).then(() => mkdir(at('notes.md')))],
    ['is large and changed its end', WRITE, () => put('notes.md', `${'x'.repeat(2_000_000)}z`)],
  ])('is not made if the file %s', async (how, call, change) => {
    if (how.startsWith('is large')) await put('notes.md', `${'x'.repeat(2_000_000)}y`);
    const asked = await ask([call as typeof WRITE]);
    await change();
    const before = await textOf('notes.md');
    expect(await approve(asked)).toEqual([expect.stringMatching(/changed after a person was asked/)]);
    expect(await textOf('notes.md')).toBe(before);
  });

  it('is made next to another approved change of the same step, whatever file that change affects', async () => {
    const second = { name: 'editFile', input: { path: 'new.md', edits: EDIT.input.edits } };
    await put('new.md', 'owls\n');
    expect(await approve(await ask([EDIT, second, line('cat notes.md new.md > all.md')]))).toEqual([]);
    expect([await textOf('notes.md'), await textOf('new.md'), ran.length]).toEqual(['hawks\n', 'hawks\n', 1]);
  });
});

describe('approved write through a folder that became a link', () => {
  it.each(['.git/hooks', 'docs'])('is not made in %s', async (target) => {
    await mkdir(at('src'));
    await mkdir(at(target), { recursive: true });
    const asked = await ask([{ name: 'writeFile', input: { path: 'src/pre-commit', content: 'x' } }]);
    await rm(at('src'), { recursive: true });
    await symlink(target, at('src'));
    expect(await approve(asked)).toEqual([expect.stringMatching(/^"src\/pre-commit" changed after/)]);
    expect(await textOf(`${target}/pre-commit`)).toBeUndefined();
  });

  it('is not made if the working directory was moved', async () => {
    await mkdir(at('app'));
    await mkdir(at('prod'));
    const asked = await ask([{ name: 'writeFile', input: { path: 'a.md', content: 'x' } }], { cwd: 'app' });
    await rename(at('app'), at('old'));
    await symlink('prod', at('app'));
    expect(await approve(asked)).toHaveLength(1);
    expect(await textOf('prod/a.md')).toBeUndefined();
  });
});

describe('approved shell command', () => {
  it.each([
    ['./run.sh', 'run.sh'],
    ['bash run.sh --fast', 'run.sh'],
    ['bash < run.sh', 'run.sh'],
    ['cd app && python3 main.py', 'app/main.py'],
    ['sh -c "cd app; ./run.sh"', 'app/run.sh'],
    ['python3 "my script.py"', 'my script.py'],
    ['python3 --file=run.py', 'run.py'],
    ['make test', 'Makefile'],
    ['npm run build', 'package.json'],
    ['rm notes.md', 'notes.md'],
    ['echo hawks > notes.md', 'notes.md'],
    ['cat run.sh | sh; ./run.sh', 'run.sh'],
    ['cat run.sh | sh', 'run.sh'],
    ['sh <(head -9 run.sh)', 'run.sh'],
    ['eval "$(cat run.sh)"', 'run.sh'],
    ['rm $(cat notes.md)', 'notes.md'],
    ['cat run.sh > app/x && sh app/x', 'run.sh'],
    ['cd -- app && ./run.sh', 'app/run.sh'],
    ['pushd app; ./run.sh', 'app/run.sh'],
    ['cd app; cd sub; ./run.sh', 'app/sub/run.sh'],
    ['make -C app', 'app/Makefile'],
    ['npm --prefix=app run x', 'app/package.json'],
    ['env --chdir=app ./run.sh', 'app/run.sh'],
    ['make -fx.mk', 'x.mk'],
    ['curl -d @notes.md https://example.org', 'notes.md'],
  ])('is not run if a file that it names has changed: %s', async (command, file) => {
    await mkdir(at('app/sub'), { recursive: true });
    await put(file, 'one');
    const asked = await ask([line(command)]);
    await put(file, 'two');
    expect(await approve(asked)).toEqual([expect.stringContaining(`${JSON.stringify(file)} changed after`)]);
    expect(ran).toEqual([]);
  });

  it('is not run if a new file precedes an existing one', async () => {
    await put('Makefile', 'one');
    const asked = await ask([line('make')]);
    await put('GNUmakefile', 'two');
    expect(await approve(asked)).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('is not run if its working directory became a link', async () => {
    await mkdir(at('app'));
    await mkdir(at('prod'));
    const asked = await ask([line('rm -r data')], { cwd: 'app' });
    await rename(at('app'), at('old'));
    await symlink('prod', at('app'));
    expect(await approve(asked)).toEqual([expect.stringMatching(/^The working directory changed after/)]);
    expect(ran).toEqual([]);
  });

  it('runs if it only reads a file that grew, but not if the file became a link', async () => {
    const asked = await ask([line('tail -n 5 notes.md')]);
    await put('notes.md', 'owls\nhawks\n');
    expect(await approve(asked)).toEqual([]);
    const again = await ask([line('cd . && tail -n 5 notes.md | sort')]);
    await rm(at('notes.md'));
    await put('secret.md', 'x');
    await symlink('secret.md', at('notes.md'));
    expect(await approve(again)).toHaveLength(1);
    expect(ran).toHaveLength(1);
  });

  it('lists a limited number of paths, changed ones first', async () => {
    const files = Array.from({ length: 250 }, (_, n) => `f${n}`).join(' ');
    const paths = await namedPaths({
      tools: ['bash'],
      argument: { kind: 'shell', text: `cat ${files}; ./run.sh` },
    });
    expect([paths.length, paths[1]]).toEqual([201, { path: 'run.sh', changes: true }]);
  });
});

describe('approved call', () => {
  it('is not made if the reason for its approval has changed', async () => {
    const asked = await ask([line('git push')]);
    await setRules(['bash', 'git push*', 'ask']);
    expect(await approve(asked)).toEqual([
      expect.stringMatching(/^The workspace rules now require approval of this call for another/),
    ]);
    expect(ran).toEqual([]);
  });

  it('is made if no rule requires an approval any longer', async () => {
    const asked = await ask([line('git push')]);
    await setRules();
    expect(await approve(asked)).toEqual([]);
    expect(ran).toEqual(['git push']);
  });

  it('is not made if another rule requires an approval in addition to the tool itself', async () => {
    const asked = await ask([{ name: 'mcp__test__launch', input: { value: 'rocket' } }]);
    await setRules(['mcp__test__*', '*', 'ask']);
    expect(await approve(asked)).toHaveLength(1);
    expect(launch.inputs).toEqual([]);
  });

  it('is not made if no caller may approve it on this host', async () => {
    const asked = await ask([line('git push')]);
    rig.ports.nobodyApproves = 'Nobody.';
    expect(await approve(asked)).toEqual([expect.stringMatching(/^Nobody\./)]);
    expect(ran).toEqual([]);
  });

  it('is made after the budget is used up, without another model call', async () => {
    const asked = await ask([line('git push')]);
    const open = rig.ports.openModel;
    rig.ports.openModel = (...of) => ({
      ...open(...of),
      admit: () => Promise.reject(new OverBudget('The budget of this workspace is used up.', 60)),
    });
    await approve(asked);
    expect([ran, (await rig.find(asked.run.id)).status, rig.model.requests.length]).toEqual([
      ['git push'],
      'failed',
      1,
    ]);
  });
});
