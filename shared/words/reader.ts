/** Who reads: in which language and at which time. */
export interface Reader {
  /** BCP 47: one of our languages, with the reader's region if it is known. */
  locale: string
  /** Such as `Europe/Berlin`; undefined if it is not known. */
  timeZone?: string | undefined
}

/** What names a reader's language and time zone. */
export interface ReaderNames {
  /** What the client says of its user. */
  client: { language?: string | undefined; timeZone?: string | undefined }
  /** What the account's clients have said last. */
  account?: { language?: string | null | undefined; timeZone?: string | null | undefined }
  /** The header `accept-language`. */
  accepted?: string | null | undefined
}

/**
 * The reader of an answer. The language is the one that the client names, else the account's, else the first that the
 * browser accepts, each only if it is among `have`, else English. The time zone is the client's, else the account's.
 *
 * @example
 * decideReader({ client: { language: 'fr' }, account: { language: 'de-AT' } }, ['en', 'de']) // => { locale: 'de-AT' }
 */
export function decideReader({ client, account, accepted }: ReaderNames, have: readonly string[]): Reader {
  const locale = findTag([client.language, account?.language, ...acceptedTags(accepted ?? '')], have) ?? 'en'
  const timeZone = client.timeZone ?? account?.timeZone ?? undefined
  return timeZone === undefined ? { locale } : { locale, timeZone }
}

const longest = 64

/** The first tag of a language that is among `have`, such as `de-AT`, as BCP 47 writes it. `*` is no tag. */
export function findTag(
  given: readonly (string | null | undefined)[],
  have: readonly string[],
): string | undefined {
  return given.map(readTag).find((tag) => tag && nearestTag(tag.baseName, have))?.baseName
}

/**
 * The one of these languages that is nearest to a tag: its own, else that of its script or language.
 *
 * @example
 * nearestTag('de-AT', ['en', 'de']) // => 'de'
 */
export function nearestTag(tag: string, have: readonly string[]): string | undefined {
  const parts = tag.split('-')
  return parts
    .map((_, left) => parts.slice(0, parts.length - left).join('-'))
    .find((one) => have.includes(one))
}

/** A BCP 47 tag; undefined for anything else. Without extensions where it is used: those of others decide neither our digits nor our calendar. */
export function readTag(given: string | null | undefined): Intl.Locale | undefined {
  if (!given || given.length > longest) return undefined
  try {
    return new Intl.Locale(given.trim())
  } catch {
    return undefined
  }
}

/** The tags of an `accept-language` header, most wanted first. Servers send `*`, which is no tag. */
function acceptedTags(header: string): string[] {
  return header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [tag = '', weight] = part.split(/;\s*q=/)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
