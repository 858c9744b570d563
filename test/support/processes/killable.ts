/** Ports of a process that is killed. After a certain call, no call takes effect or returns. */
export interface Killable<Ports> {
  ports: Ports;
  /** Resolves when the process has died. */
  died: Promise<void>;
  /** Returns how many calls took effect. */
  calls(): number;
  /** Rejects the calls that are still pending. They get an error, and can no longer have an effect. */
  bury(): void;
}

/**
 * Wraps the named ports, whose functions all return promises. The process is killed instead of call number
 * `lives` + 1: because a call takes effect atomically, a kill between two calls is the same as one before the
 * next.
 */
export function killable<Ports extends object>(
  ports: Ports,
  names: (keyof Ports)[],
  lives = Number.POSITIVE_INFINITY,
): Killable<Ports> {
  const death = Promise.withResolvers<void>();
  const grave = Promise.withResolvers<never>();
  grave.promise.catch(() => undefined);
  let calls = 0;

  function guard<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (calls >= lives) {
            death.resolve();
            return grave.promise;
          }
          calls += 1;
          return Reflect.apply(value, target, args);
        };
      },
    });
  }

  const guarded = Object.fromEntries(names.map((name) => [name, guard(ports[name] as object)]));
  return {
    ports: { ...ports, ...guarded },
    died: death.promise,
    calls: () => calls,
    bury: () => grave.reject(new Error('the process is gone')),
  };
}
