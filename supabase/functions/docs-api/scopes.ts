/**
 * The scopes to request from Google, by tool. `drive.file` is enough for all of them: the app sees only the documents
 * that it created, and Google classifies it as non-sensitive, so the app needs no review
 * (developers.google.com/workspace/drive/api/guides/api-specific-auth). Wider scopes that a user has granted also work.
 */
const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
export const driveFile = scope('drive.file')
export const wholeDrive = scope('drive')
const files = [driveFile, wholeDrive]

/** What users have allowed, for the settings page. */
export const scopeWords: Readonly<Record<string, string>> = {
  [driveFile]: 'Create, read, edit and share documents created here; no access to other files',
  [wholeDrive]: 'Read and edit every file in the Drive',
}

export const documentScopes = {
  docs_create_document: files,
  docs_read_document: files,
  docs_append_text: files,
  docs_replace_text: files,
  docs_search: files,
  docs_share: files,
} as const satisfies Record<string, readonly string[]>
