import { defaultResolver, type ToolErrorType } from '../../core/tool-error.ts'
import { type CodeTable, type Meaning, normaliseCode } from '../rules/verdict.ts'
import { githubCodes } from './github.ts'
import { googleCodes } from './google.ts'
import { languageModelCodes } from './language-models.ts'
import { mcpCodes } from './mcp.ts'
import { messagingCodes } from './messaging.ts'
import { microsoftCodes } from './microsoft.ts'
import { networkCodes, networkFamilies } from './network.ts'
import { notionCodes } from './notion.ts'
import { paymentCodes } from './payments.ts'
import { postgresCodes, sqlStateClasses } from './postgres.ts'
import { searchCodes } from './search.ts'
import { slackCodes } from './slack.ts'
import { nodemailerCodes } from './smtp.ts'

/** Our own error types, as older tools return them. */
const ownCodes: CodeTable = (Object.keys(defaultResolver) as ToolErrorType[]).map((type) => [{ type }, type])

/** Where two providers use one code, the earlier table holds. */
const tables: readonly CodeTable[] = [
  networkCodes,
  nodemailerCodes,
  mcpCodes,
  postgresCodes,
  googleCodes,
  languageModelCodes,
  searchCodes,
  notionCodes,
  slackCodes,
  microsoftCodes,
  messagingCodes,
  paymentCodes,
  githubCodes,
  ownCodes,
]

const meanings = new Map<string, Meaning>()
for (const [meaning, codes] of tables.flat()) {
  for (const code of codes.split(/\s+/)) {
    const key = normaliseCode(code)
    if (!meanings.has(key)) meanings.set(key, meaning)
  }
}

/** What a code means, if any provider documents it. Numeric codes are written `#21211`. */
export function meaningOfCode(code: string): Meaning | undefined {
  return (
    meanings.get(normaliseCode(code)) ??
    networkFamilies.find(([family]) => family.test(code))?.[1] ??
    (/^[0-9A-Z]{5}$/.test(code) ? sqlStateClasses[code.slice(0, 2)] : undefined)
  )
}
