import { z } from 'zod'
import { type RequestReader, readReader } from '../../api/reader.ts'
import type { Language } from '../../words/language.ts'
import { languageFor, languageTags } from '../../words/languages/languages.ts'
import { decideReader, type Reader } from '../../words/reader.ts'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { withToolWords } from '../database/load-words.ts'
import { ApiError } from '../http/api-error.ts'

/** What the clients of an account have named last (SQL `reader_of`). */
const accountSchema = z.object({ timezone: z.string().nullish(), language: z.string().nullish() })
type AccountReader = z.infer<typeof accountSchema>

/** What a turn has loaded: its user, and the version of the catalogue. */
interface Loaded {
  user: AccountReader
  catalogue: string
}

/**
 * The language in which the answer to a request is read, with what tools say in it. The account is looked up only if the
 * request does not say enough, and no turn has loaded it; an answer is read in English if that fails.
 */
export async function readersLanguage(
  rpc: CallRpc,
  userId: string | undefined,
  { client, accepted }: RequestReader = { client: {} },
  loaded?: Loaded,
): Promise<Language> {
  const reader = await findReader(rpc, userId, { client, accepted }, loaded?.user)
  return await withToolWords(rpc, languageFor(reader), loaded?.catalogue)
}

/** Every language, with what tools say in it. `catalogue`: its version, if it is known. */
export async function everyLanguage(rpc: CallRpc, catalogue?: string): Promise<Language[]> {
  const all = languageTags().map((locale) => languageFor({ locale }))
  return await Promise.all(all.map((language) => withToolWords(rpc, language, catalogue)))
}

async function findReader(
  rpc: CallRpc,
  userId: string | undefined,
  { client, accepted }: RequestReader,
  known?: AccountReader,
): Promise<Reader> {
  const isSaid = client.language !== undefined && client.timeZone !== undefined
  const account = known ?? (isSaid || userId === undefined ? undefined : await lookUp(rpc, userId))
  const names = { client, accepted, account: { language: account?.language, timeZone: account?.timezone } }
  return decideReader(names, languageTags())
}

/** The variable of a request by which a refusal knows whose it is. */
export interface Refused {
  userId?: string
}

/** The language of a refusal. No account is looked up in a flood, or where the database may be what does not answer. */
export async function refusalLanguage(
  rpc: CallRpc,
  userId: string | undefined,
  { headers }: Request,
  error: unknown,
): Promise<Language> {
  const reader = readReader(headers)
  const status = error instanceof ApiError ? error.status : 500
  const isKnown = reader.client.language !== undefined || status === 429 || status >= 500
  return languageFor(await findReader(rpc, isKnown ? undefined : userId, reader))
}

async function lookUp(rpc: CallRpc, userId: string): Promise<AccountReader | undefined> {
  const asked = rpc('reader_of', { p_user_id: userId })
  return await askDatabase(asked, accountSchema).catch(() => undefined)
}
