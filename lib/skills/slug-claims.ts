import { ifExpected, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { builtInSkills } from './built-in.ts';
import { type Skill, type SlugClaim, skills, slugClaims } from './schema.ts';

/**
 * In milliseconds: longer than any function that writes skills may run. A claim of this age without a skill
 * was left behind by a crash.
 */
const UNFINISHED_MS = 60_000;

/**
 * Claims the slug for this skill, before the skill itself is written. Returns false if another skill has the
 * slug.
 */
export async function claimSlug(ports: TimedRecords, skill: Skill): Promise<boolean> {
  const { records, clock } = ports;
  const { workspaceId, slug, id } = skill;
  if (workspaceId === null && builtInSkills().some((builtIn) => builtIn.slug === slug)) return false;
  const mine: SlugClaim = { workspaceId, slug, skillId: id, claimedAt: clock.now() };
  if (await slugClaims.create(records, mine)) return true;
  const held = await slugClaims.get(records, mine);
  if (held === undefined) return claimSlug(ports, skill); // Freed in the meantime.
  if (held.skillId !== id && (await isHeld(ports, held))) return false;
  // Later than the previous claim. So a process that is about to release the previous claim doesn't release
  // this one.
  const next = { ...mine, claimedAt: Math.max(mine.claimedAt, held.claimedAt + 1) };
  return slugClaims.put(records, next, { skillId: held.skillId, claimedAt: held.claimedAt });
}

async function isHeld({ records, clock }: TimedRecords, claim: SlugClaim): Promise<boolean> {
  if (claim.claimedAt > clock.now() - UNFINISHED_MS) return true;
  return (await claimant(records, claim)) !== undefined;
}

/** Returns the skill of a claim, if it still has, or already has, that slug. */
async function claimant(records: Records, claim: SlugClaim): Promise<Skill | undefined> {
  const skill = await skills.get(records, { id: claim.skillId });
  return skill?.slug === claim.slug && skill.workspaceId === claim.workspaceId ? skill : undefined;
}

/** Releases a claim that was read. Does nothing if it has been renewed since. */
export async function releaseSlug(records: Records, claim: SlugClaim | undefined): Promise<void> {
  if (claim === undefined) return;
  const { skillId, claimedAt } = claim;
  await ifExpected(slugClaims.delete(records, claim, { skillId, claimedAt }));
}

/** Returns the skill with a slug in a workspace, or among the global ones that aren't built in. */
export async function findBySlug(
  records: Records,
  workspaceId: string | null,
  slug: string,
): Promise<Skill | undefined> {
  const claim = await slugClaims.get(records, { workspaceId, slug });
  return claim && claimant(records, claim);
}
