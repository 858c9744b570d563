import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { runToEnd } from '../../../lib/agent/start/unattended-run.ts';
import { defineTool, type Tool } from '../../../lib/agent/tools/tool.ts';
import { AUDIT, auditEntries } from '../../../lib/audit/schema.ts';
import { putPermissions, readPermissions } from '../../../lib/permissions/store.ts';
import { openApprovals } from '../../../lib/runs/approvals.ts';
import type { AnswerBody } from '../../../lib/runs/schema.ts';
import {
  type AgentRig,
  calls,
  doIt,
  inTurn,
  MEMBER,
  recordingTool,
  says,
  startAgentRig,
} from '../../support/agent.ts';

type Action = 'allow' | 'ask' | 'deny';

let rig: AgentRig;
let done: string[];

/** Tools with the rules of the real ones, which only record their arguments. */
function fakeTool(name: string, kind: 'shell' | 'path', fields: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    description: name,
    input: z.strictObject({ value: z.string() }),
    inEveryMode: false,
    ruled: { kind, argument: ({ value }) => value },
    timeoutMs: 1000,
    async run({ value }) {
      done.push(value);
      return 'done';
    },
    ...(fields as object),
  });
}

const launch = recordingTool('mcp__test__launch', { asks: doIt });
const remote = recordingTool('mcp__files__read');

beforeEach(async () => {
  done = [];
  rig = await startAgentRig([
    fakeTool('bash', 'shell'),
    fakeTool('writeFile', 'path'),
    fakeTool('editFile', 'path', { ruledAs: 'writeFile' }),
    fakeTool('readFile', 'path', { inEveryMode: true }),
    launch.tool,
    remote.tool,
  ]);
});

async function setRules(...rules: [string, string, Action][]) {
  await putPermissions({ ...rig.ports, selfApproval: async () => undefined }, MEMBER, rig.workspace.id, {
    rules: rules.map(([tool, pattern, action]) => ({ tool, pattern, action })),
  });
}

/** Makes one model call, and returns its result. */
async function call(name: string, value: string, fields: Record<string, unknown> = {}, caller = MEMBER) {
  rig.model.answer = inTurn(calls({ name, input: { value } }), says('Fine.'));
  const { run, parts } = await rig.ask(fields, caller);
  const error = parts.find((part) => part.type === 'tool-output-error');
  return { run, parts, error: error && 'errorText' in error ? error.errorText : undefined };
}

describe('call that matches a rule', () => {
  it('is not made if the rule denies it, and the model gets the rule', async () => {
    await setRules(['bash', 'git push*', 'deny']);
    const { run, error } = await call('bash', 'ls; git push origin');
    expect(error).toMatch(/denied: the rule bash "git push\*" denies "git push origin"/);
    expect([done, run.status]).toEqual([[], 'done']);
  });

  it('waits for an approval if the rule asks, and is made with the exact arguments', async () => {
    await setRules(['bash', 'git push*', 'ask']);
    const { run, parts } = await call('bash', 'git push  origin');
    expect([run.status, parts.at(-2)?.type]).toEqual(['waiting', 'tool-approval-request']);
    const approval = await rig.approvalOf(run.id);
    expect(approval).toMatchObject({ input: { value: 'git push  origin' }, subjects: ['git push origin'] });
    await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true });
    await rig.work();
    expect(done).toEqual(['git push  origin']);
  });

  it('is made if a later rule allows it after a wider denial', async () => {
    await setRules(['bash', 'git *', 'deny'], ['bash', 'git status *', 'allow']);
    await call('bash', 'git status -s');
    expect(done).toEqual(['git status -s']);
  });

  it('is not made if the rule denies it after the person was asked', async () => {
    await setRules(['bash', 'git push*', 'ask']);
    const { run } = await call('bash', 'git push');
    await setRules(['bash', 'git push*', 'deny']);
    await answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, { approved: true });
    await rig.work();
    expect(done).toEqual([]);
  });
});

