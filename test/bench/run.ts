import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/temp-folder.ts';
import { benchAgent } from './agent.ts';
import { benchBeside } from './beside/beside.ts';
import { benchBots } from './bots.ts';
import { benchBroughtCommands } from './brought-commands.ts';
import { benchCalls } from './calls.ts';
import { benchChurn } from './churn.ts';
import { benchClient } from './client.ts';
import { benchConsole } from './console.ts';
import { benchDatasets } from './datasets.ts';
import { benchHttp } from './http.ts';
import { benchIsolation } from './isolation.ts';
import { benchPackage } from './package.ts';
import { benchPreview } from './preview.ts';
import { benchRetrieval } from './retrieval.ts';
import { benchSize, DEFAULT_FILES } from './size/size.ts';
import { type BenchRow, printTable } from './table.ts';
import { benchTerminal } from './terminal.ts';
import { benchVectors } from './vectors.ts';
import { benchWorkspaces } from './workspaces.ts';

const { positionals: chosen, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});

/** `npm run bench`: prints every number next to its baseline, measured in the same run on this host. */
const BENCHES: Record<string, () => Promise<BenchRow[]>> = {
  client: benchClient,
  console: benchConsole,
  http: benchHttp,
  agent: benchAgent,
  bots: benchBots,
  datasets: benchDatasets,
  preview: benchPreview,
  isolation: benchIsolation,
  terminal: benchTerminal,
  commands: benchBroughtCommands,
  retrieval: benchRetrieval,
  vectors: benchVectors,
  calls: benchCalls,
  churn: benchChurn,
  workspaces: benchWorkspaces,
  package: benchPackage,
  size: () => benchSize(Number(chosen[1] ?? DEFAULT_FILES)),
};
if (chosen[0] === 'beside') {
  const worse = await benchBeside(chosen[1], Number(values.rounds));
  await cleanUp();
  process.exit(worse.length === 0 ? 0 : 1);
}
const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await bench()));
}
console.log(`node ${process.version}, ${availableParallelism()} cores`);
printTable(rows);
await cleanUp();
process.exit(0);
