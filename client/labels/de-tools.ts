import type { Providers, Scopes, Services, Tools } from '../../shared/words/tool-words.ts'
import { words as documents } from '../../supabase/functions/docs-api/words.ts'
import { words as gmail } from '../../supabase/functions/gmail-api/words.ts'
import { words as models } from '../../supabase/functions/integration-settings/words.ts'
import { words as smtp } from '../../supabase/functions/smtp-api/words.ts'
import { providerWords, toolWords } from '../../supabase/functions/web-search-api/words.ts'

/** Our own tools, in German. */
export const germanTools: Tools = {
  ...documents.de.tools,
  ...gmail.de.tools,
  ...smtp.de.tools,
  ...toolWords.de,
}

/** What can be connected, in German. */
export const germanProviders: Providers = {
  ...documents.de.providers,
  ...gmail.de.providers,
  ...smtp.de.providers,
  ...models.de.providers,
}

/** The same for every provider of a service. */
export const germanServices: Services = {
  search: (name, { engine, keysFrom }) =>
    providerWords.de({ name, engine: String(engine), keysFrom: String(keysFrom) }),
}

/** What a sign-in has allowed, in German. */
export const germanScopes: Scopes = {
  ...documents.de.providers['google-docs'].scopes,
  ...gmail.de.providers.gmail.scopes,
}
