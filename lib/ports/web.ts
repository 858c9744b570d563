/** The public internet, at addresses that a user or a model gave. */
export interface Web {
  /**
   * Gets what lies at an address, through redirects; never from an address that is not public: every one that a name
   * has is checked, and the connection goes to one of those. Any status is answered, with its body. Throws InvalidInput
   * for an address that is refused, UpstreamFailed when nothing (or too much) comes back in time, and the signal's reason.
   */
  fetchPublic(url: string, request: WebRequest): Promise<WebAnswer>;
}

export interface WebRequest {
  /** The most bytes of the body after decompression; a longer one is given up. */
  maxBytes: number;
  /** Covers everything: names, redirects and the body. */
  timeoutMs: number;
  /** Media types, as in the header; default anything. */
  accept?: string;
  /** Plain http too, also where https redirects to it. */
  allowHttp?: boolean;
  /** Asked of each address, redirects too, before its name is resolved; throws for one that is not to be visited. */
  check?: ((url: URL) => void) | undefined;
  signal?: AbortSignal;
}

export interface WebAnswer {
  /** Where it was found in the end. */
  url: string;
  status: number;
  /** The type as sent; empty when none was. */
  contentType: string;
  bytes: Buffer;
}
