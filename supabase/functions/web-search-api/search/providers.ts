import { brave } from './brave.ts'
import type { SearchProvider } from './search-provider.ts'
import { serpapi } from './serpapi.ts'
import { serper } from './serper.ts'

/** Every search provider, in the order in which they are offered. A new one needs a file of its own, imported and named here. */
export const searchProviders: readonly SearchProvider[] = [serper, serpapi, brave]
