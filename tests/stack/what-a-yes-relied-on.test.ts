import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { connectGmail, connectGoogle } from '../../support/connect-google.ts'
import { decisionOn } from '../../support/decision.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../support/gmail-server.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../support/google-docs-server.ts'
import { callTool, callTools, say } from '../../support/model-server.ts'

/** What changes between a card and its yes: nothing is done, and the card comes anew and says what has changed. */
let chat: ChatStack
let gmail: GmailServer
let google: GoogleDocsServer
let ada: ChatUser
const address = 'ada@example.com'

const sql = <T>(use: Parameters<typeof withDatabase<T>>[1]) => withDatabase(chat.stack, use)

beforeAll(async () => {
  gmail = await startGmailServer()
  google = await startGoogleDocs()
  chat = await startChatStack({
    GMAIL_API_BASE_URL: gmail.url,
    GOOGLE_DOCS_API_BASE_URL: google.url,
    GOOGLE_DRIVE_API_BASE_URL: google.url,
  })
  await sql((db) =>
    db.unsafe(`
      create table public.tickets (
        id integer primary key, state text not null, seen_by text, user_id uuid not null default auth.uid()
      );
      alter table public.tickets enable row level security;
      grant select, insert, update on public.tickets to authenticated;
      create policy "own" on public.tickets to authenticated using (user_id = (select auth.uid()));
      create function public.close_ticket(ticket_id integer, reason text default '') returns void language sql
        as $$ update public.tickets set state = 'closed' where id = ticket_id $$;
      create function public.ticket_state(ticket_id integer) returns table (state text) language sql stable
        as $$ select t.state from public.tickets t where t.id = ticket_id $$;
      select askback.offer_function('public.close_ticket', seen => 'public.ticket_state');`),
  )
  ada = await signUp(chat.stack)
  await giveAgent(chat.stack, ada.id, 'always')
  await connectGmail(chat.stack, ada.id, gmail, { email: address, scopes: [gmailScopes.modify] })
  const scopes = ['https://www.googleapis.com/auth/drive.file']
  await connectGoogle(chat.stack, ada.id, {
    provider: 'google-docs',
    email: address,
    scopes,
    token: tokens.ada,
  })
})
afterAll(async () => {
  await chat?.stop()
  await gmail?.close()
  await google?.close()
})

type Answer = Awaited<ReturnType<ChatUser['post']>>['answer']

/** The cards of a message whose model makes these calls. */
async function ask(message: string, ...calls: [name: string, args: object][]): Promise<Answer> {
  chat.model.use([callTools(calls), say('Done.')])
  const { answer } = await ada.post({ message })
  expect(answer).toMatchObject({ status: 'needs_approval' })
  return answer
}

async function decide({ conversationId, pending }: Answer, index = 0, more: object = {}): Promise<Answer> {
  chat.model.use(() => say('Done.'))
  const item = pending?.[index]
  const { answer } = await ada.post(decisionOn(item, 'approve', more), {
    path: `/${conversationId}/approval`,
  })
  return answer
}

async function write(content: string, title = 'Plan'): Promise<string> {
  const [row] = await sql(
    (db) =>
      db`insert into askback.documents (user_id, title, content) values (${ada.id}, ${title}, ${content}) returning id`,
  )
  return row?.id
}

/** What somebody else makes of a document. */
const rewrite = (id: string, content: string) =>
  sql(async (db) => {
    await db`select askback_private.write_document(${id}, ${content})`
  })

const contentOf = async (id: string): Promise<string> => {
  const [row] = await sql((db) => db`select content from askback.documents where id = ${id}`)
  return row?.content
}

const mailIn = (subject: string, from: string, more = '') =>
  gmail.mailbox(address).deliver(`From: ${from}\r\nTo: ${address}\r\nSubject: ${subject}\r\n${more}\r\nHello`)
const answerTo = (id: string) => ({
  to: ['grace@example.com'],
  subject: 'Re: Lunch',
  body: 'Yes, at one.',
  reply_to_message_id: id,
})

