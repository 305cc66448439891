import type { DocumentStore, FoundDocuments } from './document-store.ts'

/**
 * Searches one store after the other, because users who connect Google keep their earlier documents. A page token
 * consists of the store to continue with and that store's own token: `google-docs:abc`.
 */
export async function findDocuments(
  stores: readonly DocumentStore[],
  query: string,
  { size, token = '' }: { size: number; token: string | undefined },
): Promise<FoundDocuments> {
  const [name = '', own = ''] = splitToken(token)
  const begin = Math.max(
    stores.findIndex(({ id }) => id === name),
    0,
  )
  const documents: FoundDocuments['documents'] = []
  for (const [index, store] of stores.entries()) {
    if (index < begin) continue
    const missing = size - documents.length
    if (missing === 0) return { documents, next_page_token: `${store.id}:` }
    const page = { size: missing, token: index === begin && own !== '' ? own : undefined }
    const found = await store.search(query, page)
    documents.push(...found.documents)
    if (found.next_page_token) return { documents, next_page_token: `${store.id}:${found.next_page_token}` }
  }
  return { documents }
}

function splitToken(token: string): [string, string] {
  const at = token.indexOf(':')
  return at === -1 ? ['', ''] : [token.slice(0, at), token.slice(at + 1)]
}
