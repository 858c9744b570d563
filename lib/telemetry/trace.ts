/** What a trace says of a piece of work: names of operations, ids, sizes, numbers. Never a path, a question, a text or a key. */
export type TraceFields = Record<string, string | number | boolean | undefined>;

/** Whether it answers a request, sends a message, handles one, asks somebody outside, or is a step within. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';

export interface SpanOptions {
  kind?: SpanKind;
  fields?: TraceFields;
  /** W3C traceparents of what led to it, in other processes: it goes on with the first, and is linked to the others. */
  parents?: string[];
}

export interface Span {
  /** W3C, for who goes on with the work elsewhere. */
  traceparent: string;
  /** Does work whose own spans are parts of this one. */
  run<Result>(work: () => Result): Result;
  /** Ends the span. Only the name of an error is told: its message may quote what it is about. */
  end(fields?: TraceFields, error?: unknown): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

let tracer: Tracer | undefined;

/** Begins tracing in this process; without it all of this costs a comparison. */
export function useTracer(given: Tracer): void {
  tracer = given;
}

export function isTraced(): boolean {
  return tracer !== undefined;
}

/** For work that is no single call; whoever starts a span ends it. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.start(name, options);
}

/** Does the work as a span of the trace. `tell` adds what is known when it is done. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
  tell: (result: Result) => TraceFields = () => ({}),
): Promise<Result> {
  const span = startSpan(name, options);
  if (span === undefined) return work();
  try {
    const result = await span.run(work);
    span.end(tell(result));
    return result;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}
