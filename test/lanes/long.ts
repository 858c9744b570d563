import { parseArgs } from 'node:util';
import { runJest } from './run-jest.ts';
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
  'lib/verify/draft/comment-docx',
];
/** Milliseconds. On a busy host, 10,000 operations take five minutes, and 50 kills three. */
const TEST_MS = 20 * 60_000;

const { values } = parseArgs({ options: { soak: { type: 'string' } }, strict: false });
process.exitCode =
  typeof values.soak === 'string'
    ? Number(!(await soak(Number(values.soak))))
    : await runJest('test', LONG, [`--testPathPatterns=${SUITES.join('|')}`, `--testTimeout=${TEST_MS}`]);
