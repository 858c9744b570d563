import { parseArgs } from 'node:util';
import { runJest } from './run-jest.ts';
import { startMinistack } from './servers/ministack.ts';
import { startWsgidav } from './servers/wsgidav.ts';
import { soak } from './soak/soak.ts';

/**
 * Runs the long forms of tests whose default form is short: the same assertions after more kills,
 * disconnections, and attempts. `npm run test:long -- --soak 120` runs only the soak, for as many minutes.
 */
const LONG = {
  KILLS: '50',
  TASK_SLOTS: '3000',
  TASK_KILLS: '200',
  AGENT_DISCONNECTS: '5000',
  PATHS: '10000',
  TRIES: '1',
  REPORTS: '6',
  BOT_KILL_EVERY: '1',
  PAPER_INTERVAL_MS: '3000',
  EVERY_SANDBOX: 'true',
  COMMAND_LIMIT: 'true',
  HOSTILE_LINES: '1000000',
  TAB_OPERATIONS: '10000',
  EVIDENCE_KILL_EVERY: '1',
  SOURCE_KILLS: '50',
};
const SUITES = [
  'functions/indexing/kill',
  'lib/evidence/kills',
  'lib/tasks/kill',
  'functions/research/fabrications',
  'functions/agent/kills',
  'functions/research/evidence-kills',
  'functions/agent/streams',
  'security/paths',
  'lib/bots/kills',
  'lib/conversations/two-tabs',
  'lib/papers/ten-processes',
  'lib/permissions/hostile-lines',
  'adapters/git-program',
  'adapters/git/git-config',
  'adapters/wecom/split-text',
  'functions/skills/skills',
  'functions/terminal/exec',
  'lib/agent/tools/edits',
  'lib/bots/feishu/callback',
  'lib/bots/wecom/verify',
  'lib/skills/skill-md',
  'lib/skills/slug-claims',
  'lib/sources/kill',
  'lib/verify/draft/comment-docx',
];
/** Milliseconds. On a busy host, 10,000 operations take five minutes, and 50 kills three. */
const TEST_MS = 20 * 60_000;

const { values } = parseArgs({ options: { soak: { type: 'string' } }, strict: false });
process.exitCode =
  typeof values.soak === 'string' ? Number(!(await soak(Number(values.soak)))) : await runSuites();

async function runSuites(): Promise<number> {
  // An exit, unlike a signal alone, lets test/lanes/servers/process.ts stop the servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const servers = await Promise.allSettled([startWsgidav(), startMinistack()]);
  const [webdav, s3] = servers.map((server) => (server.status === 'fulfilled' ? server.value : undefined));
  for (const server of servers)
    if (server.status === 'rejected') console.error(`A fake takes its place: ${String(server.reason)}`);
  const urls = { WSGIDAV_URL: webdav?.url, MINISTACK_URL: s3?.url };
  const options = [`--testPathPatterns=${SUITES.join('|')}`, `--testTimeout=${TEST_MS}`];
  try {
    return await runJest('test', { ...LONG, ...urls }, options);
  } finally {
    await Promise.all([webdav?.stop(), s3?.stop()]);
  }
}