describe("command in a part of a line that isn't plain", () => {
  const hidden = [
    ...[
      'a=()`touch x`',
      'a=($(touch x))_',
      'a=(b)"$(touch x)"',
      'a=(x)`touch x` echo hi',
      'echo $(a=(x)`touch x`)',
    ],
    ...['export a=(x)`touch x`', 'readonly a=(x)"$(touch x)"', "bash -c 'a=()`touch x`'"],
    ...['if a=()`touch x`; then :; fi', 'echo hi; a=()`touch x`', 'unknown-program touch x'],
  ];

  it.each(hidden)('is denied by the rule for it: %s', async (line) => {
    await setRules(['bash', 'touch*', 'deny']);
    expect((await call('bash', line)).error).toMatch(/denied: the rule bash "touch\*" denies "touch x/);
    await setRules(['bash', '*', 'ask'], ['bash', 'echo *', 'allow'], ['bash', 'touch*', 'deny']);
    expect((await call('bash', line)).error).toMatch(/is denied/);
    expect(done).toEqual([]);
  });

  it.each(hidden)('waits for an approval that shows an unknown effect or the program: %s', async (line) => {
    await setRules(['bash', '*', 'ask'], ['bash', 'ls *', 'allow'], ['bash', 'echo *', 'allow']);
    const { run } = await call('bash', line);
    const { summary, effects, subjects } = await rig.approvalOf(run.id);
    expect([run.status, summary]).toEqual([
      'waiting',
      expect.stringMatching(/effects unknown|unknown-program/),
    ]);
    expect(effects).not.toEqual([]);
    expect(subjects).toEqual(line.startsWith('unknown') ? [line] : []);
    expect(done).toEqual([]);
  });

  it('waits although the rest of the line is always allowed', async () => {
    await setRules(['bash', '*', 'ask']);
    const { run } = await call('bash', 'ls -l');
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true, always: 'ls *' });
    await rig.work();
    expect((await call('bash', 'ls -l; a=($(touch x))_')).run.status).toBe('waiting');
    expect(done).toEqual(['ls -l']);
  });

  it.each([
    'a=()`printf x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`',
    'cd "$(git rev-parse --git-dir)" && echo x > hooks/pre-commit',
  ])('waits without a rule if it may change a Git folder: %s', async (line) => {
    expect((await call('bash', line)).run.status).toBe('waiting');
    expect(done).toEqual([]);
  });
});

describe('call without rules', () => {
  it.each([
    ['bash', 'anything $(at all) "'],
    ['writeFile', 'src/a'],
    ['readFile', 'a'],
  ])('to %s is made as before', async (name, value) => {
    await call(name, value);
    expect(done).toEqual([value]);
  });

  it('needs approval for a tool of a remote MCP server', async () => {
    expect((await call('mcp__files__read', 'x')).run.status).toBe('waiting');
  });
});

describe('path', () => {
  beforeEach(async () => {
    await mkdir(join(rig.workspace.rootPath, 'secret'));
    await symlink('secret', join(rig.workspace.rootPath, 'open'));
    await mkdir(join(rig.workspace.rootPath, 'src'));
    await setRules(['writeFile', 'secret/**', 'deny'], ['readFile', 'secret/**', 'deny']);
  });

  it.each(['secret/a', 'src/../secret/a', './secret//a', 'open/a', 'src/../open/new/a', 'secret'])(
    '%s is judged by its real location, even for an edit',
    async (path) => {
      for (const name of ['writeFile', 'editFile', 'readFile'])
        expect([name, (await call(name, path)).error]).toEqual([name, expect.stringContaining('is denied')]);
      expect(done).toEqual([]);
    },
  );

  it.each(['src/a', 'secrets', 'a/secret/b'])('%s is a different path', async (path) => {
    await call('writeFile', path);
    expect(done).toEqual([path]);
  });

  it.each([
    ['echo x > secret/a', 'is denied'],
    ['echo x > open/a', 'is denied'],
    ['echo x >> src/../secret/a', 'is denied'],
  ])('is judged as a write if the shell writes it: %s', async (line, text) => {
    expect((await call('bash', line)).error).toContain(text);
  });

  it.each(['echo x > $f', 'ln -s secret l; echo x > l/a', 'cd secret; echo x > a', 'echo "'])(
    'needs approval if it is unknown: %s',
    async (line) => {
      expect((await call('bash', line)).run.status).toBe('waiting');
    },
  );

  it.each(['echo x > src/a', 'ls > /dev/null 2>&1', 'python3 x.py', 'echo x > /tmp/x'])(
    "doesn't affect other lines: %s",
    async (line) => {
      await call('bash', line);
      expect(done).toEqual([line]);
    },
  );
});

