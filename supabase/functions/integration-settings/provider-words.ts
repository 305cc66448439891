import type { ToolResult } from '../../../shared/engine/core/tool-error.ts'
import { sayForm } from '../../../shared/words/form-words.ts'
import type { Language } from '../../../shared/words/language.ts'
import { providerOf, sayOwn } from '../../../shared/words/say.ts'
import type { ShownConnection, showProvider } from './show-connection.ts'

type ShownProvider = ReturnType<typeof showProvider>

/** The language, with what is said differently in the settings themselves. */
export function asInSettings(language: Language): Language {
  return { ...language, said: { ...language.said, ...language.inSettings } }
}

/** A provider in the language of its reader. */
export function sayProvider(language: Language, shown: ShownProvider): ShownProvider {
  const own = providerOf(language, shown.id)
  return {
    ...shown,
    ...(own ? { description: own.description, connection: sayForm(own, shown.connection) } : {}),
    connections: shown.connections.map((one) => sayConnection(language, one)),
  }
}

/** A connection in the language of its reader: what it allows, and what went wrong with it. */
export function sayConnection(language: Language, connection: ShownConnection): ShownConnection {
  const { scopes = [], allowed, lastError, lastSaid } = connection
  const { scopes: words } = language
  const said = scopes.flatMap((scope) => (Object.hasOwn(words, scope) ? [words[scope] ?? ''] : []))
  return {
    ...connection,
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
