import { installOnce } from '../support/install-once.ts';
import { type Checker, startChecker, type Verdict } from './regexes/check-regex.ts';
import { findRegexes, type Regex, type Unbuilt } from './regexes/find-regexes.ts';
import { REVIEWED, REVIEWED_CALLS } from './regexes/reviewed.ts';
import { runCommand } from './servers/install.ts';

/**
 * Checks every regular expression of the product with recheck: all must be linear, except those with a reason
 * in `regexes/reviewed.ts`. Exits with 1 for any other, and for a reason whose expression no longer exists.
 * `npm run test:regexes -- lib/claims web/chat`: only those in files whose names contain one of these. Takes
 * about ten minutes on two idle cores.
 */
const VERSION = '4.5.0';
const AT_ONCE = 2;
/** The slowest expression takes 20 s on an idle host. */
const TIMEOUT_MS = 180_000;
const wanted = process.argv.slice(2);

interface Checked extends Regex {
  verdict: Verdict;
}

const folder = await installOnce('recheck', VERSION, async (aside) => {
  // The engine in JavaScript, because the others are programs for some systems, which npm installs as
  // optional packages.
  const args = [
    'install',
    '--prefix',
    aside,
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  await runCommand('npm', [...args, `recheck@${VERSION}`]);
});
const { regexes, unbuilt } = await findRegexes();
const calls = unbuilt.filter(({ file }) => isWanted(file));
const samples = REVIEWED_CALLS.filter(({ file }) => isWanted(file)).flatMap(({ file, samples }) =>
  samples.map(({ source, flags }) => ({ pattern: source, flags, places: [file] })),
);
const own = regexes.filter(({ places }) => places.some(isWanted));
const checked = await checkAll([...own, ...samples]);
process.exitCode = tell(checked, calls) ? 0 : 1;

function isWanted(file: string): boolean {
  return wanted.length === 0 || wanted.some((part) => file.includes(part));
}

async function checkAll(all: Regex[]): Promise<Checked[]> {
  const checked: Checked[] = [];
  const waiting = [...all];
  const work = async (checker: Checker) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await checker.check(next.pattern, next.flags, TIMEOUT_MS);
      tellProgress(checked.push({ ...next, verdict }), all.length);
    }
    await checker.stop();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(startChecker(folder))));
  return checked;
}

function tellProgress(done: number, of: number): void {
  if (done % 100 === 0) console.log(`${done} of ${of} checked`);
}

/** Returns true if every vulnerable or unknown expression has a reason, and every reason an expression. */
function tell(checked: Checked[], calls: Unbuilt[]): boolean {
  const doubtful = checked.filter(({ verdict }) => verdict.status !== 'safe');
  const open = doubtful.filter((one) => !isReviewed(one));
  for (const { pattern, flags, places, verdict } of open) {
    console.log(
      `${verdict.status} (${verdict.why}): ${places.join(', ')}\n  /${pattern.slice(0, 300)}/${flags}`,
    );
    if (verdict.attack !== undefined) console.log(`  attack: ${verdict.attack.slice(0, 200)}`);
  }
  const unreviewed = calls.filter(({ file, call }) => !REVIEWED_CALLS.some(isOf(file, call)));
  for (const { file, line, call } of unreviewed)
    console.log(`built of an argument: ${file}:${line}\n  ${call}`);
  const stale = wanted.length === 0 ? staleReasons(checked, calls) : [];
  for (const reason of stale) console.log(`no longer there: ${reason}`);
  const count = (status: string) => checked.filter(({ verdict }) => verdict.status === status).length;
  const places = checked.reduce((sum, { places }) => sum + places.length, 0);
  console.log(
    `${checked.length} regular expressions in ${places} places, ${calls.length} calls with an argument: ` +
      `${count('safe')} safe, ${count('vulnerable')} vulnerable, ${count('unknown')} unknown; ` +
      `${doubtful.length - open.length} of these reviewed`,
  );
  return open.length + unreviewed.length + stale.length === 0;
}

function isReviewed({ pattern, places }: Regex): boolean {
  return places.every((place) => REVIEWED.some(isOf(place.replace(/:\d+$/, ''), pattern)));
}

function isOf(file: string, text: string): (reviewed: { file: string; begins: string }) => boolean {
  return (reviewed) => reviewed.file === file && text.startsWith(reviewed.begins);
}

function staleReasons(checked: Regex[], calls: Unbuilt[]): string[] {
  const patterns = checked.flatMap(({ pattern, places }) =>
    places.map((place) => ({ file: place.replace(/:\d+$/, ''), text: pattern })),
  );
  const texts = calls.map(({ file, call }) => ({ file, text: call }));
  const without = (list: { file: string; begins: string }[], there: { file: string; text: string }[]) =>
    list.filter((one) => !there.some(({ file, text }) => isOf(file, text)(one)));
  return [...without(REVIEWED, patterns), ...without(REVIEWED_CALLS, texts)].map(
    ({ file, begins }) => `${file} ${begins}`,
  );
}
