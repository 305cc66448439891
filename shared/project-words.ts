/** What a project's own words are made from; a project imports it as `_askback/words.js`. */
export type { ProjectWords } from './server/reader/project-words.ts'
export { formalGerman } from './words/formal-german/formal-german.ts'
