import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runJest } from './run-jest.ts';

/**
 * Random requests of people who may see some secrets and not others: 100,000 to the service, and some to copies of it
 * that are each broken on purpose, whose leaks the test must find. `npm run test:leaks -- --copies` plays only these.
 * The copies are of the last commit.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const COPY = join(ROOT, '.cache/leaks');
const REQUESTS = '100000';
const REQUESTS_TO_A_COPY = '2000';
const HOURS_MS = 4 * 3_600_000;
const SUITE = 'test/security/leaks.test.ts';

interface Break {
  name: string;
  file: string;
  from: string;
  to: string;
}

const BREAKS: Break[] = [
  {
    name: 'the list of workspaces of a token counts for nothing',
    file: 'lib/access/caller.ts',
    from: 'return caller.workspaceIds === null || caller.workspaceIds.includes(workspaceId);',
    to: 'return workspaceId.length > 0 || caller.workspaceIds === null;',
  },
  {
    name: 'every group is on the list',
    file: 'lib/access/members.ts',
    from: "groups.has(group ?? '')",
    to: 'group !== undefined',
  },
  {
    name: 'an administrator of some workspaces passes every list',
    file: 'lib/access/members.ts',
    from: 'members.length === 0 || isAdminOfAll(caller)',
    to: "members.length === 0 || caller.role === 'admin'",
  },
  {
    name: 'any list with people has the caller',
    file: 'lib/access/members.ts',
    from: 'subject === caller.id);',
    to: 'subject !== undefined);',
  },
  {
    name: 'of several workspaces only the first is checked',
    file: 'lib/workspaces/access.ts',
    from: 'unique.map((id) => findWorkspace(records, caller, id))',
    to: 'unique.map((id, at) => (at === 0 ? findWorkspace(records, caller, id) : requireWorkspace(records, id)))',
  },
  {
    name: 'a conversation about several workspaces needs only the first',
    file: 'lib/workspaces/all-workspaces.ts',
    from: 'if (!isOfSeveral(placed)) return true;',
    to: 'if (placed.workspaceId !== undefined) return true;',
  },
  {
    name: 'a conversation stays readable for someone who left its workspace',
    file: 'lib/conversations/find.ts',
    from: '  await findWorkspace(records, caller, found.workspaceId);\n',
    to: '',
  },
  {
    name: 'what is no longer shared stays open',
    file: 'lib/conversations/change.ts',
    from: '...(shared !== undefined && { shared }),',
    to: '...(shared && { shared }),',
  },
  {
    name: 'a note needs only its ID',
    file: 'lib/notes/notes.ts',
    from: '    findWorkspace(records, caller, place.workspaceId),\n  ]);\n  if (note',
    to: '  ]);\n  if (note',
  },
  {
    name: 'a run needs only its ID',
    file: 'lib/runs/runs.ts',
    from: 'return { run, workspace: await findWorkspace(records, caller, run.workspaceId) };',
    to: "return { run, workspace: await findWorkspace(records, { ...caller, role: 'admin', workspaceIds: null }, run.workspaceId) };",
  },
  {
    name: 'a report or check about several workspaces needs only the first',
    file: 'lib/runs/runs.ts',
    from: '  if (!(await mayReadAll(records, caller, run))) throw runNotFound();\n',
    to: '',
  },
  {
    name: 'the activity quotes questions',
    file: 'lib/chat/answer.ts',
    from: 'actor === LOCAL ?',
    to: "actor !== '' || actor === LOCAL ?",
  },
  {
    name: 'an MCP tool enters any workspace',
    file: 'lib/mcp/tools/find-workspace.ts',
    from: 'workspaceIds);\n  return findWorkspace(records, caller, workspaceId);',
    to: "workspaceIds);\n  return findWorkspace(records, { ...caller, role: 'admin', workspaceIds: null }, workspaceId);",
  },
];

/** Returns whether the test found the leak of the broken copy. */
function isFound({ name, file, from, to }: Break): boolean {
  const path = join(COPY, file);
  const whole = readFileSync(path, 'utf8');
  const parts = whole.split(from);
  if (parts.length !== 2) throw new Error(`${file} has the text to break ${parts.length - 1} times: ${from}`);
  writeFileSync(path, parts.join(to));
  const env = { ...process.env, LEAK_REQUESTS: REQUESTS_TO_A_COPY };
  const ran = spawnSync(process.execPath, ['test/lanes/everyday.ts', SUITE], {
    cwd: COPY,
    env,
    encoding: 'utf8',
  });
  writeFileSync(path, whole);
  const found = ran.status !== 0 && /"text": "zq/.test(ran.stderr);
  process.stderr.write(`${found ? 'found' : `NOT FOUND (${ran.status})`}: ${name}\n`);
  if (!found) process.stderr.write(ran.stderr.slice(-3000));
  return found;
}

function copyOfCommit(): void {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  const cloned = spawnSync('git', ['clone', '--quiet', ROOT, COPY], { stdio: 'inherit' });
  if (cloned.status !== 0) throw new Error('The repository could not be copied.');
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'));
}

copyOfCommit();
const found = BREAKS.map(isFound);
rmSync(COPY, { recursive: true, force: true });
const onlyCopies = process.argv.splice(2).includes('--copies');
process.exitCode = onlyCopies
  ? 0
  : await runJest('test', { LEAK_REQUESTS: REQUESTS }, [
      `--testPathPatterns=${SUITE}`,
      `--testTimeout=${HOURS_MS}`,
    ]);
if (found.includes(false)) process.exitCode = 1;
