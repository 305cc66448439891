import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { askedInEnglish, sentenceOf } from '../../../shared/engine/core/asked.ts'
import {
  corruptedSecret,
  notConnected,
  rejectedCredentials,
  unusableConnection,
} from '../../../shared/integrations/definition/connection-error.ts'
import {
  type IntegrationProvider,
  toJsonSchema,
} from '../../../shared/integrations/definition/integration.ts'
import { smtpProvider } from '../../../supabase/functions/smtp-api/integration.ts'

/** Signed in to. */
const gmail: IntegrationProvider = {
  id: 'gmail',
  name: 'Gmail',
  description: 'Reads and sends mail of a Google account.',
  service: 'mail',
  purpose: 'send emails',
  oauth: { server: 'google', scopes: { gmail_send_email: ['https://www.googleapis.com/auth/gmail.send'] } },
  connection: toJsonSchema(
    z.strictObject({ refresh_token: z.string().meta({ title: 'sign-in', secret: true }) }),
  ),
}

/** One key, and a setting that may stay empty. */
const serper: IntegrationProvider = {
  id: 'serper',
  name: 'Serper',
  description: 'Google search results.',
  service: 'search',
  purpose: 'perform web searches',
  connection: toJsonSchema(
    z.strictObject({
      api_key: z.string().min(1).meta({ title: 'API key', secret: true }),
      country: z.string().optional().meta({ title: 'country' }),
    }),
  ),
}

/** One field that is no secret. */
const searxng: IntegrationProvider = {
  ...serper,
  id: 'searxng',
  name: 'SearXNG',
  connection: toJsonSchema(z.strictObject({ url: z.url().meta({ title: 'server address' }) })),
}

describe('a user without a connection is asked for what is missing', () => {
  test.each<[string, IntegrationProvider, string, string?, string[]?]>([
    [
      'an account',
      gmail,
      'Question: Your Gmail service needs to be set up. Please connect your Gmail account in the integration settings before I can send emails.',
      'Question: Connect a mail account first.',
    ],
    [
      'a key',
      serper,
      'Question: No API key found for Serper. Please add your Serper API key in the integration settings before I can perform web searches.',
      'Question: To perform web searches I need a key from Serper.',
      ['API key'],
    ],
    [
      'a setting',
      searxng,
      'Question: Your SearXNG service needs to be set up. Please add your server address in the integration settings before I can perform web searches.',
      'Question: Connect a search service first.',
      ['server address'],
    ],
    [
      'several fields, but for those with a default',
      smtpProvider,
      'Question: Your SMTP service needs to be set up. Please add your user name and password in the integration settings before I can send emails.',
      'Question: Connect a mail account first.',
      ['user name', 'password'],
    ],
  ])('%s', (_, provider, sentence, forPeople = sentence, fields) => {
    const error = notConnected(provider)
    const { asked } = error.details
    expect(asked && `Question: ${sentenceOf(askedInEnglish(asked))}`).toBe(forPeople)
    expect(error).toEqual({
      ok: false,
      error: sentence,
      errorType: 'not_configured',
      resolver: 'user',
      details: {
        asked: expect.objectContaining({
          code: 'connection_missing',
          values: {
            provider: provider.name,
            providerId: provider.id,
            service: provider.service,
            purpose: provider.purpose,
            isKey: provider === serper,
            ...(fields ? { fields } : {}),
          },
        }),
        action: {
          label: `Connect ${provider.name}`,
          href: `/settings/integrations?provider=${provider.id}`,
        },
      },
    })
  })
})

it('tells people what they want to do, and of all providers whose key would do', () => {
  const brave = { ...serper, id: 'brave', name: 'Brave' }
  const { error, details } = notConnected(serper, { title: 'Search the web', others: [brave] })
  expect(details.asked && askedInEnglish(details.asked)).toEqual({
    code: 'connection_missing',
    values: {
      provider: 'Serper',
      providerId: 'serper',
      service: 'search',
      purpose: 'perform web searches',
      isKey: true,
      fields: ['API key'],
      others: ['Brave'],
      tool: 'Search the web',
    },
    asked: 'To search the web I need a key from Serper or Brave.',
  })
  expect(error).toBe(
    'Question: The search service needs to be configured. No API key found for Serper. Please add your Serper API key in the integration settings before I can perform web searches. Brave will do as well.',
  )
})

it('asks to correct a connection that cannot be used as it is', () => {
  const said = { code: 'field_unfit', values: { field: 'country' } } as const
  expect(unusableConnection(serper, said)).toMatchObject({
    error:
      'Question: The search service needs to be configured. Please correct your Serper connection in the integration settings: the field "country" is empty or not valid.',
    errorType: 'not_configured',
    resolver: 'user',
    details: {
      asked: {
        code: 'connection_unusable',
        values: {
          provider: 'Serper',
          service: 'search',
          why: 'field_unfit',
          whyValues: { field: 'country' },
        },
      },
    },
  })
})

it('asks to delete and re-add a corrupted secret', () => {
  expect(corruptedSecret(serper, 'api_key')).toMatchObject({
    error:
      'Question: Your Serper API key appears to be corrupted. Please delete and re-add your Serper API key in the integration settings.',
    errorType: 'authentication_error',
    resolver: 'user',
    details: { parameter: 'api_key', action: { label: 'Reconnect Serper' } },
  })
  expect(corruptedSecret(gmail, 'refresh_token').error).toBe(
    'Question: Your Gmail sign-in appears to be corrupted. Please delete and re-add your Gmail sign-in in the integration settings.',
  )
})

it('asks to check credentials that the provider refuses', () => {
  const error = rejectedCredentials(serper, { code: 'key_refused' })
  expect(error).toMatchObject({
    error:
      'Question: Serper does not accept your API key. Please check it, and enter it again in the integration settings.',
    errorType: 'authentication_error',
    details: { action: { label: 'Reconnect Serper' } },
  })
})
