import type { ToolResult } from '../../../shared/engine/core/tool-error.ts'
import { withoutNothing } from '../../../shared/engine/core/without-nothing.ts'
import { sayForm } from '../../../shared/words/form-words.ts'
import type { Language } from '../../../shared/words/language.ts'
import { providerOf, sayOwn } from '../../../shared/words/say.ts'
import type { FoundConnection, ShownConnection, showProvider } from './show-connection.ts'

type FoundProvider = ReturnType<typeof showProvider>
type ShownProvider = Omit<FoundProvider, 'connections'> & { connections: ShownConnection[] }

/** The language, with what is said differently in the settings themselves. */
export function asInSettings(language: Language): Language {
  const { said, inSettings, otherwise } = language
  const inEnglish = otherwise && { otherwise: asInSettings(otherwise) }
  return { ...language, said: { ...said, ...inSettings }, ...inEnglish }
}

/** A provider in the language of its reader. */
export function sayProvider(language: Language, shown: FoundProvider): ShownProvider {
  const own = providerOf(language, shown.id)
  return {
    ...shown,
    // The English words of a project may leave the description as it is.
    ...(own
      ? { description: own.description ?? shown.description, connection: sayForm(own, shown.connection) }
      : {}),
    connections: shown.connections.map((one) => sayConnection(language, one)),
  }
}

/** A connection in the language of its reader: what it allows, and what went wrong with it. */
export function sayConnection(language: Language, connection: FoundConnection): ShownConnection {
  const { unavailable, ...shown } = connection
  const { scopes = [], allowed, lastError, lastSaid } = shown
  const { scopes: words } = language
  const said = scopes.flatMap((scope) => (Object.hasOwn(words, scope) ? [words[scope] ?? ''] : []))
  return {
    ...shown,
    ...withoutNothing({
      unavailable: unavailable?.map(({ tool, said }) => ({ tool, reason: sayOwn(language, said) })),
    }),
    ...(allowed && said.length === allowed.length ? { allowed: said } : {}),
    ...(lastError === null ? {} : { lastError: sayOwn(language, { ...lastSaid, text: lastError }) }),
  }
}

/** The result of a test in the language of its reader. English keeps the mark of a question. */
export function sayTested<Result extends ToolResult>(language: Language, result: Result): Result {
  if (result.ok || language.locale.startsWith('en')) return result
  const { asked } = result.details
  return { ...result, error: sayOwn(language, { ...asked, text: result.error }) }
}