describe('what has changed by the time of the yes', () => {
  it('one place that became six is not replaced until somebody has read that', async () => {
    const id = await write('The cat sat.')
    const asked = await ask('Replace cat', [
      'docs_replace_text',
      { document_id: id, find: 'cat', replace: 'dog' },
    ])
    await rewrite(id, 'The cat sat. cat cat cat cat cat')
    const again = await decide(asked)
    expect(await contentOf(id)).toBe('The cat sat. cat cat cat cat cat')
    expect(again).toMatchObject({
      status: 'needs_approval',
      pending: [{ changed: [{ what: 'places', before: 1, now: 6 }] }],
    })
    expect(again.text).toContain('6 places now; it was 1.')
    const open = await ada.get('/open')
    expect(open.body).toMatchObject({ items: [{ changed: [{ what: 'places', before: 1, now: 6 }] }] })
    expect(JSON.stringify(open.body)).not.toContain('"seen"')
    expect(await decide(again)).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(await contentOf(id)).not.toContain('cat')
  })

  it('a place whose surroundings were rewritten is read again', async () => {
    const id = await write('Pay 100 to Ada.')
    const asked = await ask('Replace', [
      'docs_replace_text',
      { document_id: id, find: '100', replace: '900' },
    ])
    await rewrite(id, 'Pay 100 to Eve.')
    expect(await decide(asked)).toMatchObject({
      pending: [{ changed: [{ what: 'text', before: 'Pay 100 to Ada.', now: 'Pay 100 to Eve.' }] }],
    })
    expect(await contentOf(id)).toBe('Pay 100 to Eve.')
  })

  it('a version is restored only while nobody else has written since, and it is the one of the card', async () => {
    const id = await write('one')
    await rewrite(id, 'two')
    const asked = await ask('Undo it', ['docs_restore_version', { document_id: id }])
    expect(asked.pending).toMatchObject([{ values: { document_id: id, revision: 1 } }])
    await rewrite(id, 'two, and a line of Grace')
    const again = await decide(asked)
    expect(again.pending).toMatchObject([
      { values: { revision: 1 }, changed: [{ what: 'revision', before: 2, now: 3 }] },
    ])
    expect(await contentOf(id)).toBe('two, and a line of Grace')
    await decide(again)
    expect(await contentOf(id)).toBe('one')
  })

  it('nothing is added to a document that has another title now', async () => {
    const id = await write('one', 'Shopping')
    const asked = await ask('Add it', ['docs_append_text', { document_id: id, text: 'milk' }])
    await sql(async (db) => {
      await db`update askback.documents set title = 'Press release' where id = ${id}`
    })
    expect((await decide(asked)).pending).toMatchObject([
      { changed: [{ what: 'title', before: 'Shopping', now: 'Press release' }] },
    ])
    expect(await contentOf(id)).toBe('one')
  })

  it('a document that was renamed and rewritten is not shared', async () => {
    const owner = address
    const file = google.addDocument({ name: 'Party', owner, markdown: 'cake\n\nmusic\n\nguests' } as never)
    const share = { document_id: file.id, emails: ['grace@example.com'], role: 'reader' }
    const asked = await ask('Share it with grace@example.com', ['docs_share', share])
    google.rewrite(file.id, 'Salaries\n\nAda 100\n\nmusic')
    file.name = 'Salaries'
    const again = await decide(asked)
    expect(again.pending).toMatchObject([
      {
        changed: [
          { what: 'title', before: 'Party', now: 'Salaries' },
          { what: 'paragraphs', before: 3, now: 1 },
        ],
      },
    ])
    expect(google.sharing.notified).toEqual([])
    expect(await decide(again)).toMatchObject({ status: 'completed' })
    expect(google.sharing.notified).toHaveLength(1)
  })

  it('at Google, one place that became six is not replaced either', async () => {
    const file = google.addDocument({ name: 'G', owner: address, markdown: 'The cat sat.' } as never)
    const asked = await ask('Replace', [
      'docs_replace_text',
      { document_id: file.id, find: 'cat', replace: 'dog' },
    ])
    google.rewrite(file.id, 'The cat sat.\n\ncat cat cat cat cat')
    expect((await decide(asked)).pending).toMatchObject([
      { changed: [{ what: 'places', before: 1, now: 6 }] },
    ])
  })

  it('a reply does not go out after newer mail, or after an answer by hand', async () => {
    for (const from of ['grace@example.com', address]) {
      const first = mailIn('Lunch', 'Grace <grace@example.com>', `Message-ID: <${from}-1@x>\r\n`)
      const asked = await ask('Answer grace@example.com', ['gmail_send_email', answerTo(first.id)])
      mailIn('Re: Lunch', from, `In-Reply-To: <${from}-1@x>\r\nReferences: <${from}-1@x>\r\n`)
      const before = gmail.mailbox(address).sent.length
      const again = await decide(asked)
      expect(again.pending).toMatchObject([
        {
          changed: [
            {
              what: 'newest_email',
              before: expect.stringMatching(/^Grace <grace@example\.com>, /),
              now: expect.stringContaining(from),
            },
          ],
        },
      ])
      expect(gmail.mailbox(address).sent).toHaveLength(before)
      expect(gmail.mailbox(address).drafts.size).toBe(0)
      expect(await decide(again)).toMatchObject({ status: 'completed' })
      expect(gmail.mailbox(address).sent).toHaveLength(before + 1)
    }
  })

  it('a function of the app is not called once what its look returns is another thing', async () => {
    await sql((db) => db`insert into public.tickets values (1, 'open', null, ${ada.id})`)
    const asked = await ask('Close ticket 1', ['close_ticket', { ticket_id: 1 }])
    await sql((db) => db`update public.tickets set state = 'escalated' where id = 1`)
    const again = await decide(asked)
    expect(again.pending).toMatchObject([{ changed: [{ what: 'state', before: 'open', now: 'escalated' }] }])
    expect(await sql((db) => db`select state from public.tickets where id = 1`)).toMatchObject([
      { state: 'escalated' },
    ])
    expect(await decide(again)).toMatchObject({ status: 'completed' })
    expect(await sql((db) => db`select state from public.tickets where id = 1`)).toMatchObject([
      { state: 'closed' },
    ])
  })
})

