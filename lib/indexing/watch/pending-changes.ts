/**
 * Milliseconds without changes after which a file is read. By then, the program that writes it has finished,
 * or pauses.
 */
const REST_MS = 300;
const MOMENT_MS = 20;
const MOMENTS_MS = 100;
/** Milliseconds after which a file that changes constantly is read for the first time. */
const IMPATIENT_MS = 30_000;
/** The initial and the maximum wait before a file is read again, in milliseconds. */
const HOLD_MS = 1_000;
const MAX_HOLD_MS = 5 * 60_000;
/**
 * The number of changes, at once or within a while, that makes a burst, such as a copied tree. After a burst,
 * the whole folder is compared.
 */
const BURST = 1000;
const BURST_IN_A_WHILE = 2000;
const WHILE_MS = 10_000;
const BURST_REST_MS = 1_000;
/** The maximum number of paths to remember a wait for. */
const MAX_HELD = 10_000;

interface Change {
  first: number;
  last: number;
}

export interface DueChanges {
  /** Undefined after a burst, or if anything may have changed. */
  paths: string[] | undefined;
  /** Time when the first change was noticed, in milliseconds. */
  since: number;
}

/** A folder's unreported changes. Times are in milliseconds. */
export class PendingChanges {
  readonly #changes = new Map<string, Change>();
  /** How long to wait after a file was reported, if it keeps changing. */
  readonly #held = new Map<string, { reportedAt: number; holdMs: number }>();
  #burst: Change | undefined;
  #while = { since: Number.NEGATIVE_INFINITY, changes: 0 };

  add(path: string, now: number): void {
    if (this.#burst !== undefined) {
      this.#burst.last = now;
      return;
    }
    const before = this.#changes.get(path);
    this.#changes.set(path, { first: before?.first ?? now, last: now });
    if (before === undefined && this.#isBurst(now)) this.addAll(now);
  }

  /** Records that anything may have changed. */
  addAll(now: number): void {
    this.#burst = { first: Math.min(this.since() ?? now, now), last: now };
    this.#changes.clear();
  }

  /** Returns when the earliest change was noticed. */
  since(): number | undefined {
    let first = this.#burst?.first;
    for (const change of this.#changes.values()) first = Math.min(first ?? change.first, change.first);
    return first;
  }

  /** Returns the changes that have been quiet for long enough, and forgets them. */
  takeDue(now: number): DueChanges | undefined {
    if (this.#burst !== undefined) return this.#takeBurst(this.#burst, now);
    const due = [...this.#changes].filter(([path, change]) => this.#isDue(path, change, now));
    if (due.length === 0) return undefined;
    due.push(...this.#companionsOf(due, now));
    for (const [path] of due) {
      this.#changes.delete(path);
      this.#hold(path, now);
    }
    return { paths: due.map(([path]) => path), since: Math.min(...due.map(([, { first }]) => first)) };
  }

  /**
   * A move is two changes, a moment apart. The second is taken together with the first; otherwise, the
   * passages would be embedded again.
   */
  #companionsOf(due: [string, Change][], now: number): [string, Change][] {
    const isTaken = new Set(due.map(([path]) => path));
    const later = [...this.#changes].filter(([path]) => !isTaken.has(path) && !this.#held.has(path));
    const from = Math.max(...due.map(([, { last }]) => last));
    let latest = from;
    const companions: [string, Change][] = [];
    for (const each of later.sort(([, a], [, b]) => a.last - b.last)) {
      const { last } = each[1];
      if (last - latest > MOMENT_MS || last - from > MOMENTS_MS || now - last < MOMENTS_MS) break;
      latest = Math.max(latest, last);
      companions.push(each);
    }
    return companions;
  }

  #isBurst(now: number): boolean {
    if (now - this.#while.since > WHILE_MS) this.#while = { since: now, changes: 0 };
    this.#while.changes += 1;
    return this.#changes.size > BURST || this.#while.changes > BURST_IN_A_WHILE;
  }

  #takeBurst({ first, last }: Change, now: number): DueChanges | undefined {
    if (now - last < BURST_REST_MS && now - first < IMPATIENT_MS) return undefined;
    this.#burst = undefined;
    return { paths: undefined, since: first };
  }

  #isDue(path: string, { first, last }: Change, now: number): boolean {
    const { reportedAt, holdMs } = this.#held.get(path) ?? { reportedAt: 0, holdMs: 0 };
    const isAtRest = now - last >= REST_MS || now - first >= Math.max(IMPATIENT_MS, holdMs);
    return isAtRest && now - reportedAt >= holdMs;
  }

  /**
   * A file that is saved every few seconds isn't delayed. A file that is constantly appended to is read less
   * and less often.
   */
  #hold(path: string, now: number): void {
    const before = this.#held.get(path);
    const isBusy = before !== undefined && now - before.reportedAt <= 2 * before.holdMs;
    this.#held.delete(path); // least recently changed first
    const holdMs = isBusy ? Math.min(2 * before.holdMs, MAX_HOLD_MS) : HOLD_MS;
    this.#held.set(path, { reportedAt: now, holdMs });
    const [oldest] = this.#held.size > MAX_HELD ? this.#held.keys() : [];
    if (oldest !== undefined) this.#held.delete(oldest);
  }
}
