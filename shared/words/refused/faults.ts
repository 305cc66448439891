import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'
import { type Unfit, unfitInEnglish, unfitInGerman } from './unfit.ts'

/** What is wrong with a request that is not one of the API's. */
export interface Faults {
  unfit: Unfit
  /** Whole sentences of the engine, for programmers. */
  engine: { words: string }

  two_conversations: { body: { id?: unknown; conversationId?: unknown } }
  token_in_past: { given: unknown }
  connection_unchanged: None
  conversation_unchanged: None
  item_unnamed: None
  denial_remembered: None
  link_lasts_too_long: None
  nothing_decided: None

  nothing_to_regenerate: None
  no_messages: None
  last_id_unfit: None
  message_id_too_long: None
  parts_missing: None
  part_without_type: None
  part_without_text: None
  part_without_url: None

  no_subject: { scope: string; subject: unknown }
  not_whole: { value: unknown }
  not_measurable: { scope: string; measure: string; per: string | undefined }
  no_provider: { known: readonly string[] }

  completion_unfit: None
  model_missing: None
  messages_missing: None
  too_many_given: { count: number; most: number }
  message_unfit: None
  no_user_message: None
  ends_with_tool: None
  content_unfit: None
  part_unread: { type: string }
  part_without_content: { type: string }
  chat_name_too_long: { header: string; length: number; most: number }
  several_answers: { given: string }
  tools_of_client: { name: string }
  audio: { name: string }
  answer_format: { type: string }
  token_limit_unfit: { name: string; given: string }
}
export type BadRequest = OneOf<Faults>

const fromPending = 'Take it from "pending".'
const scopeInGerman: Readonly<Record<string, string>> = {
  user: 'Nutzer',
  agent: 'Agent',
  project: 'Projekt',
}

/** Why a request is not one of the API's: people read it where the client was set up by somebody else. */
export const faultsInEnglish = byWhy<Faults>({
  unfit: unfitInEnglish,
  engine: ({ words }) => words,

  two_conversations: ({ body: { id, conversationId } }) =>
    `"id" (${id}) and "conversationId" (${conversationId}) name two conversations. Send one of them.`,
  token_in_past: ({ given }) => `"expiresAt" (${given}) is in the past. Send a later time, or none.`,
  connection_unchanged: 'There is nothing to change. Send "label", "values", "position" or "disabled".',
  conversation_unchanged:
    'Send at least one of "title", "pinned" and "archived", such as { "pinned": true }.',
  item_unnamed: `"itemId" is missing. ${fromPending}`,
  denial_remembered:
    'Only an approval can be remembered. Send "decision": "approve", or leave out "remember".',
  link_lasts_too_long: 'A link that decides is valid for at most 86400 seconds. Send a smaller "expiresIn".',
  nothing_decided: 'Send "decision" or "values".',

  nothing_to_regenerate: 'There is no message to answer again. Send one first.',
  no_messages: '"messages" is empty. Send at least one message.',
  last_id_unfit: 'The id of a message must be a text of at most 200 characters.',
  message_id_too_long: 'A message id can have at most 200 characters.',
  parts_missing: 'A user message needs "parts", such as [{ "type": "text", "text": "Hello" }].',
  part_without_type: 'Every part of a message must be an object with a "type".',
  part_without_text: 'The "text" of a text part must be a string.',
  part_without_url: 'A file part needs "url" and "mediaType".',

  no_subject: ({ scope, subject }) => `There is no ${scope} with the id ${subject}.`,
  not_whole: ({ value }) => `"value" is ${value}. Only money has parts: send a whole number.`,
  not_measurable: ({ scope, measure, per = 'at one time' }) =>
    `"${measure}" of ${scope === 'project' ? 'a project' : `each ${scope}`} is not counted per "${per}". The page about limits lists what is.`,
  no_provider: ({ known }) =>
    `Send { provider, values } with a provider of this function: ${known.join(', ') || 'it has none'}.`,

  completion_unfit: 'Send a JSON object with "model" and "messages".',
  model_missing: '"model" is missing: the id of an agent, as GET models lists them.',
  messages_missing: '"messages" is missing: a list such as [{ "role": "user", "content": "Hello" }].',
  too_many_given: ({ count, most }) =>
    `"messages" has ${count} messages; at most ${most} can be sent. Leave out the oldest ones.`,
  message_unfit: 'Every message is an object with the role "system", "user" or "assistant".',
  no_user_message: '"messages" has no user message to answer.',
  ends_with_tool:
    'The last message is what a tool has returned, and an agent calls no tools of the client: end "messages" with one of the user.',
  content_unfit: 'The "content" of a message is a text or a list of parts.',
  part_unread: ({ type }) =>
    `An agent reads texts, pictures and files, but no "${type}": leave this part out, and write what it says.`,
  part_without_content: ({ type }) =>
    `The "${type}" in the message has no content that can be read: send it as a data URL, not as the id of an upload.`,
  chat_name_too_long: ({ header, length, most }) =>
    `The header "${header}" has ${length} characters; a chat is named by at most ${most}.`,
  several_answers: ({ given }) => `An agent gives one answer, not ${given}: leave out "n", or send 1.`,
  tools_of_client: ({ name }) =>
    `The agent chooses among its own tools, and tools of the client are not called: leave out "${name}", or send "auto".`,
  audio: ({ name }) => `An agent answers in text, not in audio: leave out "${name}".`,
  answer_format: ({ type }) =>
    `An agent answers in text, not in the format ${type}: leave out "response_format", or send { "type": "text" }.`,
  token_limit_unfit: ({ name, given }) => `"${name}" must be a whole number of at least 1, not ${given}.`,
})

