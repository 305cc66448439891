import { describe, expect, it } from 'vitest'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { notConnected } from '../../../shared/integrations/definition/connection-error.ts'
import {
  createConnectionHandles,
  type StoredConnection,
} from '../../../shared/server/connections/stored-connection.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { withoutSecrets } from '../../../shared/server/integration-function/without-secrets.ts'
import { smtpProvider } from '../../../supabase/functions/smtp-api/integration.ts'

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)))
const keyring = await readKeyring(`a:${key(1)}`)
const userId = '0d5b6f8e-52c7-4b0f-9d0b-3c4be3c2a9aa'
const owner = { connectionId: '6a0f4b0e-3a8a-4b41-8d7e-0a0c5f9a1c11', userId, provider: 'smtp' }
const sealed = await sealSecret(keyring, owner, { field: 'password', value: 'correct horse', version: 1 })
const stored: StoredConnection = {
  id: owner.connectionId,
  provider: 'smtp',
  label: 'Work',
  account: 'ada@example.com',
  status: 'connected',
  scopes: null,
  pinned: false,
  metadata: { host: 'smtp.example.com', user: 'ada' },
  secrets: [sealed],
}
const heard: string[] = []
const facts = {
  userId,
  providers: [smtpProvider],
  openKeyring: async () => keyring,
  tokens: { rpc: async () => null, servers: {} },
  onSecret: (secret: string) => void heard.push(secret),
}

async function openConnection(connection: StoredConnection, given: typeof facts) {
  const [handle] = createConnectionHandles([connection], given)
  if (!handle) throw new Error('There is no connection.')
  return await handle.open()
}

const errorOf = (opening: Promise<unknown>) =>
  opening.then(
    () => expect.unreachable(),
    (cause: unknown) => (cause instanceof ToolCallError ? cause.toolError : cause),
  )

describe('openConnection', () => {
  it('puts decrypted secrets beside the metadata', async () => {
    const connection = await openConnection(stored, facts)
    expect(connection.values).toEqual({ host: 'smtp.example.com', user: 'ada', password: 'correct horse' })
    expect(heard).toEqual(['correct horse'])
  })

  it('asks the user to re-add a corrupted secret', async () => {
    const corrupted = { ...stored, secrets: [{ ...sealed, ciphertext: crypto.randomUUID() }] }
    expect(await errorOf(openConnection(corrupted, facts))).toMatchObject({
      error:
        'Question: Your SMTP password appears to be corrupted. Please delete and re-add your SMTP password in the integration settings.',
      errorType: 'authentication_error',
      resolver: 'user',
      details: { parameter: 'password', action: { label: 'Reconnect SMTP' } },
    })
  })

  it('does not open for another user', async () => {
    const error = await errorOf(openConnection(stored, { ...facts, userId: owner.connectionId }))
    expect(error).toMatchObject({ errorType: 'authentication_error' })
  })

  it('never advises to delete credentials when the operator lost the key', async () => {
    const otherKeyring = await readKeyring(`b:${key(2)}`)
    const other = { ...facts, openKeyring: async () => otherKeyring }
    const error = await errorOf(openConnection(stored, other))
    expect(error).toMatchObject({ errorType: 'not_configured', resolver: 'nobody' })
    expect(JSON.stringify(error)).not.toMatch(/delete|Question/)
  })
})

it('asks for a missing connection', () => {
  expect(notConnected(smtpProvider)).toMatchObject({
    error: expect.stringMatching(/^Question: Your SMTP service needs to be set up\. Please /),
    errorType: 'not_configured',
    resolver: 'user',
  })
})

describe('withoutSecrets', () => {
  it('blots a secret out wherever it is', () => {
    const value = { error: 'bad password hunter2!', details: { list: ['hunter2', 1, null], hunter2: true } }
    expect(withoutSecrets(value, ['hunter2'])).toEqual({
      error: 'bad password ***!',
      details: { list: ['***', 1, null], hunter2: true },
    })
  })

  const password = 'pa"ss word\\2'
  const inBase64 = (text: string) => Buffer.from(text).toString('base64')
  it.each([
    ['in JSON', JSON.stringify(password).slice(1, -1)],
    ['in a URL', encodeURIComponent(password)],
    ['in a form', new URLSearchParams({ password }).toString().replace('password=', '')],
    ['in base64', inBase64(password).replace(/=+$/, '')],
    ['in base64 for URLs', Buffer.from(password).toString('base64url')],
  ])('blots it out %s, as servers repeat what they were sent', (_, written) => {
    const { error } = withoutSecrets({ error: `Unknown command: ${written}.` }, [password])
    expect(error).toContain('***')
    expect(error).not.toContain(written.slice(0, 12))
  })

  it.each(['', 'a', 'ab'])('blots it out of a mail sign-in in base64, after %j', (user) => {
    const sent = inBase64(`\0${user}\0hunter22`)
    const { error } = withoutSecrets({ error: `Unknown command: AUTH PLAIN ${sent}` }, ['hunter22'])
    const shown = Buffer.from(error.replace(/^.* |[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1')
    expect(error).toContain('***')
    expect(shown).not.toContain('hunt')
  })

  it('takes half a character for one that was lost on the way', () => {
    expect(withoutSecrets('bad: half%EF%BF%BD', ['half\ud800'])).toBe('bad: ***')
  })

  it('leaves ordinary words alone when a secret is as short as one', () => {
    expect(withoutSecrets('at ten', ['at'])).toBe('at ten')
  })
})
