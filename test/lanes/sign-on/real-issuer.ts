import type { Page } from 'playwright-core';

/** A provider with two people: `ann` is a member, `dan` has no role. */
export interface RealIssuer {
  name: string;
  url: string;
  /** The settings of the service for this provider. */
  environment: Record<string, string>;
  /** Signs in on the provider's page. */
  enter(page: Page, person: 'ann' | 'dan'): Promise<void>;
  /** Replaces the signing key; the old one is no longer published. */
  rotateKey(): Promise<void>;
  /** Sets the lifetime of access tokens that are issued from now on. */
  setLifetime(seconds: number): Promise<void>;
  /** Removes the person's account. */
  remove(person: 'ann'): Promise<void>;
}