describe('approval with "always"', () => {
  async function asked(line: string, always: string) {
    const { run } = await call('bash', line);
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true, always });
    await rig.work();
  }

  it('adds a rule with author and time, so that the next such call needs no approval', async () => {
    await setRules(['bash', '*', 'ask'], ['bash', 'rm *', 'deny']);
    await asked('git pull origin', 'git pull *');
    const { rules } = await readPermissions(
      { ...rig.ports, selfApproval: async () => undefined },
      rig.workspace.id,
    );
    expect(rules.at(-1)).toEqual({
      ...{ tool: 'bash', pattern: 'git pull *', action: 'allow' },
      ...{ addedBy: MEMBER.id, addedAt: expect.any(String), answeredCall: 'git pull origin' },
    });
    await call('bash', 'git pull upstream');
    expect(done).toEqual(['git pull origin', 'git pull upstream']);
    expect((await call('bash', 'git pull; rm x')).error).toContain('is denied');
  });

  it.each([
    ['*', /whole name of a program/],
    ['g*', /whole name of a program/],
    ['git*', /whole name of a program/],
    ['git push *', /^always must match what the approval is about: "git pull origin"/],
    ['ls *', /^always must match what the approval is about: "git pull origin"/],
    ['git *', /would also allow what the rule bash "git push\*" denies/],
  ])('is rejected for %s, and nothing is approved', async (always, text) => {
    await setRules(['bash', 'git push*', 'deny'], ['bash', 'git pull*', 'ask']);
    const { run } = await call('bash', 'git pull origin');
    const { id } = await rig.approvalOf(run.id);
    const answer = (fields: object) =>
      answerOverApi(rig.ports, MEMBER, run, id, { approved: true, ...fields });
    await expect(answer({ always })).rejects.toThrow(text);
    expect((await rig.approvalOf(run.id)).status).toBe('waiting');
    await answer({});
  });

  it("doesn't lift a denial of a tool whose rules also apply to this tool", async () => {
    await setRules(['writeFile', 'src/secret/**', 'deny'], ['editFile', 'src/*', 'ask']);
    const { run } = await call('editFile', 'src/a');
    const { id } = await rig.approvalOf(run.id);
    const answer = answerOverApi(rig.ports, MEMBER, run, id, { approved: true, always: 'src/**' });
    await expect(answer).rejects.toThrow(/would also allow what the rule writeFile/);
  });

  it.each(['$x pull', 'git pull "', 'PATH=. git pull'])(
    'is rejected for a command that could not be parsed: %s',
    async (line) => {
      await setRules(['bash', 'git push*', 'deny']);
      const { run } = await call('bash', line);
      const { id } = await rig.approvalOf(run.id);
      const always = 'git pull *';
      await expect(answerOverApi(rig.ports, MEMBER, run, id, { approved: true, always })).rejects.toThrow(
        /^always can't be used: this action needs approval every time\./,
      );
    },
  );

  it('is rejected with a denial, and for tools that need an approval each time', async () => {
    rig.model.answer = inTurn(calls({ name: 'mcp__test__launch', input: { value: 'x' } }), says('Fine.'));
    await setRules(['mcp__test__launch', '*', 'allow']);
    const { run } = await rig.ask();
    const { id } = await rig.approvalOf(run.id);
    const answer = (approved: boolean) =>
      answerOverApi(rig.ports, MEMBER, run, id, { approved, always: '*' });
    await expect(answer(true)).rejects.toThrow(
      /^always can't be used: this action needs approval every time\./,
    );
    await expect(answer(false)).rejects.toThrow(/always can be sent only with approved: true/);
  });
});

