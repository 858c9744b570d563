import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../../support/processes/run-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const LEFTOVERS = resolve(import.meta.dirname, '../../../lib/adapters/process/leftovers.ts');
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Runs in its own PID namespace, because the tested code kills every unknown process. */
function runAlone(code: string) {
  const isolation = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
  return runProgram('unshare', [...isolation, process.execPath, '--input-type=module', '-e', code]);
}

describe('cleanerOf', () => {
  onLinux('ends all processes of a command, including daemons, and keeps existing ones', async () => {
    const { stdout } = await runAlone(`
      import { spawn, execSync } from 'node:child_process';
      const before = spawn('sleep', ['600']);
      const { cleanerOf } = await import('${LEFTOVERS}');
      const cleanUp = cleanerOf([]);
      execSync('(setsid sh -c "while :; do sleep 0.01; done" & setsid sleep 600 &) > /dev/null 2>&1 < /dev/null');
      await cleanUp();
      const count = () => execSync('ps -eo stat,comm | grep sleep | grep -c -v ^Z || true').toString();
      let left = '';
      for (let n = 0; n < 100 && left !== '1\\n'; n++) {
        await new Promise((done) => setTimeout(done, 200));
        left = count();
      }
      console.log(left);
      before.kill();
      process.exit();`);
    expect(stdout).toBe('1\n\n');
  });

  onLinux('empties folders', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/c'), '');
    await writeFile(join(folder, '.hidden'), '');
    await runAlone(
      `const { cleanerOf } = await import('${LEFTOVERS}'); await cleanerOf(['${folder}', '/no/such'])();`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
