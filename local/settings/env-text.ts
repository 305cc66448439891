import { parseEnv } from 'node:util'

/** A comment, or a value in quotes, which may have lines that look like one. */
const commentOrQuoted = /^[ \t]*(?:#.*|(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`))/gm

/** The variables of a `.env` file. Node 20 takes an indented comment and the line after it for one variable. */
export function parseEnvText(text: string): Record<string, string | undefined> {
  return parseEnv(text.replaceAll(commentOrQuoted, (found) => found.trimStart()))
}
