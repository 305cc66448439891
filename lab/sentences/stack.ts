import { examples, keyOf } from '../../scripts/api/examples.ts'
import { languageHeader } from '../../shared/api/reader.ts'
import { examplesSettings, openExamples } from '../../support/api-examples.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, setMailApproval, signInDemo } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { answered, asked, OpenAiPerson } from '../../support/openai-person.ts'
import { sentencesIn, toldToModels } from './collect.ts'
import { sentencesOfPages } from './pages.ts'
import { type Scene, scenes } from './scenes.ts'
import type { Sentence } from './sentence.ts'

/** What the whole service says: in the examples of docs/api.md, in scenes, to an OpenAI client, and on its pages. */
export async function sentencesOfStack(): Promise<Sentence[]> {
  const chat = await startChatStack(examplesSettings)
  try {
    const demo = await signInDemo(chat.stack)
    await setMailApproval(chat.stack, 'always')
    const told: Sentence[] = []
    for (const language of readers) {
      for (const scene of scenes) told.push(...(await playScene(chat, demo, scene, language)))
    }
    told.push(
      ...(await sentencesOfPages(chat.stack.url, (language) => scenes.map((one) => idOf(one, language)))),
    )
    for (const language of readers) told.push(...(await tellOpenAiClient(chat, language)))
    for (const language of readers) told.push(...(await playExamples(chat, language)))
    return told
  } finally {
    await chat.stop()
  }
}

/** Everything is asked once for a reader of each language: what is said is rendered for whoever reads it. */
const readers = ['en', 'de']

const readBy = (language: string) => ({ [languageHeader]: language })

/** Each language has conversations of its own. */
const idOf = ({ name }: Scene, language: string) => `${name.replaceAll(/\W+/g, '-')}-${language}`

async function playScene(
  chat: ChatStack,
  user: ChatUser,
  scene: Scene,
  language: string,
): Promise<Sentence[]> {
  const from = `scene: ${scene.name}`
  const id = idOf(scene, language)
  const headers = readBy(language)
  chat.model.use(scene.replies)
  const before = chat.model.requests.length
  const { answer, error } = await user.post({ id, message: scene.message }, { headers })
  const told = [...sentencesIn({ error }, from, language), ...sentencesIn(answer, from, language)]
  const item = answer.pending?.[0]
  if (scene.decision !== undefined && item) {
    const { path, body } =
      scene.decision === 'skip'
        ? { path: `/${id}/skip`, body: { itemId: item.itemId } }
        : { path: `/${id}/approval`, body: decisionOn(item, scene.decision) }
    const decided = await user.post(body, { path, headers })
    told.push(...sentencesIn(decided.answer, `${from}, decided`, language))
  }
  const { body } = await user.get(`/conversations/${id}`, { headers })
  const { messages = [] } = body as { messages?: object[] }
  for (const message of messages) told.push(...sentencesIn({ message }, `${from}, read again`, language))
  return [...told, ...toldToModels(chat.model.requests.slice(before), from)]
}

/** A mail that asks, what became of it, and a question, as an OpenAI client is told of them. */
async function tellOpenAiClient(chat: ChatStack, language: string): Promise<Sentence[]> {
  const headers = readBy(language)
  const person = await OpenAiPerson.arrive(chat)
  const told: Sentence[] = []
  const hear = (name: string, { content }: { content: string }) =>
    told.push({
      from: `OpenAI client: ${name}`,
      to: 'people',
      language,
      as: 'content',
      sentence: content,
    })
  const invite = asked('Send an email about lunch to ada@example.com')
  const mail = { to: ['ada@example.com'], subject: 'Lunch', body: 'At noon.' }
  for (const decision of ['approve', 'deny'] as const) {
    const options = { model: person.cautious, headers: { ...headers, 'x-openwebui-chat-id': decision } }
    chat.model.use([callTool('smtp_send_email', mail)])
    const first = await person.ask([invite], options)
    hear(`${decision}: asked`, first)
    chat.model.use([say('It is settled.'), say('It is settled.'), say('It is settled.')])
    await person.decide(decision)
    hear(`${decision}: decided`, await person.ask([invite, answered(first.content), asked('And?')], options))
  }
  const model = person.cautious
  chat.model.use([callTool('smtp_send_email', { subject: 'Lunch', body: 'At noon.' }), say('To whom?')])
  hear('a form', await person.ask([asked('Invite somebody')], { model, headers }))
  chat.model.use([callTool('web_search', { query: 'Oslo' }), say('Please connect a search.')])
  hear('a connection', await person.ask([asked('Search for Oslo')], { model, headers }))
  return told
}

async function playExamples(chat: ChatStack, language: string): Promise<Sentence[]> {
  const { play, user } = await openExamples(chat, readBy(language))
  const told: Sentence[] = []
  for (const example of examples) {
    const { json } = await play(example)
    told.push(...sentencesIn(json, `docs/api.md: ${keyOf(example[0])}`, language))
  }
  return told.map((one) => ({ ...one, sentence: one.sentence.replaceAll(user.email, '<user>') }))
}
