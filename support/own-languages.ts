import type { Language } from '../shared/words/language.ts'
import { english } from '../shared/words/languages/english.ts'
import { german as ourGerman } from '../shared/words/languages/german.ts'
import { words as documents } from '../supabase/functions/docs-api/words.ts'
import { words as gmail } from '../supabase/functions/gmail-api/words.ts'
import { words as models } from '../supabase/functions/integration-settings/words.ts'
import { words as schedules } from '../supabase/functions/schedules-api/words.ts'
import { words as smtp } from '../supabase/functions/smtp-api/words.ts'
import { words as search } from '../supabase/functions/web-search-api/words.ts'

/** German with what our own tools and providers say in it, which the functions read from the database. */
export const german: Language = {
  ...ourGerman,
  tools: {
    ...documents.de.tools,
    ...gmail.de.tools,
    ...schedules.de.tools,
    ...smtp.de.tools,
    ...search.de.tools,
  },
  providers: {
    ...documents.de.providers,
    ...gmail.de.providers,
    ...smtp.de.providers,
    ...models.de.providers,
    ...search.de.providers,
  },
  scopes: { ...documents.de.providers['google-docs'].scopes, ...gmail.de.providers.gmail.scopes },
}

/** The languages of people. */
export const languages: Readonly<Record<string, Language>> = { en: english, de: german }