describe('approval for the run', () => {
  /**
   * Makes the calls in one run, each after the answer to the previous one. Returns the lines that a person
   * was asked about.
   */
  async function inOneRun(tool: string, lines: string[], body: Partial<AnswerBody> = {}): Promise<string[]> {
    rig.model.answer = inTurn(
      ...lines.map((value) => calls({ name: tool, input: { value } })),
      says('Fine.'),
    );
    const { run } = await rig.ask();
    const asked: string[] = [];
    for (;;) {
      const [approval] = await openApprovals(rig.ports, run.id);
      if (approval === undefined) return asked;
      asked.push((approval.input as { value: string }).value);
      await answerOverApi(rig.ports, MEMBER, run, approval.id, { approved: true, scope: 'run', ...body });
      await rig.work();
    }
  }

  it('allows exactly the call until the run ends, and adds no rule', async () => {
    await setRules(['writeFile', '*', 'ask']);
    expect(await inOneRun('writeFile', ['a', 'a', 'b', 'a'])).toEqual(['a', 'b']);
    expect(done).toEqual(['a', 'a', 'b', 'a']);
    const ports = { ...rig.ports, selfApproval: async () => undefined };
    expect((await readPermissions(ports, rig.workspace.id)).rules).toHaveLength(1);
    expect((await call('writeFile', 'a')).run.status).toBe('waiting');
  });

  it('allows what its pattern says, but never a denied call', async () => {
    await setRules(['bash', '*', 'ask'], ['bash', 'git push*', 'deny']);
    const lines = ['git pull a', 'git pull b', 'git pull; git push'];
    expect(await inOneRun('bash', lines, { always: 'git pull *' })).toEqual(['git pull a']);
    expect(done).toEqual(['git pull a', 'git pull b']);
  });

  it('ends if a rule denies the call later in the run', async () => {
    await setRules(['writeFile', '*', 'ask']);
    rig.model.answer = inTurn(
      ...['a', 'b', 'a'].map((value) => calls({ name: 'writeFile', input: { value } })),
      says('Fine.'),
    );
    const { run } = await rig.ask();
    const answer = async () =>
      answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, {
        ...{ approved: true, scope: 'run' },
      });
    await answer();
    await rig.work();
    await setRules(['writeFile', '*', 'ask'], ['writeFile', 'a', 'deny']);
    await answer();
    await rig.work();
    expect(done).toEqual(['a', 'b']);
  });

  it.each<[string, Partial<AnswerBody>, RegExp]>([
    ['a pattern for another call', { scope: 'run', always: 'src/**' }, /^always must match/],
    ['a pattern for everything', { scope: 'run', always: '**' }, /must name a folder/],
    ['a denial', { scope: 'run', approved: false }, /^scope can be sent only with approved: true/],
    ['a pattern for one call', { scope: 'once', always: 'a' }, /^scope must be run or always/],
    ['always without a pattern', { scope: 'always' }, /^always must be the pattern/],
  ])('is rejected for %s, and nothing is approved', async (_what, body, text) => {
    await setRules(['writeFile', '*', 'ask']);
    const { run } = await call('writeFile', 'a');
    const { id } = await rig.approvalOf(run.id);
    const answer = answerOverApi(rig.ports, MEMBER, run, id, { approved: true, ...body });
    await expect(answer).rejects.toThrow(text);
    expect((await rig.approvalOf(run.id)).status).toBe('waiting');
  });

  it("is rejected for a line that couldn't be parsed, and for a tool's own question", async () => {
    await setRules(['bash', 'git push*', 'deny']);
    for (const name of ['bash', 'mcp__test__launch']) {
      const { run } = await call(name, '$x pull');
      const { id } = await rig.approvalOf(run.id);
      const answer = answerOverApi(rig.ports, MEMBER, run, id, { approved: true, scope: 'run' });
      await expect(answer).rejects.toThrow(/^scope can't be run/);
    }
  });

  it('is audited with its pattern', async () => {
    await setRules(['writeFile', '*', 'ask']);
    await inOneRun('writeFile', ['a']);
    const { items } = await auditEntries.list(rig.ports.records, { partition: AUDIT, limit: 100 });
    expect(items.at(-1)).toMatchObject({ action: 'approvals.answer', outcome: 'done' });
    expect(items.at(-1)?.about).toMatch(/^approved \S+, and for this run writeFile "a"$/);
  });
});

