import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'
import { type BadRequest, faultsInEnglish, faultsInGerman } from './faults.ts'
import { type Unfit, unfitInEnglish } from './unfit.ts'

export interface NotJson {
  empty: None
  other: None
}
export interface UnknownTools {
  named: { tool: string }
  of_provider: { provider: string; tool: string; tools: readonly string[] }
}

export interface RequestRefusals {
  bad_request: BadRequest
  bad_conversation_id: Unfit
  body_incomplete: None
  body_timeout: None
  invalid_json: OneOf<NotJson>
  nested_too_deeply: { levels: number }
  message_too_large: None
  message_id_taken: None
  newer_messages: None
  no_message: None
  empty_message: None
  too_many_messages: None
  unknown_path: { method: string; path: string }
  not_found: { method: string; path: string; instead?: string }
  unknown_action: { action: string; known: readonly string[] }
  unknown_tool: OneOf<UnknownTools>
  idempotency_key_reused: None
  body_too_large: { mebibytes: number }
  too_many_large_bodies: None
}

const isResponses = (path: string) => /^\/responses(?:\/|$)/.test(path)
/** The setting of each library that calls the Responses API on its own, as docs/openai-clients.md lists them. */
const settings = (by: string) =>
  `openai-agents ${by} set_default_openai_api("chat_completions"), @ai-sdk/openai ${by} provider.chat("…"), Pydantic AI ${by} "openai-chat:…", LangChain ${by} use_responses_api=False`

/** Requests that are not as the API wants them. */
export const requestRefusals = {
  en: {
    bad_request: faultsInEnglish,
    bad_conversation_id: unfitInEnglish,
    body_incomplete: 'The request body ended before all of it arrived. Send it again.',
    body_timeout: 'The request body did not arrive in time. Send it again, or send less at once.',
    invalid_json: byWhy<NotJson>({
      empty: 'The request body is empty. Send a JSON object.',
      other: 'The request body is not JSON. Send a JSON object in UTF-8.',
    }),
    nested_too_deeply: ({ levels }) =>
      `The request is nested deeper than ${levels} levels. Send a flatter one.`,
    message_too_large: 'The message is longer than 1 MiB. Send a shorter one, or several.',
    message_id_taken:
      'The id of this message belongs to another message. Give each message an id of its own.',
    newer_messages:
      'This would replace newer messages that were not shown here yet. Read them first, then try again.',
    no_message: 'There is no message to answer.',
    empty_message: 'The message is empty. Write something first.',
    too_many_messages: 'At most 100 new messages can be sent at once.',
    unknown_path: ({ method, path }) =>
      `${method} ${path} is not served here. ${
        isResponses(path)
          ? `Let your library use POST /chat/completions: ${settings('by')}.`
          : 'Agents answer POST /chat/completions, and GET /models lists them.'
      }`,
    not_found: ({ method, path, instead }) =>
      `There is no ${method} ${path} here.${instead === undefined ? '' : ` Use ${instead}.`}`,
    unknown_action: ({ action, known }) =>
      `There is no action ${JSON.stringify(action)} here. Use one of: ${known.join(', ')}.`,
    unknown_tool: byWhy<UnknownTools>({
      named: ({ tool }) => `There is no tool "${tool}".`,
      of_provider: ({ provider, tool, tools }) =>
        `${provider} has no tool ${JSON.stringify(tool)}. Its tools: ${tools.join(', ')}.`,
    }),
    idempotency_key_reused:
      'This idempotencyKey belongs to another call. Use a new key for every call, and the same one only to repeat it.',
    body_too_large: ({ mebibytes }) =>
      `The request body is larger than ${mebibytes} MiB. Send less in one request.`,
    too_many_large_bodies:
      'Too many large requests are being read right now. Send it again in a few seconds.',
  } satisfies Refuses<RequestRefusals>,

  de: (address: GermanAddress): Refuses<RequestRefusals> => {
    const { say } = address
    const sendAgain = `${say('Sende', 'Senden Sie')} es noch einmal.`
    return {
      bad_request: faultsInGerman(address),
      bad_conversation_id: 'Diese Adresse führt zu keiner Unterhaltung.',
      body_incomplete: `Die Verbindung ist beim Senden abgebrochen. ${sendAgain}`,
      body_timeout: `Das Senden hat zu lange gedauert. ${sendAgain}`,
      invalid_json: byWhy<NotJson>({
        empty: 'Die Anfrage ist leer. Erwartet wird ein JSON-Objekt.',
        other: 'Die Anfrage ist kein JSON. Erwartet wird ein JSON-Objekt in UTF-8.',
      }),
      nested_too_deeply: ({ levels }) =>
        `Die Anfrage ist tiefer als ${levels} Ebenen verschachtelt. ${say('Sende', 'Senden Sie')} eine flachere.`,
      message_too_large: `Diese Nachricht ist länger als 1 MiB. ${say('Teile', 'Teilen Sie')} sie auf.`,
      message_id_taken: `Diese Nachricht gibt es schon. ${say('Lade', 'Laden Sie')} die Seite neu.`,
      newer_messages: `Das würde neuere Nachrichten ersetzen, die hier noch nicht zu sehen waren. ${say('Lies sie zuerst, und versuche', 'Lesen Sie sie zuerst, und versuchen Sie')} es dann noch einmal.`,
      no_message: 'Es gibt keine Nachricht, die beantwortet werden kann.',
      empty_message: 'Die Nachricht ist leer.',
      too_many_messages: 'Auf einmal lassen sich höchstens 100 neue Nachrichten senden.',
      unknown_path: ({ method, path }) =>
        `${method} ${path} gibt es hier nicht. ${
          isResponses(path)
            ? `${say('Lass deine', 'Lassen Sie Ihre')} Bibliothek POST /chat/completions benutzen: ${settings('mit')}.`
            : 'Agenten beantworten POST /chat/completions, und GET /models nennt sie.'
        }`,
      not_found: ({ method, path, instead }) =>
        `${method} ${path} gibt es hier nicht.${instead === undefined ? '' : ` Richtig ist ${instead}.`}`,
      unknown_action: ({ action, known }, { show }) =>
        `Eine Aktion ${show.value(action)} gibt es hier nicht, nur diese: ${known.join(', ')}.`,
      unknown_tool: byWhy<UnknownTools>({
        named: ({ tool }, { show }) => `Ein Werkzeug ${show.value(tool)} gibt es nicht.`,
        of_provider: ({ provider, tool, tools }, { show }) =>
          `${provider} hat kein Werkzeug ${show.value(tool)}, nur diese: ${tools.join(', ')}.`,
      }),
      idempotency_key_reused:
        'Dieser idempotencyKey gehört zu einem anderen Aufruf. Jeder Aufruf braucht einen eigenen; denselben nur, wenn er wiederholt wird.',
      body_too_large: ({ mebibytes }) =>
        `Das ist zu groß zum Senden: mehr als ${mebibytes} MiB. ${say('Sende', 'Senden Sie')} weniger auf einmal.`,
      too_many_large_bodies: `Hier ist gerade zu viel los. ${say('Sende', 'Senden Sie')} es in ein paar Sekunden noch einmal.`,
    }
  },
}
