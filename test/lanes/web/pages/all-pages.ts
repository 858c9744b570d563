import type { Lane } from '../lane.ts';
import type { View } from '../views.ts';
import { answersPage } from './answers.ts';
import { approvals } from './approvals.ts';
import { asking } from './asking.ts';
import { brokenPage } from './broken.ts';
import { chat } from './chat.ts';
import { datasetsPage } from './datasets.ts';
import { documentsPage } from './documents.ts';
import { draftsPage } from './drafts.ts';
import { everydayPage } from './everyday.ts';
import { evidencePage } from './evidence.ts';
import { feedbackPage } from './feedback.ts';
import { filesPage } from './files.ts';
import { firstMinutes } from './first-minutes.ts';
import { firstPage } from './first-page.ts';
import { foldersPage } from './folders.ts';
import { framesPage } from './frames.ts';
import { indexState } from './index-state.ts';
import { judgePage } from './judge.ts';
import { machines } from './machines.ts';
import { memoryPage } from './memory.ts';
import { newcomer } from './newcomer.ts';
import { notesPage } from './notes.ts';
import { palette } from './palette.ts';
import { papersPage } from './papers.ts';
import { readingPage } from './reading.ts';
import { research } from './research.ts';
import { rules } from './rules.ts';
import { servicePages } from './service.ts';
import { severalPage } from './several.ts';
import { skillsPage } from './skills.ts';
import { sourcesPage } from './sources.ts';
import { storyPages } from './story.ts';
import { supportPage } from './support.ts';
import { tasksPage } from './tasks.ts';
import { terminalPage } from './terminal.ts';
import { turns } from './turns.ts';
import { uploadsPage } from './uploads.ts';

/** Actions of the lane on one page of the console. */
export interface ConsolePage {
  name: string;
  /**
   * True if it needs no part of the lane's workspace, so it runs in parallel with the others, with a separate
   * service.
   */
  isApart?: true;
  /** Uses the page as a person does, and leaves data that its views show. */
  visit(lane: Lane, workspaceId: string): Promise<void>;
  /** Returns its views with content, for axe, the narrow page, and the pictures. */
  views(lane: Lane, workspaceId: string): Promise<View[]>;
  /** Puts malicious texts into all untrusted content of the page, and returns the views that show them. */
  plant?(lane: Lane, workspaceId: string, texts: string[]): Promise<View[]>;
}

export const PAGES: ConsolePage[] = [
  firstPage,
  firstMinutes,
  newcomer,
  foldersPage,
  palette,
  filesPage,
  uploadsPage,
  chat,
  answersPage,
  severalPage,
  supportPage,
  judgePage,
  readingPage,
  framesPage,
  everydayPage,
  indexState,
  research,
  draftsPage,
  evidencePage,
  brokenPage,
  sourcesPage,
  rules,
  asking,
  approvals,
  machines,
  terminalPage,
  servicePages,
  feedbackPage,
  notesPage,
  memoryPage,
  papersPage,
  documentsPage,
  datasetsPage,
  tasksPage,
  turns,
  ...storyPages,
  skillsPage,
];
