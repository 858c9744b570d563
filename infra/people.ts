import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { audited } from '../lib/audit/record.ts';
import { readConfig } from '../lib/config.ts';
import type { CallPorts } from '../lib/leases/due.ts';
import { exportPerson } from '../lib/offboarding/export.ts';
import { listHoldings } from '../lib/offboarding/holdings.ts';
import { findOffboarding, requestErasure, requestHandOver } from '../lib/offboarding/request.ts';
import { describeOffboarding, handOverSchema, type Offboarding } from '../lib/offboarding/schema.ts';
import { systemClock } from '../lib/ports/clock.ts';
import { pagesOf } from '../lib/records/page.ts';
import { listPeople } from '../lib/tokens/list-people.ts';
import { openQueue } from '../lib/wiring/queue.ts';
import { openRecords } from '../lib/wiring/records.ts';
import { readArguments, runCommandLine, UsageError } from './command-line.ts';
import { OPERATOR } from './operator.ts';

const USAGE = `Usage: npm run people -- list
       npm run people -- owned ID
       npm run people -- export ID
       npm run people -- hand-over ID --to ID [--kinds conversations,tasks,workspaces]
       npm run people -- erase ID
       npm run people -- state ID`;

const TEXT = { type: 'string' } as const;
const OPTIONS = { to: TEXT, kinds: TEXT } as const;

/** Works on the host's data folder. The running service carries out requests, or the next one that starts. */
export async function managePeople(words: string[], values: Options): Promise<void> {
  const [command, id, ...rest] = words;
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}.`);
  if (command === 'list' && id === undefined) return list(await openPorts());
  const work = new Map(Object.entries(COMMANDS)).get(command ?? '');
  if (work === undefined)
    throw new UsageError('Choose a command: list, owned, export, hand-over, erase, or state.');
  if (id === undefined) throw new UsageError(`${command} needs the ID of a person.`);
  await work(await openPorts(), id, values);
}

async function openPorts(): Promise<CallPorts> {
  const config = readConfig();
  const agentQueue = await openQueue(config, 'agent');
  return { records: await openRecords(config), agentQueue, clock: systemClock };
}

type Options = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];
type Command = (ports: CallPorts, id: string, options: Options) => Promise<void>;

const COMMANDS: Record<string, Command> = {
  async owned(ports, personId) {
    const page = (cursor?: string) => listHoldings(ports, OPERATOR, { personId, limit: 100, cursor });
    let count = 0;
    for await (const { items } of pagesOf(page)) {
      items.forEach(print);
      count += items.length;
    }
    if (count === 0) console.error(`${personId} owns no conversations or tasks, and is in no member list.`);
  },

  async export(ports, personId) {
    await audited(ports, OPERATOR, { action: 'people.export', about: personId }, () =>
      pipeline(exportPerson(ports, OPERATOR, { personId }, Number.POSITIVE_INFINITY), process.stdout, {
        end: false,
      }),
    );
  },

  async 'hand-over'(ports, personId, { to, kinds }) {
    const input = handOverSchema.safeParse({ personId, to, ...(kinds && { kinds: kinds.split(',') }) });
    if (!input.success) throw new UsageError(z.prettifyError(input.error));
    const about = `${personId} to ${to}: ${input.data.kinds.join(', ')}`;
    const work = () => requestHandOver(ports, OPERATOR, input.data);
    show(await audited(ports, OPERATOR, { action: 'people.hand-over', about }, work));
  },

  async erase(ports, personId) {
    const work = () => requestErasure(ports, OPERATOR, personId);
    show(await audited(ports, OPERATOR, { action: 'people.erase', about: personId }, work));
  },

  async state({ records }, personId) {
    show(await findOffboarding(records, OPERATOR, personId));
  },
};

async function list(ports: CallPorts): Promise<void> {
  const page = (cursor?: string) => listPeople(ports, OPERATOR, { limit: 1000, cursor });
  for await (const { items } of pagesOf(page)) items.forEach(print);
}

function show(asked: Offboarding): void {
  print(describeOffboarding(asked));
  if (asked.finishedAt === null) console.error('The running service continues it for a few minutes.');
}

function print(item: object): void {
  console.log(JSON.stringify(item));
}

if (import.meta.main)
  await runCommandLine(USAGE, () => {
    const { positionals, values } = readArguments(OPTIONS);
    return managePeople(positionals, values);
  });
