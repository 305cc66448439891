import { z } from 'zod'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import { isObject } from '../../engine/core/json-value.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'
import { titleOf } from '../../engine/wording/tool-title.ts'
import { providerLacks, toolLacks } from '../../words/lacking-texts.ts'
import type { Language } from '../../words/language.ts'
import { isEnglish } from '../../words/languages/in-english.ts'
import { overlay } from '../../words/overlay.ts'
import { toolInEnglish } from '../../words/tool-in-english.ts'
import type { Providers, ProviderWords, Tools, ToolWords } from '../../words/tool-words.ts'
import { specificationSchema } from './answer-schemas.ts'
import { askDatabase } from './ask-database.ts'
import type { CallRpc } from './call-rpc.ts'

const wordsSchema = z.object({
  version: z.string(),
  tools: z.record(z.string(), z.custom<ToolWords>(isObject)),
  providers: z.record(z.string(), z.custom<ProviderWords>(isObject)),
})

type Words = z.infer<typeof wordsSchema>

/** What tools and providers say in English, of `load_catalogue`. */
const catalogueSchema = z.object({
  version: z.string(),
  tools: z.array(z.object({ specification: specificationSchema })),
  providers: z.array(
    z.object({
      id: z.string(),
      connection: z.custom<JsonSchema>(isObject),
      oauth: z.custom<{ words?: object }>(isObject).nullable(),
    }),
  ),
})

type Catalogue = z.infer<typeof catalogueSchema>

/** The words that this process has read, by language. */
const known = new Map<string, Words>()
let knownCatalogue: Catalogue | undefined

/**
 * The language with the words of the tools and providers that have any in it; the others stay English. For English readers,
 * nothing is read unless the project has English words of its own: the catalogue is in English. Words that cannot be read
 * now are as they were read last.
 *
 * @param version of the catalogue, if it is known: then words that are still the same are not asked for
 */
export async function withToolWords(rpc: CallRpc, language: Language, version?: string): Promise<Language> {
  const { otherwise } = language
  const inEnglish = otherwise && { otherwise: await withToolWords(rpc, otherwise, version) }
  const read = isEnglish(language)
    ? await readEnglish(rpc, language, version)
    : await readWords(rpc, tagOf(language), version)
  const own = await completeOwn(rpc, read, language)
  const tools = { ...withOwn(read.tools, language.tools), ...own.tools }
  const providers = { ...withOwn(read.providers, language.providers), ...own.providers }
  const scopes = Object.assign({}, ...Object.values(providers).map((provider) => provider.scopes))
  return { ...language, tools, providers, scopes, ...inEnglish }
}

/** Without what clients can make up. */
function tagOf({ locale }: Language): string {
  const { language, script, region } = new Intl.Locale(locale)
  return [language, script, region].filter(Boolean).join('-')
}

/** Of English, only the version is asked for, and only if there is something to complete. */
async function readEnglish(rpc: CallRpc, { tools, providers }: Language, version?: string): Promise<Words> {
  const isOwn = Object.keys({ ...tools, ...providers }).length > 0
  return isOwn ? await readWords(rpc, 'en', version) : { version: '', tools: {}, providers: {} }
}

/** With what the project says instead. */
function withOwn<Words extends object>(
  stored: Readonly<Record<string, Words>>,
  own: Readonly<Record<string, Words>>,
): Record<string, Words> {
  return Object.fromEntries(Object.entries(stored).map(([name, words]) => [name, overlay(words, own[name])]))
}

/**
 * What the project says of tools and providers that have no words in the language: in English with what they say
 * themselves, else only if nothing is missing, because their sentences would be in two languages.
 */
async function completeOwn(
  rpc: CallRpc,
  read: Words,
  language: Language,
): Promise<{ tools: Tools; providers: Providers }> {
  const isOther =
    (stored: object) =>
    ([name]: [string, unknown]) =>
      !Object.hasOwn(stored, name)
  const tools = Object.entries(language.tools).filter(isOther(read.tools))
  const providers = Object.entries(language.providers).filter(isOther(read.providers))
  const catalogue = tools.length + providers.length > 0 ? await readCatalogue(rpc, read.version) : undefined
  const inEnglish = isEnglish(language)
  return {
    tools: Object.fromEntries(
      tools.flatMap(([name, own]): [string, ToolWords][] => {
        const { specification } = catalogue?.tools.find((one) => one.specification.name === name) ?? {}
        if (!specification) return []
        if (inEnglish) return [[name, sayInOwnEnglish(specification, own)]]
        return toolLacks(specification, own).length === 0 ? [[name, own]] : []
      }),
    ),
    providers: Object.fromEntries(
      providers.flatMap(([id, own]): [string, ProviderWords][] => {
        const provider = catalogue?.providers.find((one) => one.id === id)
        if (!provider) return []
        if (inEnglish) return [[id, { ...own, fields: own.fields ?? {} }]]
        return providerLacks(provider, own).length === 0 ? [[id, own]] : []
      }),
    ),
  }
}

/** A tool's own words with those of the project; its other fields stay as its schema has them. */
function sayInOwnEnglish(specification: ToolSpecification, own: Partial<ToolWords>): ToolWords {
  return overlay({ ...toolInEnglish(titleOf(specification), specification), fields: {} }, own)
}

async function readCatalogue(rpc: CallRpc, version: string): Promise<Catalogue | undefined> {
  if (version === '' || knownCatalogue?.version === version) return knownCatalogue
  const read = askDatabase(rpc('load_catalogue', {}), catalogueSchema)
  knownCatalogue = await read.catch(() => knownCatalogue)
  return knownCatalogue
}

async function readWords(rpc: CallRpc, tag: string, version: string | undefined): Promise<Words> {
  const last = known.get(tag)
  if (last && last.version === version) return last
  const args = { p_language: tag, p_version: last?.version ?? null }
  const read = await askDatabase(rpc('load_words', args), wordsSchema.nullable()).catch(() => null)
  if (read) known.set(tag, read)
  return read ?? last ?? { version: '', tools: {}, providers: {} }
}