export function faultsInGerman({ say }: GermanAddress) {
  const send = say('sende', 'senden Sie')
  const sendFirst = say('Sende', 'Senden Sie')
  const leave = say('lass', 'lassen Sie')
  const sentences: Refuses<Faults> = {
    unfit: unfitInGerman,
    engine: ({ words }) => words,

    two_conversations: ({ body: { id, conversationId } }) =>
      `„id“ (${id}) und „conversationId“ (${conversationId}) nennen zwei Unterhaltungen. ${sendFirst} nur eines davon.`,
    token_in_past: ({ given }) =>
      `„expiresAt“ (${given}) ist schon vorbei. ${sendFirst} eine spätere Zeit oder keine.`,
    connection_unchanged: `Es gibt nichts zu ändern. ${sendFirst} „label“, „values“, „position“ oder „disabled“.`,
    conversation_unchanged: `Es gibt nichts zu ändern. ${sendFirst} „title“, „pinned“ oder „archived“, zum Beispiel { "pinned": true }.`,
    item_unnamed: '„itemId“ fehlt; die ID steht in „pending“.',
    denial_remembered: `Nur eine Freigabe lässt sich merken. ${sendFirst} "decision": "approve", oder ${leave} „remember“ weg.`,
    link_lasts_too_long: `Ein Link, der entscheidet, gilt höchstens 86400 Sekunden. ${sendFirst} ein kleineres „expiresIn“.`,
    nothing_decided: `${sendFirst} „decision“ oder „values“.`,

    nothing_to_regenerate: `Es gibt keine Nachricht, die noch einmal beantwortet werden kann. ${sendFirst} zuerst eine.`,
    no_messages: `„messages“ ist leer. ${sendFirst} mindestens eine Nachricht.`,
    last_id_unfit: 'Die ID einer Nachricht muss ein Text aus höchstens 200 Zeichen sein.',
    message_id_too_long: 'Die ID einer Nachricht kann höchstens 200 Zeichen haben.',
    parts_missing:
      'Eine Nachricht des Nutzers braucht „parts“, zum Beispiel [{ "type": "text", "text": "Hallo" }].',
    part_without_type: 'Jeder Teil einer Nachricht muss ein Objekt mit „type“ sein.',
    part_without_text: '„text“ muss in einem Teil mit Text eine Zeichenkette sein.',
    part_without_url: 'Ein Teil mit einer Datei braucht „url“ und „mediaType“.',

    no_subject: ({ scope, subject }) =>
      `${scopeInGerman[scope] ?? scope} mit der ID ${subject} gibt es nicht.`,
    not_whole: ({ value }) =>
      `„value“ ist ${value}. Nur bei Geld gibt es Bruchteile: ${send} eine ganze Zahl.`,
    not_measurable: ({ scope, measure, per }) =>
      `„${measure}“ wird für ${scopeInGerman[scope] ?? scope} nicht ${per === undefined ? 'für denselben Moment' : `pro „${per}“`} gezählt. Was gezählt wird, steht auf der Seite über Grenzen.`,
    no_provider: ({ known }) =>
      `${sendFirst} { provider, values } mit einem Anbieter dieser Funktion: ${known.join(', ') || 'sie hat keinen'}.`,

    completion_unfit: `${sendFirst} ein JSON-Objekt mit „model“ und „messages“.`,
    model_missing: '„model“ fehlt: die ID eines Agenten, wie GET models sie nennt.',
    messages_missing: '„messages“ fehlt: eine Liste wie [{ "role": "user", "content": "Hallo" }].',
    too_many_given: ({ count, most }) =>
      `„messages“ hat ${count} Nachrichten; senden lassen sich höchstens ${most}. ${say('Lass', 'Lassen Sie')} die ältesten weg.`,
    message_unfit: 'Jede Nachricht ist ein Objekt mit der Rolle "system", "user" oder "assistant".',
    no_user_message: '„messages“ enthält keine Nachricht des Nutzers, die beantwortet werden kann.',
    ends_with_tool:
      'Die letzte Nachricht ist das Ergebnis eines Werkzeugs, und ein Agent ruft keine Werkzeuge des Clients auf: „messages“ muss mit einer Nachricht des Nutzers enden.',
    content_unfit: '„content“ ist in einer Nachricht ein Text oder eine Liste von Teilen.',
    part_unread: ({ type }) =>
      `Ein Agent liest Texte, Bilder und Dateien, aber kein „${type}“: ${leave} diesen Teil weg und ${say('schreib', 'schreiben Sie')}, was darin steht.`,
    part_without_content: ({ type }) =>
      `„${type}“ in der Nachricht hat keinen Inhalt, der sich lesen lässt: ${send} ihn als Data-URL, nicht als ID einer hochgeladenen Datei.`,
    chat_name_too_long: ({ header, length, most }) =>
      `Der Header „${header}“ hat ${length} Zeichen; der Name eines Chats hat höchstens ${most}.`,
    several_answers: ({ given }) =>
      `Ein Agent gibt eine Antwort, nicht ${given}: ${leave} „n“ weg, oder ${send} 1.`,
    tools_of_client: ({ name }) =>
      `Der Agent wählt unter seinen eigenen Werkzeugen; solche des Clients ruft er nicht auf: ${leave} „${name}“ weg, oder ${send} "auto".`,
    audio: ({ name }) => `Ein Agent antwortet mit Text, nicht mit Ton: ${leave} „${name}“ weg.`,
    answer_format: ({ type }) =>
      `Ein Agent antwortet mit Text, nicht im Format ${type}: ${leave} „response_format“ weg, oder ${send} { "type": "text" }.`,
    token_limit_unfit: ({ name, given }) =>
      `„${name}“ muss eine ganze Zahl von mindestens 1 sein, nicht ${given}.`,
  }
  return byWhy<Faults>(sentences)
}
