import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Conflict } from '../../../lib/errors.ts';
import { type ForeignFile, isolatedProgram } from '../../../lib/isolation/program.ts';

/** A decoder that behaves as badly as possible. */
export const program = isolatedProgram(import.meta, {
  echo: (value: unknown) => value,
  environment: () => ({ ...process.env }),
  pid: () => process.pid,
  refuse: () => {
    throw new Conflict('conflict', 'not today');
  },
  fail: () => {
    throw new TypeError('a fault of ours');
  },
  loop: () => {
    for (;;);
  },
  /** Works for some milliseconds, and sleeps for 50, this many times. */
  doze: async ({ busyMs, times }: { busyMs: number; times: number }) => {
    for (let time = 0; time < times; time++) {
      const until = performance.now() + busyMs;
      while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return 'done';
  },
  growHeap: () => {
    const held: object[] = [];
    for (;;) held.push({ held });
  },
  growBuffers: () => {
    const held: Uint8Array[] = [];
    for (;;) held.push(new Uint8Array(16 * 1024 * 1024).fill(1));
  },
  crash: () => process.abort(),
  leave: () => process.exit(3),
  answer: (bytes: number) => new Uint8Array(bytes),
  unanswerable: () => () => 1,
  readSecret: (path: string) => readFileSync(path, 'utf8'),
  write: (path: string) => writeFileSync(path, 'x'),
  start: () =>
    new Promise((resolve, reject) => spawn('/bin/true').once('exit', resolve).once('error', reject)),
  reach: (port: number) =>
    new Promise((resolve, reject) => {
      connect(port, '127.0.0.1', () => resolve('reached')).once('error', reject);
    }),
  readTwice: async (_input: unknown, file: ForeignFile) =>
    Buffer.concat([await file.read(0, 5), await file.read(file.size - 5, 50)]).toString(),
  readThenLoop: async (_input: unknown, file: ForeignFile) => {
    await file.read(0, 1);
    for (;;);
  },
  readAtOnce: async (times: number, file: ForeignFile) => {
    const pieces = await Promise.all(Array.from({ length: times }, (_, at) => file.read(at, 1)));
    return pieces.map(([byte]) => byte);
  },
  readTooMuch: (_input: unknown, file: ForeignFile) => file.read(0, 1024 ** 3),
});
