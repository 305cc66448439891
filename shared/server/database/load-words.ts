import { z } from 'zod'
import type { Language } from '../../words/language.ts'
import { overlay } from '../../words/overlay.ts'
import type { ProviderWords, ToolWords } from '../../words/tool-words.ts'
import { askDatabase } from './ask-database.ts'
import type { CallRpc } from './call-rpc.ts'

const isWords = (value: unknown) => typeof value === 'object' && value !== null

const wordsSchema = z.object({
  version: z.string(),
  tools: z.record(z.string(), z.custom<ToolWords>(isWords)),
  providers: z.record(z.string(), z.custom<ProviderWords>(isWords)),
})

type Words = z.infer<typeof wordsSchema>

/** The words that this process has read, by language. */
const known = new Map<string, Words>()

/**
 * The language with the words of the tools and providers that have any in it; the others stay English. Nothing is read for
 * English readers: the catalogue is in English. Words that cannot be read now are as they were read last.
 *
 * @param version of the catalogue, if it is known: then words that are still the same are not asked for
 */
export async function withToolWords(rpc: CallRpc, language: Language, version?: string): Promise<Language> {
  const { language: name, script, region } = new Intl.Locale(language.locale)
  if (name === 'en') return language
  // Without what clients can make up.
  const tag = [name, script, region].filter(Boolean).join('-')
  const read = await readWords(rpc, tag, version)
  const tools = withOwn(read.tools, language.tools)
  const providers = withOwn(read.providers, language.providers)
  const scopes = Object.assign({}, ...Object.values(providers).map((provider) => provider.scopes))
  return { ...language, tools, providers, scopes }
}

/** With what the project says instead. Words that nobody else completes would be in two languages. */
function withOwn<Words extends object>(
  stored: Readonly<Record<string, Words>>,
  own: Readonly<Record<string, Words>>,
): Record<string, Words> {
  return Object.fromEntries(Object.entries(stored).map(([name, words]) => [name, overlay(words, own[name])]))
}

async function readWords(rpc: CallRpc, tag: string, version: string | undefined): Promise<Words> {
  const last = known.get(tag)
  if (last && last.version === version) return last
  const args = { p_language: tag, p_version: last?.version ?? null }
  const consequence = 'so what tools say is not known in this language.'
  const read = await askDatabase(rpc('load_words', args), wordsSchema.nullable(), consequence).catch(
    () => null,
  )
  if (read) known.set(tag, read)
  return read ?? last ?? { version: '', tools: {}, providers: {} }
}
