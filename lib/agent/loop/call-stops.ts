/** The calls of a run that a person stops one by one. */
export interface CallStops {
  /** Returns a signal that is aborted when the person stops this call. */
  signalOf(toolCallId: string): AbortSignal;
  stop(toolCallIds: string[]): void;
}

export function callStops(): CallStops {
  const controllers = new Map<string, AbortController>();
  const controllerOf = (id: string) => {
    const controller = controllers.get(id) ?? new AbortController();
    controllers.set(id, controller);
    return controller;
  };
  return {
    signalOf: (id) => controllerOf(id).signal,
    stop(ids) {
      for (const id of ids) controllerOf(id).abort();
    },
  };
}
