import { once } from 'node:events'
import { request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { openTransport } from '../../support/inbox-client.ts'
import { startStack } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

const stack = useStarted(() => startStack())

beforeEach(() => stack.inbox.clear())

describe('the local inbox', () => {
  it('takes a mail by STARTTLS and AUTH and shows every part of it', async () => {
    const { messageId } = await openTransport(stack).sendMail({
      from: 'Ada Lovelace <ada@example.com>',
      to: ['Grace <grace@example.com>', 'alan@bücher.example'],
      cc: 'cc@example.com',
      bcc: ['secret@example.com'],
      replyTo: 'reply@example.com',
      subject: 'Grüße ☀️',
      text: 'Hello there',
      html: '<p>Hello there</p>',
      attachments: [{ filename: 'notes.txt', content: 'some notes' }],
    })
    const [message, ...others] = await stack.inbox.messages()
    expect(others).toEqual([])
    expect(message).toEqual({
      id: expect.any(String),
      messageId,
      from: 'ada@example.com',
      to: ['grace@example.com', 'alan@bücher.example'],
      cc: ['cc@example.com'],
      bcc: ['secret@example.com'],
      replyTo: ['reply@example.com'],
      subject: 'Grüße ☀️',
      text: 'Hello there',
      html: '<p>Hello there</p>',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      attachments: [
        {
          filename: 'notes.txt',
          contentType: 'text/plain',
          size: 10,
          content: Buffer.from('some notes').toString('base64'),
        },
      ],
      headers: expect.arrayContaining(['From: Ada Lovelace <ada@example.com>', `Message-ID: ${messageId}`]),
    })
  })

  it('takes a mail to lost-reply@… and hangs up, once for each', async () => {
    const send = () =>
      openTransport(stack).sendMail({
        from: 'ada@example.com',
        to: 'Lost-Reply@example.com',
        subject: 'Party',
        text: 'Hello',
        messageId: '<party@example.com>',
      })
    await expect(send()).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNECTION|ESOCKET|ECONNRESET/),
    })
    expect(await stack.inbox.messages()).toHaveLength(1)
    await send()
    expect(await stack.inbox.messages()).toHaveLength(2)
  })

  it('refuses a wrong password', async () => {
    const sending = openTransport(stack, { password: 'wrong' }).sendMail({ to: 'a@example.com', text: 'x' })
    await expect(sending).rejects.toMatchObject({ responseCode: 535 })
    expect(await stack.inbox.messages()).toEqual([])
  })

  it('refuses a password in clear text', async () => {
    const sending = openTransport(stack, { ignoreTLS: true }).sendMail({
      from: 'a@example.com',
      to: 'a@example.com',
      text: 'x',
    })
    await expect(sending).rejects.toThrow()
    expect(await stack.inbox.messages()).toEqual([])
  })

  it('keeps mails in the order of their arrival and forgets them on DELETE', async () => {
    const transport = openTransport(stack)
    for (const subject of ['first', 'second']) {
      await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject, text: '' })
    }
    expect((await stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['first', 'second'])
    const emptied = await fetch(`${stack.url}/inbox/messages`, { method: 'DELETE' })
    expect([emptied.status, await emptied.json()]).toEqual([200, []])
    expect(await stack.inbox.messages()).toEqual([])
  })

  it('has one page, of the web app, which holds no mail before somebody looks', async () => {
    await openTransport(stack).sendMail({ to: 'b@example.com', subject: 'Secret plan', text: 'x' })
    const page = await fetch(`${stack.url}/inbox`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).not.toContain('Secret plan')
    expect((await fetch(`${stack.url}/mail`)).status).toBe(404)
  })

  it.each([
    ['evil.example', 403],
    ['127.evil.example', 403],
    ['localhost', 200],
    ['127.0.0.1', 200],
  ])('answers a page that reaches this machine as %s with %d', async (name, expected) => {
    const call = request(`${stack.url}/inbox/messages`, { headers: { host: `${name}:54321` } }).end()
    const [response] = await once(call, 'response')
    response.resume()
    expect(response.statusCode).toBe(expected)
  })

  it.each(['/', '/config.json', '/status', '/inbox/messages', '/assets/none.js'])(
    'lets no page of another origin read, frame or hold on to %s',
    async (path) => {
      const { headers } = await fetch(`${stack.url}${path}`, { headers: { origin: 'https://evil.example' } })
      expect(Object.fromEntries(headers)).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-frame-options': 'DENY',
      })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  it('serves nothing beside the files of the app', async () => {
    for (const path of ['..%2findex.html', '..%2f..%2f..%2fpackage.json', '%2e%2e%5cindex.html', '.env']) {
      expect((await fetch(`${stack.url}/assets/${path}`)).status, path).toBe(404)
    }
  })
})