describe('rules', () => {
  it.each(['plan', 'ask'])("never allow a tool that the mode %s doesn't have", async (mode) => {
    await setRules(['*', '*', 'allow']);
    expect((await call('bash', 'ls', { mode })).error).toMatch(
      /^The tool "bash" doesn't exist here\. Available tools: readFile\./,
    );
  });

  it('never let a reader approve, and deny calls that need approval', async () => {
    await setRules(['readFile', '*', 'ask']);
    const viewer = { ...MEMBER, role: 'viewer' as const };
    expect((await call('readFile', 'a', { mode: 'ask' }, viewer)).error).toMatch(
      /^This call needs the approval of a person, and nobody can be asked/,
    );
  });

  it('never replace an approval that the tool itself requires', async () => {
    await setRules(['*', '*', 'allow'], ['mcp__test__launch', '*', 'allow']);
    expect((await call('mcp__test__launch', 'x')).run.status).toBe('waiting');
  });

  it("add no host for a caller who wasn't checked for it, such as when a host is removed in the meantime", async () => {
    const ports = { ...rig.ports, selfApproval: async () => undefined };
    const network = ['registry.npmjs.org'];
    const put = (fields: { mayAddHosts?: boolean; network?: string[] }) =>
      putPermissions(ports, MEMBER, rig.workspace.id, { rules: [], ...fields });
    await expect(put({ network })).rejects.toMatchObject({ code: 'concurrent_changes' });
    expect((await put({ network: [] })).network).toEqual([]);
  });

  it('never allow more than the defaults if a command could have written them', async () => {
    await setRules(['mcp__*', '*', 'allow'], ['bash', 'rm *', 'deny']);
    rig.ports.nobodyApproves = 'Nobody.';
    expect((await call('mcp__files__read', 'x')).error).toMatch(/Nobody\./);
    expect((await call('bash', 'rm x')).error).toContain('is denied');
    await expect(
      putPermissions({ ...rig.ports, selfApproval: async () => 'loopback' }, MEMBER, rig.workspace.id, {
        rules: [],
      }),
    ).rejects.toThrow(/^Rules can't be set on this host: commands reach the service without/);
  });
});

describe('unattended run', () => {
  async function runUnattended(line: string, permits: { tool: string; pattern: string }[] = []) {
    rig.model.answer = inTurn(calls({ name: 'bash', input: { value: line } }), says('Fine.'));
    const task = {
      workspace: rig.workspace,
      mode: 'agent' as const,
      prompt: 'Do it.',
      rightsOf: null,
      permits,
    };
    const signal = new AbortController().signal;
    await runToEnd(rig.ports, MEMBER, task, { timeLeftMs: 900_000, signal });
    return rig.model.requests.at(-1)?.messages.at(-1)?.content;
  }

  it('treats a required approval as a denial', async () => {
    await setRules(['bash', '*', 'ask']);
    expect(await runUnattended('ls')).toMatch(
      /^This call needs the approval of a person, and nobody can be asked here/,
    );
    expect(done).toEqual([]);
  });

  it('may use the tools of its task, except denied ones', async () => {
    await setRules(['bash', '*', 'ask'], ['bash', 'git push*', 'deny']);
    const permits = [{ tool: 'bash', pattern: 'git *' }];
    await runUnattended('git pull', permits);
    expect(await runUnattended('git pull; ls', permits)).toMatch(
      /^This call needs the approval of a person, and nobody can be asked here/,
    );
    expect(await runUnattended('git push', permits)).toMatch(/is denied/);
    expect(done).toEqual(['git pull']);
  });
});
