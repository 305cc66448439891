import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { writeCatalogue } from '../../local/integrations/catalogue-sql.ts'
import { type Integration, integrationTool } from '../../shared/integrations/definition/integration.ts'
import type { ToolWords } from '../../shared/words/tool-words.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { callTool } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

/** An integration of the project, whose approvals are asked whether or not its function is there. */
const notes: Integration = {
  name: 'notes-api',
  providers: [],
  tools: [
    integrationTool({
      name: 'note_save',
      title: 'Save note',
      confirm: 'Save {text}?',
      button: 'Save',
      description: 'Saves a note.',
      parameters: z.strictObject({ text: z.string().meta({ question: 'What should it say?' }) }),
      effect: 'write',
      action: 'save',
    }),
  ],
}

const german = {
  note: {
    title: 'Notiz speichern',
    confirm: 'Die Notiz {text} speichern?',
    button: 'Speichern',
    fields: { text: { title: 'Text', question: 'Was soll darin stehen?' } },
  },
  ticket: {
    title: 'Ticket anlegen',
    confirm: 'Das Ticket {title} anlegen?',
    button: 'Anlegen',
    fields: { title: { title: 'Titel' } },
  },
} satisfies Record<string, ToolWords>

const chat = useStarted(() => startChatStack())
let ada: ChatUser

const sql = (text: string) => withDatabase(chat.stack, (database) => database.unsafe(text))

const storeNotes = (words: Partial<ToolWords>) =>
  sql(
    writeCatalogue(
      [{ ...notes, words: { de: { tools: { note_save: words as ToolWords }, providers: {} } } }],
      'project',
    ),
  )

beforeAll(async () => {
  await sql(`
    create function public.open_ticket(title text) returns void language sql as $$ $$;
    select askback.offer_function('open_ticket', confirm => 'Open the ticket {title}?',
      words => '${JSON.stringify({ de: german.ticket })}')`)
  await storeNotes(german.note)
  ada = await signUp(chat.stack)
})

/** The approval of a call as a reader of a language is asked it. */
async function ask(tool: string, args: object, language: string) {
  chat.model.use([callTool(tool, args)])
  const headers = { 'x-askback-language': language }
  const { answer } = await ada.post({ message: 'Do it.' }, { headers })
  return answer.pending?.[0]
}

describe('an integration of a project with words in German', () => {
  it('is German for a German reader, and English for others', async () => {
    const text = { text: 'Milk' }
    expect(await ask('note_save', text, 'de-AT')).toMatchObject({
      title: 'Notiz speichern',
      asked: 'Die Notiz „Milk“ speichern?',
      button: 'Speichern',
    })
    expect(await ask('note_save', text, 'en')).toMatchObject({
      title: 'Save note',
      asked: 'Save "Milk"?',
      button: 'Save',
    })
  })

  it('is English in whole while its words lack a text', async () => {
    const { button: _, ...some } = german.note
    await storeNotes(some)
    expect(await ask('note_save', { text: 'Eggs' }, 'de')).toMatchObject({
      title: 'Save note',
      asked: 'Save "Eggs"?',
      button: 'Save',
    })
    await storeNotes(german.note)
    expect(await ask('note_save', { text: 'Tea' }, 'de')).toMatchObject({ button: 'Speichern' })
  })
})

describe('a function that is offered with words in German', () => {
  it('is German for a German reader, and English for others', async () => {
    expect(await ask('open_ticket', { title: 'Lamp' }, 'de')).toMatchObject({
      title: 'Ticket anlegen',
      asked: 'Das Ticket „Lamp“ anlegen?',
    })
    expect(await ask('open_ticket', { title: 'Chair' }, 'en')).toMatchObject({
      title: 'Open ticket',
      asked: 'Open the ticket "Chair"?',
    })
  })
})

describe('values that have words', () => {
  it('are said in these, in the question and on its form', async () => {
    const words = {
      title: 'Stufe setzen',
      confirm: 'Die Stufe {p_level} setzen?',
      summary: 'Stufe {p_level} gesetzt',
      button: 'Setzen',
      past: 'gesetzt',
      fields: {
        p_level: { title: 'Stufe', choices: { low: 'Niedrig', high: 'Hoch' } },
        p_place: { title: 'Ort' },
      },
    }
    await sql(`
      create type public.level as enum ('low', 'high');
      create function public.set_level(p_level level, p_place jsonb default null) returns void language sql as $$ $$;
      select askback.offer_function('set_level', confirm => 'Set the level {p_level}?', summary => 'Set {p_level}',
        button => 'Set', past => 'set', words => '${JSON.stringify({ de: words })}')`)
    const args = { p_level: 'high', p_place: { street_name: 'Main 5', zip: 1 } }
    expect(await ask('set_level', args, 'de')).toMatchObject({
      asked: 'Die Stufe „Hoch“ setzen?',
      button: 'Setzen',
      past: 'gesetzt',
    })
    expect(await ask('set_level', args, 'en')).toMatchObject({
      asked: 'Set the level "high"?',
      button: 'Set',
      past: 'set',
    })
    await sql(`select askback.offer_function('set_level')`)
    const plain = await ask('set_level', args, 'en')
    expect(plain?.asked).toBe('Set level (level: "high", place: (street name: "Main 5", zip: 1))?')
  })
})

it('a template that fails shows the title and the values', async () => {
  await sql(`update askback.tools set words = jsonb_set(words, '{de,confirm}', '7') where name = 'note_save'`)
  expect(await ask('note_save', { text: 'Salt' }, 'de')).toMatchObject({
    title: 'Notiz speichern',
    asked: expect.stringMatching(/Notiz speichern.*„Salt“/),
  })
})
