import type { ProjectWords } from '../../shared/server/reader/project-words.ts'

/** Your own words for what Askback says to people, in place of ours: docs/your-own-words.md. */
export const words: ProjectWords = {}
