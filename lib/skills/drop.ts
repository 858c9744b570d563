import type { Records } from '../ports/records.ts';
import { skills, skillsPartition, slugClaims } from './schema.ts';

/** Removes the skills of a deleted workspace, and their slugs. */
export async function dropSkills(records: Records, workspaceId: string): Promise<void> {
  const listed = { partition: skillsPartition(workspaceId), byIndex: true };
  for await (const skill of skills.all(records, listed)) {
    await skills.delete(records, skill);
    await slugClaims.delete(records, skill);
  }
}
