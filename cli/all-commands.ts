import type { Command } from './command.ts';
import { agent } from './commands/agent.ts';
import { ask } from './commands/ask.ts';
import { backup, restore } from './commands/backup.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { login, logout } from './commands/login.ts';
import { notes } from './commands/notes.ts';
import { embedder, people, recognition } from './commands/operate.ts';
import { research } from './commands/research.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { sync } from './commands/sync.ts';
import { token } from './commands/token.ts';
import { verify } from './commands/verify.ts';

export const commands: readonly Command[] = [
  ask,
  search,
  agent,
  research,
  verify,
  sync,
  notes,
  serve,
  token,
  login,
  logout,
  backup,
  restore,
  embedder,
  recognition,
  people,
  doctor,
  completion,
];