describe('what asks nobody again', () => {
  const replace = (id: string) =>
    ask('Replace', ['docs_replace_text', { document_id: id, find: 'cat', replace: 'dog' }] as [
      string,
      object,
    ])
  const done = { status: 'completed', toolsUsed: [{ ok: true }] }
  const threadOf = (name: string) => {
    const first = mailIn('Lunch', 'Grace <grace@example.com>', `Message-ID: <${name}@x>\r\n`)
    return {
      first,
      reply: () =>
        ask('Answer grace@example.com about this', [
          'gmail_send_email',
          { ...answerTo(first.id), body: name },
        ]),
    }
  }
  const inThread = (name: string) => `In-Reply-To: <${name}@x>\r\nReferences: <${name}@x>\r\n`

  it('another document', async () => {
    const [id, other] = [await write('The cat sat.'), await write('The cat sat.')]
    const asked = await replace(id)
    await rewrite(other, 'cat cat cat')
    expect(await decide(asked)).toMatchObject(done)
  })

  it('text that changed elsewhere in the document', async () => {
    const id = await write(`The cat sat on the mat and purred. ${'x'.repeat(50)} End.`)
    const asked = await replace(id)
    await rewrite(id, `The cat sat on the mat and purred. ${'x'.repeat(50)} Finale, and more.`)
    expect(await decide(asked)).toMatchObject(done)
    expect(await contentOf(id)).toContain('The dog sat')
  })

  it('a text that is added to a document that others write in', async () => {
    const id = await write('one')
    const asked = await ask('Add', ['docs_append_text', { document_id: id, text: 'three' }])
    await rewrite(id, 'one, two')
    expect(await decide(asked)).toMatchObject(done)
    expect(await contentOf(id)).toBe('one, two\n\nthree')
  })

  it('what this conversation did: two cards on one document', async () => {
    const id = await write('The cat and the hat.')
    const asked = await ask(
      'Replace both',
      ['docs_replace_text', { document_id: id, find: 'hat', replace: 'cap' }],
      ['docs_append_text', { document_id: id, text: 'The cat again.' }],
      ['docs_replace_text', { document_id: id, find: 'cat', replace: 'dog' }],
    )
    expect(asked.pending).toHaveLength(3)
    let answer = await decide(asked)
    answer = await decide(answer)
    answer = await decide(answer)
    expect(answer).toMatchObject(done)
    expect(await contentOf(id)).toBe('The dog and the cap.\n\nThe dog again.')
  })

  it('what this conversation did in a later message', async () => {
    const id = await write('one')
    await rewrite(id, 'two')
    const asked = await ask('Undo', ['docs_restore_version', { document_id: id }])
    chat.model.use([callTool('docs_append_text', { document_id: id, text: 'three' }), say('Done.')])
    const { answer } = await ada.post({ conversationId: asked.conversationId, message: 'Add three' })
    const append = answer.pending?.findIndex(({ toolName }) => toolName === 'docs_append_text') ?? -1
    const appended = await decide(answer, append)
    expect(await contentOf(id)).toBe('two\n\nthree')
    const restored = await decide(appended)
    expect(restored).toMatchObject(done)
    expect(await contentOf(id)).toBe('one')
  })

  it('what this conversation did for the card of an earlier message', async () => {
    const id = await write('The cat sat.')
    const first = await ask('Add', ['docs_append_text', { document_id: id, text: 'The cat again.' }])
    chat.model.use([
      callTool('docs_replace_text', { document_id: id, find: 'cat', replace: 'dog' }),
      say('Done.'),
    ])
    const { answer } = await ada.post({ conversationId: first.conversationId, message: 'Replace cat' })
    const replace = answer.pending?.find(({ toolName }) => toolName === 'docs_replace_text')
    await decide(first)
    expect(await contentOf(id)).toBe('The cat sat.\n\nThe cat again.')
    expect(await decide({ ...answer, pending: replace && [replace] })).toMatchObject(done)
    expect(await contentOf(id)).toBe('The dog sat.\n\nThe dog again.')
  })

  it("another thread's mail", async () => {
    const { reply } = threadOf('other-thread')
    const asked = await reply()
    mailIn('Dinner', 'linus@example.com')
    expect(await decide(asked)).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['a draft', 'DRAFT'],
    ['spam', 'SPAM'],
    ['an email in the trash', 'TRASH'],
  ])('%s in the thread', async (_, label) => {
    const { reply } = threadOf(label)
    const asked = await reply()
    const raw = `From: eve@example.org\r\nTo: ${address}\r\nSubject: Re: Lunch\r\n${inThread(label)}\r\nHi`
    gmail.mailbox(address).deliver(raw, [label])
    expect(await decide(asked)).toMatchObject({ status: 'completed' })
  })

  it('labels and reading', async () => {
    const { first, reply } = threadOf('labels')
    const asked = await reply()
    gmail.mailbox(address).modify([first.id], ['STARRED'], ['UNREAD', 'INBOX'])
    expect(await decide(asked)).toMatchObject({ status: 'completed' })
  })

  it('permissions of a document, and a smaller part of its text', async () => {
    const file = google.addDocument({ name: 'Notes', owner: address, markdown: 'a\n\nb\n\nc\n\nd' } as never)
    const share = { document_id: file.id, emails: ['linus@example.com'], role: 'reader' }
    const asked = await ask('Share it with linus@example.com', ['docs_share', share])
    file.permissions.push({
      id: 'p9',
      type: 'user',
      role: 'reader',
      emailAddress: 'grace@example.com',
    } as never)
    google.rewrite(file.id, 'a\n\nb\n\nc, and more\n\nd\n\ne')
    expect(await decide(asked)).toMatchObject({ status: 'completed' })
  })

  it('what another user does', async () => {
    const id = await write('The cat sat.')
    const asked = await replace(id)
    const eve = await signUp(chat.stack)
    await sql(
      (db) =>
        db`insert into askback.documents (user_id, title, content) values (${eve.id}, 'Plan', 'cat cat')`,
    )
    expect(await decide(asked)).toMatchObject(done)
  })

  it('other columns of what a function of the app looks at', async () => {
    await sql((db) => db`insert into public.tickets values (2, 'open', null, ${ada.id})`)
    const asked = await ask('Close ticket 2', ['close_ticket', { ticket_id: 2, reason: 'done' }])
    await sql((db) => db`update public.tickets set seen_by = 'Grace' where id = 2`)
    expect(await decide(asked)).toMatchObject({ status: 'completed' })
  })

  it('edited values', async () => {
    const id = await write('The cat sat.')
    const asked = await replace(id)
    await rewrite(id, 'The cat sat. cat')
    const input = { document_id: id, find: 'cat', replace: 'mouse' }
    expect(await decide(asked, 0, { input })).toMatchObject(done)
    expect(await contentOf(id)).toBe('The mouse sat. mouse')
  })
})
