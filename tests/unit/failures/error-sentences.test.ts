import { describe, expect, test } from 'vitest'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { cleanReason } from '../../../shared/engine/failures/clean-reason.ts'

test('what is missing is named by the sentence that misses it', () => {
  const body = { message: 'Page does not exist. It may have been deleted by another user.' }
  expect(classifyError(body, { httpStatus: 404 }).error).toContain('Which page did you mean?')
})

test.each(['getaddrinfo ENOTFOUND mail.example', 'Name or service not known', 'dns error: no record found'])(
  'a host that does not exist is called one: %s',
  (text) => {
    expect(classifyError(text).error).toContain('the host name, which does not exist')
  },
)

test('a code alone is the reason', () => {
  expect(classifyError({ ok: false, error: 'msg_too_long' }, { httpStatus: 200 }).error).toBe(
    'Question: There seems to be an issue with one of the values. Reason given: "msg too long". Please check it and correct it.',
  )
})

describe('a reason contains no status, stack, path or empty phrase', () => {
  test.each([
    ['550 5.7.1 no spam here', 'no spam here'],
    ['Request to the API failed with status: 502', 'Request to the API failed'],
    ['Weather API error: HTTP 503', 'Weather API error'],
    ['Failed to run: 403 Forbidden', 'Failed to run: Forbidden'],
    ['Forbidden: the bot was blocked', 'the bot was blocked'],
    ['Question: Your plan has no search. Please upgrade it.', 'Your plan has no search. Please upgrade it.'],
    ['Not Found', ''],
    ['An unknown error has occurred.', ''],
    ['Request timed out.', ''],
    ['error:0A00010B:SSL routines:read:wrong version:../deps/openssl/record.c:354', ''],
    ['cannot open file:///srv/app/main.ts today', 'cannot open … today'],
    ['cannot open src/tools/mail.ts:12:5 today', 'cannot open … today'],
    ['cannot open D:/projects/app/x.ts today', 'cannot open … today'],
    ['cannot open \\\\server\\share\\a.txt today', 'cannot open … today'],
    ['it broke at send (webpack-internal:///./src/a.ts:1:2)', 'it broke'],
    ['it broke at node:internal/deps/undici:1:2', 'it broke at …'],
    ['see https://example.com/docs/a.html for more', 'see https://example.com/docs/a.html for more'],
    ['either/or is wrong, and 1/2 too', 'either/or is wrong, and 1/2 too'],
  ])('%s', (text, reason) => {
    expect(cleanReason(text)).toBe(reason)
  })
})
