const scope = (name: string) => `https://www.googleapis.com/auth/gmail.${name}`

/** Google's scopes for Gmail, with the class that decides how an app is verified for them. */
export const gmailScopes = {
  /** Sensitive. Sends without reading: if the answer to a send is lost, only the user can say what happened. */
  send: scope('send'),
  /** Restricted. Drafts and sending; received mail cannot be read. */
  compose: scope('compose'),
  /** Restricted. Reads all mail and changes nothing: no drafts, no sending. */
  readonly: scope('readonly'),
  /** Restricted. Everything except permanent deletion. */
  modify: scope('modify'),
  /** Restricted. Everything. */
  all: 'https://mail.google.com/',
} as const

const { send, compose, readonly, modify, all } = gmailScopes

/** What users have allowed, for the settings page. */
export const scopeWords: Readonly<Record<string, string>> = {
  [send]: 'Send mail, without seeing any',
  [compose]: 'Write drafts and send mail, without reading what came in',
  [readonly]: 'Read all mail, without changing anything',
  [modify]: 'Read, write, send and sort mail; nothing is deleted for good',
  [all]: 'Everything in the mailbox, deleting for good too',
}

/** Scopes that allow creating and sending drafts. */
export const drafting: readonly string[] = [compose, modify, all]

/** Scopes that allow reading mail. */
const reading: readonly string[] = [modify, readonly, all]

/**
 * The scopes of each tool: any one is enough, the first is requested. Source: the "Authorization scopes" of each call at
 * https://developers.google.com/workspace/gmail/api/reference/rest; classes:
 * https://developers.google.com/workspace/gmail/api/auth/scopes.
 */
export const scopesByTool = {
  gmail_send_email: [send, compose, modify, all],
  gmail_create_draft: [...drafting],
  gmail_search_emails: [...reading],
  gmail_read_emails: [...reading],
  gmail_email_actions: [modify, all],
  'gmail_email_actions:delete_forever': [all],
  gmail_manage_labels: [modify, all],
  'gmail_manage_labels:list': [...reading],
} as const satisfies Record<string, readonly string[]>
