import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { boundedOutput } from '../../../lib/adapters/process/pty/output.ts';
import { MAX_UNREAD } from '../../../lib/ports/terminals.ts';

describe('boundedOutput', () => {
  it('pauses the terminal while its reader is slow, and keeps the order of the output', async () => {
    let isPaused = false;
    const tap = {
      pause() {
        isPaused = true;
      },
      resume() {
        isPaused = false;
      },
    };
    let passed = '';
    const output = boundedOutput(tap, (text) => {
      passed += text;
    });
    let sent = '';
    for (let piece = 0; !isPaused || piece < 10; piece++) {
      const text = String(piece % 10).repeat(20_000);
      sent += text;
      output.add(text);
      await pause(2);
    }
    await pause(100);
    expect(passed.length).toBe(MAX_UNREAD);
    for (let unread = passed.length; passed.length < sent.length; unread = MAX_UNREAD) {
      output.read(unread);
      await pause(20);
    }
    expect(passed).toBe(sent);
    expect(isPaused).toBe(false);
  });
});
