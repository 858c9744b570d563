import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { FRESH_MS } from '../../lib/adapters/secrets-manager/secrets.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The pages about AWS without their line breaks. */
const page = (name: string) => read(`docs/deploy/${name}.md`).replace(/\s+/g, ' ');
const quickstart = page('aws-quickstart');
const options = page('aws-options');
const costs = page('aws-costs');
const capacity = page('aws-capacity');
const { resources } = readServiceFile(join(root, 'serverless.yml'));
// biome-ignore lint/suspicious/noExplicitAny: the file as it is written
const { custom, functions } = yaml.load(read('serverless.yml')) as any;

/** The expression as it is in the file. */
const RUNS = '$' + '{self:custom.agentRuns}';
const KEPT_FREE = 100;
/** USD per GB-second, on the page too. */
const GB_SECOND = 0.0000166667;

/** The number, or the default of `${env:NAME, '50'}` behind `${self:custom.…}`. */
function numberOf(value: unknown): number {
  const name = /^\$\{self:custom\.(\w+)\}$/.exec(String(value))?.[1];
  return name === undefined ? Number(value) : Number(/'(\d+)'/.exec(custom[name])?.[1] ?? custom[name]);
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const reservations = Object.values<any>(functions).map((one) => numberOf(one.reservedConcurrency ?? 0));
const reserved = reservations.reduce((total, value) => total + value, 0);

describe('docs/deploy', () => {
  it('names the quota that a new account needs', () => {
    expect(quickstart).toContain(`concurrent executions* below ${reserved + KEPT_FREE} (`);
  });

  it('says how many runs and commands there may be at once', () => {
    expect(options).toContain(`| \`${numberOf(RUNS)}\` | Concurrent agent runs`);
    expect(numberOf(functions.commands.reservedConcurrency)).toBe(numberOf(RUNS));
  });

  it('costs a chat at the memory that its function has', () => {
    const gigabytes = (functions.chat.memorySize / 1024).toFixed(2);
    const price = (1000 * 10 * Number(gigabytes) * GB_SECOND).toFixed(3);
    expect(costs).toContain(`Lambda chat: 10 s x ${gigabytes} GB x ${GB_SECOND} per GB-second | ${price} |`);
    expect(capacity).toContain(`Lambda chat at ${functions.chat.memorySize.toLocaleString('en-US')} MB`);
  });

  it('costs the runs and commands of a team at the memory that their functions have', () => {
    const gigabytes = (name: string) => Number((functions[name].memorySize / 1024).toFixed(2));
    const cost = (name: string, seconds: number) => Math.round(seconds * gigabytes(name) * GB_SECOND);
    expect(functions['agent-worker'].memorySize).toBe(functions.agent.memorySize);
    expect(costs).toContain(
      `8,400 runs: agent at ${gigabytes('agent')} GB, 180 s each | ${cost('agent', 8400 * 180)} |`,
    );
    expect(costs).toContain(
      `67,200 commands at ${gigabytes('commands')} GB, 10 s each | ${cost('commands', 67_200 * 10)} |`,
    );
  });

  it('says after which time a new key takes effect', () => {
    expect(quickstart).toContain(`A key takes effect within ${FRESH_MS / 60_000} minutes`);
    const decision = read('docs/adr/0012-keep-settings-in-one-record-and-keys-in-the-secret-store.md');
    expect(decision).toContain(`Reads and absences are kept ${FRESH_MS / 60_000} minutes`);
  });

  it('counts the alarms', () => {
    const alarms = Object.values(resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    expect(costs).toContain(`${alarms.length} alarms`);
  });

  it('counts the functions', () => {
    expect(quickstart).toContain(`${Object.keys(functions).length} functions`);
  });
});
