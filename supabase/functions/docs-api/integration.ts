import {
  type Integration,
  type IntegrationProvider,
  integrationTool,
} from '../../../shared/integrations/definition/integration.ts'
import {
  appendParameters,
  createParameters,
  readParameters,
  replaceParameters,
  restoreParameters,
  searchParameters,
  shareParameters,
} from './parameters.ts'
import { documentScopes, scopeWords } from './scopes.ts'
import { words } from './words.ts'

export const googleDocs: IntegrationProvider = {
  id: 'google-docs',
  name: 'Google Docs',
  description: 'Creates, reads and edits documents in your Google Drive, but only those created here.',
  service: 'document',
  purpose: 'work with your Google documents',
  oauth: { server: 'google', scopes: documentScopes, words: scopeWords },
  connection: { type: 'object', properties: {}, additionalProperties: false },
}

/** The document store that everybody has, without any account. */
export const builtInDocuments: IntegrationProvider = {
  id: 'askback-docs',
  name: 'Documents',
  description: 'Documents that are kept here, for you alone. Nothing has to be connected.',
  service: 'document',
  purpose: 'keep documents',
  builtIn: true,
  connection: { type: 'object', properties: {}, additionalProperties: false },
}

const providers = [googleDocs.id, builtInDocuments.id]

/** By its title, if the conversation has it: nobody knows a document by its id. */
const theDocument = '[the document {document_id:title}|a document]'
/** Where a document has several. */
const theTab = '[ in the tab {tab}]'
const roleWords = '{role=reader:read it|commenter:comment on it|writer:change it}'

export const createDocument = integrationTool({
  name: 'docs_create_document',
  title: 'Create document',
  confirm: 'Create the document "{title}"?',
  summary: 'Created the document "{output.title}"',
  button: 'Create document',
  past: 'created',
  description: 'Creates a document with a title and, if given, its content in Markdown. Returns its id.',
  parameters: createParameters,
  effect: 'write',
  reversible: true,
  approval: 'never',
  action: 'create_document',
  providers,
})

export const readDocument = integrationTool({
  name: 'docs_read_document',
  title: 'Read document',
  summary: 'Read the document "{output.title}"',
  description:
    'Reads a document as Markdown, a long one in parts. If it has tabs, each begins with a comment that names it.',
  parameters: readParameters,
  effect: 'read',
  private: true,
  action: 'read_document',
  providers,
  maxOutputBytes: 128 * 1024,
  readsOn: { parameter: 'from', text: 'content' },
})

export const appendText = integrationTool({
  name: 'docs_append_text',
  title: 'Add to document',
  confirm: `Add {text} to ${theDocument}${theTab}?`,
  summary: `Added {text} to ${theDocument}[ in the tab {output.tab}]`,
  button: 'Add text',
  past: 'added',
  description: 'Adds Markdown text at the end of a document or of one of its tabs; the rest stays unchanged.',
  parameters: appendParameters,
  effect: 'write',
  repeats: true,
  reversible: true,
  approval: 'never',
  looks: true,
  action: 'append_text',
  providers,
})

export const replaceText = integrationTool({
  name: 'docs_replace_text',
  title: 'Replace text in document',
  confirm: `Replace words in ${theDocument}${theTab}?`,
  summary: `Replaced {find} with {replace} in ${theDocument}[ in the tab {output.tab}]`,
  button: 'Replace text',
  past: 'replaced',
  description:
    'Replaces a text everywhere in a document, or in one of its tabs. It must match exactly, including case, and lie within one paragraph.',
  parameters: replaceParameters,
  effect: 'write',
  repeats: true,
  reversible: true,
  approval: 'never',
  destructive: true,
  looks: true,
  action: 'replace_text',
  providers,
})

/** Google's API cannot restore a version. */
export const restoreVersion = integrationTool({
  name: 'docs_restore_version',
  title: 'Restore document',
  confirm: `Restore an earlier version of ${theDocument}?`,
  summary: `Restored an earlier version of ${theDocument}`,
  button: 'Restore version',
  past: 'restored',
  description:
    'Restores a document as it was before its last change, or at a given revision of the last 30 days, and lists the revisions that are kept. Only for documents kept here, not for Google Docs.',
  parameters: restoreParameters,
  effect: 'write',
  reversible: true,
  approval: 'never',
  destructive: true,
  looks: true,
  action: 'restore_version',
  providers: [builtInDocuments.id],
})

export const searchDocuments = integrationTool({
  name: 'docs_search',
  title: 'Search documents',
  summary: 'Searched the documents for "{query}": {output.documents#document|documents}',
  description: 'Finds documents by words of their title or text.',
  parameters: searchParameters,
  effect: 'read',
  private: true,
  action: 'search',
  providers,
})

/** Only Google can share a document with somebody else. */
export const shareDocument = integrationTool({
  name: 'docs_share',
  title: 'Share document',
  confirm: `Share ${theDocument} with {emails~people}, who may ${roleWords}?`,
  summary: `Shared ${theDocument} with {emails~people}, who may ${roleWords}`,
  button: 'Share',
  past: 'shared',
  description:
    'Gives people access to a document by their email addresses; Google tells them by mail. Use only addresses that the user named.',
  parameters: shareParameters,
  effect: 'write',
  approval: 'always',
  looks: true,
  action: 'share',
  providers: [googleDocs.id],
})

export const integration: Integration = {
  name: 'docs-api',
  providers: [googleDocs, builtInDocuments],
  tools: [
    createDocument,
    readDocument,
    appendText,
    replaceText,
    restoreVersion,
    searchDocuments,
    shareDocument,
  ],
  words,
}
