import type { Lane } from '../lane.ts';
import type { View } from '../views.ts';
import { chat } from './chat.ts';
import { datasetsRoom } from './datasets.ts';
import { filesRoom } from './files.ts';
import { firstPage } from './first-page.ts';
import { machines } from './machines.ts';
import { notesRoom } from './notes.ts';
import { palette } from './palette.ts';
import { papersRoom } from './papers.ts';
import { research } from './research.ts';
import { rules } from './rules.ts';
import { serviceRooms } from './service.ts';
import { skillsRoom } from './skills.ts';
import { tasksRoom } from './tasks.ts';

/** What the lane does in one room of the console. */
export interface Room {
  name: string;
  /** The room's job as a person does it; leaves something behind that its views show. */
  visit(lane: Lane, workspaceId: string): Promise<void>;
  /** Its views with something in them: for axe, the narrow page and the pictures. */
  views(lane: Lane, workspaceId: string): Promise<View[]>;
  /** Puts hostile texts into everything of others that the room shows; the views that show them. */
  plant?(lane: Lane, workspaceId: string, texts: string[]): Promise<View[]>;
}

export const ROOMS: Room[] = [
  firstPage,
  palette,
  filesRoom,
  chat,
  research,
  rules,
  machines,
  serviceRooms,
  notesRoom,
  papersRoom,
  datasetsRoom,
  tasksRoom,
  skillsRoom,
];
