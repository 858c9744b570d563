import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type EnvironmentGroup, makeEnvironmentGroup, missingLimits } from '../lanes/environment-group.ts';

const ENTER = 'for file in $ENTRANCES; do echo $$ > "$file"; done; exec "$0" -e "$1"';
const FOREVER = 'setInterval(() => {}, 1000)';
/** Prints how much processor time it got in two seconds. */
const SPIN =
  'const end = Date.now() + 2000; while (Date.now() < end); console.log(process.cpuUsage().user / 1000)';
const FILL = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(1 << 22, 1)), 1)';

let group: EnvironmentGroup;
afterEach(() => group.remove());

function start(program: string) {
  const env = { ...process.env, ENTRANCES: group.entrances.join(' ') };
  const child = spawn('/bin/sh', ['-c', ENTER, process.execPath, program], { env });
  let output = '';
  child.stdout.on('data', (piece) => {
    output += piece;
  });
  return { child, output: () => output, exit: once(child, 'exit') };
}

it('environment group sets all limits on this host', () => {
  group = makeEnvironmentGroup(128);
  expect(missingLimits()).toEqual([]);
});

it('environment group gives a seventh of a processor, and counts throttled time', async () => {
  group = makeEnvironmentGroup(256);
  group.setCores(256 / 1769);
  const { exit, output } = start(SPIN);
  await exit;
  expect(Number(output())).toBeLessThan(2000 * 0.145 * 1.3);
  expect(group.throttledMs()).toBeGreaterThan(1000);
});

it('environment group kills a process that exceeds the memory', async () => {
  group = makeEnvironmentGroup(128);
  group.setCores(1);
  const [, signal] = await start(FILL).exit;
  expect(signal).toBe('SIGKILL');
  expect(group.memoryKills()).toBe(1);
});

it('environment group freezes, thaws, and removes frozen processes', async () => {
  group = makeEnvironmentGroup(128);
  group.setCores(1);
  const { child, exit } = start(FOREVER);
  await sleep(300);
  const ticks = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ').slice(13, 15).join();
  await group.freeze();
  const before = ticks();
  await sleep(1200);
  expect(ticks()).toBe(before);
  group.thaw();
  await group.freeze();
  await group.remove();
  expect((await exit)[1]).toBe('SIGKILL');
  group = makeEnvironmentGroup(128);
});
