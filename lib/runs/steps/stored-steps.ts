import { createHash } from 'node:crypto';
import { expiryAfter } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { KEEP_RUN_SECONDS } from '../schema.ts';
import { type Step, type StepUse, steps, stepsOf } from './step-records.ts';

const NO_USE: StepUse = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** The steps of a run. Each is done once, even if several processes work on the run one after another. */
export interface StoredSteps {
  /** Returns the step's stored result; undefined if the step isn't done. */
  find(name: string, input: unknown): unknown;
  /** Stores the step's result before it is used. */
  save(name: string, input: unknown, value: unknown, use?: StepUse): Promise<void>;
  /** Returns the stored result, or does the work and stores it. */
  once<Value>(name: string, input: unknown, work: () => Promise<Value>): Promise<Value>;
  /** Returns the usage of all steps. */
  used(): StepUse;
  /** Returns the number of completed steps. */
  count(): number;
}

/**
 * The maximum size of a result in bytes. A record has at most 400 KB, and results have far lower limits. A
 * longer result is a bug, reported with the step's name.
 */
const MAX_VALUE_BYTES = 360_000;

export async function openSteps(ports: TimedRecords, runId: string): Promise<StoredSteps> {
  const known = new Map<string, Step>();
  const total = { ...NO_USE };
  function note(step: Step): void {
    const key = `${step.name}#${step.hash}`;
    if (known.has(key)) return;
    known.set(key, step);
    for (const name of ['calls', 'inputTokens', 'outputTokens'] as const) total[name] += step.use[name];
  }
  for await (const step of steps.all(ports.records, stepsOf(runId))) note(step);

  const find = (name: string, input: unknown) => {
    const step = known.get(`${name}#${hashOf(input)}`);
    return step === undefined ? undefined : (JSON.parse(step.value) as unknown);
  };
  async function save(name: string, input: unknown, value: unknown, use = NO_USE): Promise<void> {
    note(await saveStep(ports, runId, { name, input, value, use }));
  }
  return {
    find,
    save,
    async once<Value>(name: string, input: unknown, work: () => Promise<Value>): Promise<Value> {
      const before = find(name, input);
      if (before !== undefined) return before as Value;
      const value = await work();
      await save(name, input, value);
      return value;
    },
    used: () => ({ ...total }),
    count: () => known.size,
  };
}

interface NewStep {
  name: string;
  input: unknown;
  value: unknown;
  use?: StepUse;
}

/** Stores a step of a run, even if the run has already ended. */
export async function saveStep(
  { records, clock }: TimedRecords,
  runId: string,
  { name, input, value, use = NO_USE }: NewStep,
): Promise<Step> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
    throw new Error(`the step ${name} came to too much to be stored`);
  const expiresAt = expiryAfter(clock, KEEP_RUN_SECONDS);
  const step = { runId, name, hash: hashOf(input), value: text, use, expiresAt };
  await steps.put(records, step);
  return step;
}

/** Returns the results of a run's steps with this name, in no particular order. */
export async function readSteps<Value>(records: Records, runId: string, name: string): Promise<Value[]> {
  const found = await Array.fromAsync(steps.all(records, stepsOf(runId, name)));
  return found.map(({ value }) => JSON.parse(value) as Value);
}

export function hashOf(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('base64url');
}
