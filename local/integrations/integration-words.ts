import * as z from 'zod'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { fieldsOf, providerLacks, toolLacks } from '../../shared/words/lacking-texts.ts'
import { templateFault } from '../../shared/words/template-fault.ts'
import type { ProviderWords, ToolWords } from '../../shared/words/tool-words.ts'

const text = z.string().regex(/\S/, 'a text is needed')
const fields = z.record(
  z.string(),
  z.strictObject({
    title: text.optional(),
    short: text.optional(),
    question: text.optional(),
    // Empty where the question and the title say it all.
    hint: z.string().optional(),
    unfit: text.optional(),
    choices: z.record(z.string(), text).optional(),
  }),
)

/** The words of an integration, perhaps with texts missing. */
export const wordsShape = z.record(
  z.string(),
  z.strictObject({
    tools: z.record(
      z.string(),
      z.strictObject({
        title: text.optional(),
        fields: fields.optional(),
        confirm: text.optional(),
        summary: text.optional(),
        button: text.optional(),
        past: text.optional(),
      }),
    ),
    providers: z.record(
      z.string(),
      z.strictObject({
        description: text.optional(),
        purpose: text.optional(),
        account: text.optional(),
        fields: fields.optional(),
        scopes: z.record(z.string(), text).optional(),
      }),
    ),
  }),
)

/** What is wrong with the words of an integration, as the end of a sentence; undefined if nothing is. Texts may be missing. */
export function findWordsFault({ tools, providers, words = {} }: Integration): string | undefined {
  for (const [language, said] of Object.entries(words)) {
    if (!isLanguage(language))
      return `its words name "${language}", which is no language. Use a BCP 47 tag, like "de" or "pt-BR".`
    if (language.toLowerCase() === 'en')
      return 'its words name "en". English is what the tools say without other words.'
    for (const { specification } of tools) {
      const { name, parameters } = specification
      const fault = faultOf(parameters, said.tools[name])
      if (fault) return `the words of "${name}" in "${language}" ${fault}.`
    }
    for (const { id, connection } of providers) {
      const fault = faultOf(connection, said.providers[id])
      if (fault) return `the words of "${id}" in "${language}" ${fault}.`
    }
  }
  return undefined
}

function faultOf(schema: JsonSchema, words: ToolWords | ProviderWords | undefined): string | undefined {
  const known = fieldsOf(schema).map(([path]) => path)
  const unknown = Object.keys(words?.fields ?? {}).find((path) => !known.includes(path))
  if (unknown !== undefined)
    return `name the field "${unknown}", which it does not have (it has ${known.join(', ') || 'none'})`
  for (const kind of ['confirm', 'summary', 'button', 'past'] as const) {
    const template = (words as ToolWords | undefined)?.[kind]
    const fault =
      template === undefined ? undefined : templateFault(template, Object.keys(schema.properties ?? {}))
    if (fault) return `have a ${kind} that ${fault}`
  }
  return undefined
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** By tool name or provider id, the words in each language that lacks none. */
export function completeWords({ tools, providers, words = {} }: Integration): {
  tools: Record<string, Record<string, ToolWords>>
  providers: Record<string, Record<string, ProviderWords>>
} {
  const complete = <One>(own: (language: string) => One | undefined, lacks: (said: One) => string[]) =>
    Object.fromEntries(
      Object.keys(words).flatMap((language): [string, One][] => {
        const said = own(language)
        return said && lacks(said).length === 0 ? [[language, said]] : []
      }),
    )
  return {
    tools: Object.fromEntries(
      tools.map(({ specification }) => [
        specification.name,
        complete(
          (language) => words[language]?.tools[specification.name],
          (said) => toolLacks(specification, said),
        ),
      ]),
    ),
    providers: Object.fromEntries(
      providers.map((provider) => [
        provider.id,
        complete(
          (language) => words[language]?.providers[provider.id],
          (said) => providerLacks(provider, said),
        ),
      ]),
    ),
  }
}

/**
 * What each language lacks, a sentence for each tool and provider that is English there because of it. `languages`: those
 * that it has words in, unless others are named.
 */
export function missingWords(
  { tools, providers, words = {} }: Integration,
  languages: readonly string[] = Object.keys(words),
): string[] {
  const known = [...tools.map(({ specification }) => specification.name), ...providers.map(({ id }) => id)]
  return languages.flatMap((language) => {
    const said = words[language] ?? { tools: {}, providers: {} }
    const strangers = [...Object.keys(said.tools), ...Object.keys(said.providers)].filter(
      (name) => !known.includes(name),
    )
    const lacking = [
      ...tools.map(({ specification }) => {
        const own = said.tools[specification.name]
        return [specification.name, own ? toolLacks(specification, own) : ['everything']] as const
      }),
      ...providers.map((provider) => {
        const own = said.providers[provider.id]
        return [provider.id, own ? providerLacks(provider, own) : ['everything']] as const
      }),
    ]
    return [
      ...lacking
        .filter(([, texts]) => texts.length > 0)
        .map(
          ([name, texts]) =>
            `"${name}" is English for readers of "${language}", because its words lack ${texts.join(', ')}.`,
        ),
      ...strangers.map(
        (name) => `The words in "${language}" name "${name}", which is no tool and no provider.`,
      ),
    ]
  })
}
