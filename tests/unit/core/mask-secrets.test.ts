import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskSecrets } from '../../../shared/engine/core/mask-secrets.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'

/** In two parts, so that nobody's scanner takes them for leaked ones. */
const made = (...parts: string[]) => parts.join('')

/** Made-up secrets of many kinds; none was ever valid. */
const secrets: Record<string, string> = {
  OpenAI: made('sk-p', 'roj-Zx9Qw8Er7Ty6Ui5Op4As3Df2'),
  Anthropic: made('sk-a', 'nt-api03-aB1cD2eF3gH4iJ5kL6mN7oP8'),
  Stripe: made('sk_l', 'ive_51H8xYzAbCdEfGhIjKlMnOp'),
  GitHub: made('ghp_', '16C7e42F292c6912E7710c838347Ae178B4a'),
  'GitHub, fine-grained': made('gith', 'ub_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz'),
  Slack: made('xoxb', '-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'),
  Google: made('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q'),
  'Google OAuth': made('ya29', '.a0AfH6SMBx1y2z3-AbCdEfGh_IjKl'),
  JWT: made(
    'eyJh',
    'bGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ),
  AWS: made('AKIA', 'IOSFODNN7EXAMPLE'),
  'AWS secret': made('wJal', 'rXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
  SendGrid: made('SG.n', 'geVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr'),
  Mailgun: made('key-', '3ax6xnjp29jd6fds4gc373sgvjxteol0'),
  Resend: made('re_1', '23456789_AbCdEfGhIjKlMn'),
  Notion: made('ntn_', '12345678901AbCdEfGhIjKlMnOpQrStUvWxYz'),
  Tavily: made('tvly', '-AbCdEfGhIjKlMnOp1234'),
  'Twilio token': made('9f86', 'd081884c7d659a2feaa0c55ad015'),
  Supabase: made('sb_s', 'ecret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz'),
  'random text': made('q7Xc', '2LpV9sKd4RtM8wZb3NfG'),
}

describe('secrets are masked', () => {
  test.each(Object.entries(secrets))('%s', (_, secret) => {
    for (const text of [
      `Incorrect key: ${secret}.`,
      `{"key":"${secret}"}`,
      `https://x.org/a?k=${secret}&b=1`,
      `token ${secret} expired`,
    ]) {
      expect(maskSecrets(text)).not.toContain(secret)
      expect(maskSecrets(text)).toContain('***')
    }
  })

  test.each([
    ['a bearer header', 'Authorization: Bearer abc.def-123', 'abc.def-123'],
    ['basic credentials', 'Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
    ['credentials in a URL', 'connect to postgres://app:hunter2@db.example.com/x', 'hunter2'],
    ['a password in a query', 'GET /login?user=a&password=hunter2&x=1', 'hunter2'],
    ['a password in JSON', '{"password": "correct horse battery"}', 'correct horse'],
    ['a password in escaped JSON', '"{\\"password\\":\\"hunter2!\\"}"', 'hunter2'],
    ['an assignment', 'SMTP_PASSWORD=hunter2 failed', 'hunter2'],
    ['a session', 'Set-Cookie: sid=abc123; Path=/', 'abc123'],
    ['a quoted password in a sentence', 'Login failed with password "hunter2!"', 'hunter2'],
    ['a password between quotes', "user=ada pass='hunter2!' host=db", 'hunter2'],
    ['an application password', 'password: abcd efgh ijkl mnop', 'ijkl'],
    [
      'a key that looks like an id',
      'Incorrect API key provided: 3f2504e0-4f89-11d3-9a0c-0305e82c3301',
      '3f2504e0',
    ],
    ['a webhook', 'POST https://hooks.slack.com/services/T0AB/B0CD/abcdef', 'abcdef'],
    ['a bot', 'https://api.telegram.org/bot110201543:AAHdqTcvCH1/sendMessage', 'AAHdqTcvCH1'],
    ['a link that resets', 'https://x.org/reset/q7Xc2LpV9sKd4RtM8wZb3NfG', 'q7Xc2LpV9sKd4RtM8wZb3NfG'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----', 'MIIEvQ'],
    ['a private key that is cut', 'x -----BEGIN RSA PRIVATE KEY-----\nMIIEvQ', 'MIIEvQ'],
  ])('%s', (_, text, secret) => {
    expect(maskSecrets(text)).not.toContain(secret)
  })
})

test.each([
  'The recipient address alice.liddell@wonderland.example is unknown.',
  'Page 123e4567-e89b-42d3-a456-426614174000 was not found.',
  'Model gpt-4o-mini-2024-07-18 does not exist; use claude-3-5-sonnet-20241022.',
  'Please try again in 20 seconds, at 2026-11-21T10:00:12.000Z.',
  'Missing required parameter: personalizations[0].to[0].email',
  'token: expected a string, password is required',
  'https://developers.google.com/gmail/api/guides/handle-errors',
  'cannotShareTeamDriveTopFolderWithAnyoneOrDomains',
  'AuthorizationRequestDeniedException in eu-central-1',
  'https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
  'Unexpected token "<!DOCTYPE" in JSON',
  'The key "first_name" is unknown, the token limit is 4096',
])('ordinary text stays: %s', (text) => {
  expect(maskSecrets(text)).toBe(text)
})

test('a long text is masked in one pass', () => {
  const text = `${'a'.repeat(200_000)} ${'="'.repeat(50_000)} ${'Bearer '.repeat(20_000)} ${'a-'.repeat(500_000)} sk-proj-Zx9Qw8Er7Ty6Ui5Op4As3Df2`
  expect(maskSecrets(text)).not.toContain('Zx9Qw8Er7Ty6')
})

test('no planted secret, stack or path reaches a tool error, wherever it was', () => {
  const secret = fc.constantFrom(...Object.values(secrets))
  const path = '/var/task/node_modules/left-pad/index.js'
  const planted = secret.chain((value) =>
    fc
      .constantFrom<(value: string) => unknown>(
        (s) => new Error(`401 Unauthorized: key ${s} at ${path}`),
        (s) =>
          Object.assign(new Error('failed'), {
            response: { status: 401, data: { error: { message: `Bad key ${s}` } } },
          }),
        (s) => ({
          success: false,
          error: `request to https://api.example.com/v1?api_key=${s} failed, see ${path}`,
        }),
        (s) => ({ error: { message: `Authorization: Bearer ${s} was refused`, code: 403 } }),
        (s) => ({ isError: true, content: [{ type: 'text', text: `token=${s}` }] }),
        (s) => `Tool execution error: ${s}\n    at run (${path}:1:1)`,
        (s) => ({ stderr: `Traceback\n  File "${path}", line 1\nValueError: ${s}`, exitCode: 1 }),
        (s) => `<html><title>Error ${s}</title></html>`,
        (s) => ({ errors: [{ message: `invalid ${s}`, field: s }] }),
        (s) => JSON.stringify({ error: JSON.stringify({ message: `no ${s}` }) }),
      )
      .map((make) => ({ value, cause: make(value) })),
  )
  fc.assert(
    fc.property(
      planted,
      fc.constantFrom(undefined, 400, 401, 404, 429, 500),
      ({ value, cause }, httpStatus) => {
        const written = JSON.stringify(classifyError(cause, { httpStatus }))
        expect(written).not.toContain(value)
        expect(written).not.toContain('left-pad')
        expect(written).not.toMatch(/\bat run\b|Traceback/)
      },
    ),
    { numRuns: 500 },
  )
})

test.each(['[', '{', '"', 'error ', '550 5.1.1 ', 'a-', '/a', '<h1>', 'token='])(
  'a million characters of %s are classified',
  (part) => {
    expect(classifyError(part.repeat(1e6 / part.length)).error.length).toBeLessThan(500)
  },
)

test('whatever is thrown gives a tool error and no throw', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      (value) => {
        const error = classifyError(value)
        expect(error.ok).toBe(false)
        expect(error.error.startsWith('Question: ')).toBe(
          error.resolver === 'model' || error.resolver === 'user',
        )
      },
    ),
    { numRuns: 1000 },
  )
})
