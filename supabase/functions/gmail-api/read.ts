import { askedInEnglish } from '../../../shared/engine/core/asked.ts'
import { countCharacters, sliceCharacters } from '../../../shared/engine/core/characters.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type {
  ActionContext,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import type { Gmail, GmailSettings } from './gmail.ts'
import { eachInBatches } from './in-batches.ts'
import { gmailReadEmails, gmailSearchEmails } from './integration.ts'
import { findLabels, namesOf } from './labels.ts'
import { loadTexts } from './load-texts.ts'
import { type MailView, showMails } from './mail-view.ts'
import { openMailbox } from './mailbox.ts'
import type { ReadParameters, SearchParameters } from './parameters.ts'
import type { Message } from './resources.ts'

interface Listing {
  messages: MailView[]
  next_page_token?: string
  /** Requested ids that do not exist. */
  missing?: string[]
}

const defaultResults = 10
/** For an email that is listed without its text. */
const shownHeaders = ['From', 'To', 'Cc', 'Reply-To', 'Subject']

export function searchEmails(settings: GmailSettings): IntegrationAction<SearchParameters> {
  return {
    tool: gmailSearchEmails,
    chooses: true,
    run: (params, context) => list('gmail_search_emails', params, context, settings),
  }
}

export function readEmails(settings: GmailSettings): IntegrationAction<ReadParameters> {
  return {
    tool: gmailReadEmails,
    chooses: true,
    run: (params, context) => list('gmail_read_emails', params, context, settings),
  }
}

async function list(
  tool: string,
  params: ReadParameters,
  context: ActionContext,
  settings: GmailSettings,
): Promise<Listing> {
  const { gmail } = await openMailbox(tool, params, context, settings)
  const { ids, nextPageToken } = params.message_ids
    ? { ids: [...new Set(params.message_ids)], nextPageToken: undefined }
    : await find(gmail, params)
  const withBody = params.include_body === true
  const query = withBody ? { format: 'full' } : { format: 'metadata', metadataHeaders: shownHeaders }
  const found = await eachInBatches(ids, (id) =>
    gmail.ask<Message>({ path: `/messages/${encodeURIComponent(id)}`, query }).catch(orMissing),
  )
  const messages = found.filter((message) => message !== undefined)
  const missing = ids.filter((_, index) => found[index] === undefined)
  if (params.message_ids && messages.length === 0) throw noneOf(missing)
  const names = await namesOf(gmail, messages)
  if (withBody) await loadTexts(gmail, messages)
  return {
    messages: showMails(messages, names, withBody).map((mail) => readFrom(mail, params.from ?? 0)),
    next_page_token: nextPageToken || undefined,
    missing: params.message_ids && missing.length > 0 ? missing : undefined,
  }
}

/** The text of a mail from a character on; where nothing follows, it says so. */
function readFrom(mail: MailView, from: number): MailView & { note?: string } {
  if (from === 0 || mail.body === undefined) return mail
  const body = sliceCharacters(mail.body, from)
  if (body !== '') return { ...mail, body }
  const total = countCharacters(mail.body)
  return { ...mail, body, note: `This email has ${total} characters: nothing follows from ${from} on.` }
}

/** A mail that was deleted before it could be read, or an id that never existed. */
function orMissing(cause: unknown): undefined {
  const type = cause instanceof ToolCallError ? cause.toolError.errorType : undefined
  if (type === 'not_found' || type === 'invalid_value') return undefined
  throw cause
}

/** For people, to whom ids mean nothing. */
export const emailsNotFound = askedInEnglish({ code: 'emails_not_found' })

function noneOf(ids: readonly string[]): ToolCallError {
  return new ToolCallError(
    toolError(
      'not_found',
      `Question: There is no email with the id ${ids.slice(0, 3).join(', ')}. Please search for the email first, and use the id that is listed.`,
      { details: { parameter: 'message_ids', asked: emailsNotFound } },
    ),
  )
}

async function find(gmail: Gmail, params: ReadParameters) {
  const labels = params.label_ids ? await findLabels(gmail, params.label_ids, 'label_ids') : []
  const page = await gmail.ask<{ messages?: { id: string }[]; nextPageToken?: string }>({
    path: '/messages',
    query: {
      q: params.query,
      labelIds: labels.map(({ id }) => id),
      maxResults: params.max_results ?? defaultResults,
      pageToken: params.page_token,
    },
  })
  return { ids: (page.messages ?? []).map(({ id }) => id), nextPageToken: page.nextPageToken }
}
