import type { Command } from '../command.ts';
import { EXIT } from '../failure.ts';
import { configFolder, dataFolder } from '../places.ts';
import { dim, green, printJson, printLine, red, yellow } from '../terminal.ts';
import { loadSettings } from './backup.ts';

const MARKS = { ok: green, note: yellow, wrong: red };

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check this host and the settings, and suggest fixes',
  uses: 'nothing',
  completes: [],
  async run({ context }) {
    loadSettings();
    process.env.DATA_DIR = dataFolder();
    const { examine } = await import('../../infra/doctor.ts');
    const findings = [];
    for await (const finding of examine()) {
      findings.push(finding);
      const { name, state, text } = finding;
      if (!context.isJson) printLine(MARKS[state](state.padEnd(6)), ` ${name.padEnd(9)} ${text}`);
    }
    if (context.isJson) printJson(findings);
    else printLine(dim(`Based on the environment and ${configFolder()}/.env.`));
    if (findings.some(({ state }) => state === 'wrong')) process.exitCode = EXIT.failed;
  },
};
