/**
 * What Google is asked for, by tool. `drive.file` is enough for all of them: the app sees the documents that it made
 * and none besides, and Google counts it as non-sensitive, so no review of the app is needed
 * (developers.google.com/workspace/drive/api/guides/api-specific-auth). Wider scopes that a user has granted do as well.
 */
const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
const files = [scope('drive.file'), scope('drive')]

export const documentScopes = {
  docs_create_document: files,
  docs_read_document: files,
  docs_append_text: files,
  docs_replace_text: files,
  docs_search: files,
  docs_share: files,
} as const satisfies Record<string, readonly string[]>
