import { afterEach, expect, it, test, vi } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import { logServiceAway } from '../../../shared/server/integration-function/service-away.ts'

afterEach(() => vi.restoreAllMocks())

/** What the failure of a call of this tool leaves in the log. */
function logged(tool: string, cause: unknown, errorType: 'unavailable' | 'invalid_value' = 'unavailable') {
  const spy = vi.spyOn(console, 'log').mockImplementation(() => {})
  logServiceAway(tool, toolError(errorType, 'It failed.'), cause)
  return spy.mock.calls.map(([line]) => JSON.parse(String(line)))
}

const address = 'http://10.0.0.7/notes?text=secret'
/** As `fetch` of Deno fails, whose message holds the address. */
const deno = (why: string) =>
  new TypeError('fetch failed', {
    cause: new Error(`error sending request for url (${address}): client error (Connect): ${why}`),
  })
const node = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:80'), { code: 'ECONNREFUSED' }),
})
const answered = Object.assign(new Error('<h1>secret</h1>'), { status: 503 })

test.each<[string, unknown, object]>([
  ['refused', deno('tcp connect error: Verbindung verweigert (os error 111)'), { why: 'ECONNREFUSED' }],
  ['not found', deno('dns error: failed to lookup address information'), { why: 'Connect' }],
  [
    'hosted',
    new TypeError(`error sending request for url (${address}): client error (Connect): (os error 104)`),
    { why: 'ECONNRESET' },
  ],
  [
    'spelled out in its address',
    new Error(`error sending request for url (${address}+(os+error+111)): nothing`),
    { why: 'Error' },
  ],
  ['refused in Node', node, { why: 'ECONNREFUSED' }],
  ['late', new DOMException('The time is over', 'TimeoutError'), { why: 'TimeoutError' }],
  ['failing', answered, { status: 503 }],
  ['a client of its own', new Error(`secret ${address}`), { why: 'Error' }],
])('a service that is away (%s) leaves a line that says why, and nothing of the call', (name, cause, why) => {
  const tool = `note_${name}`
  expect(logged(tool, cause)).toEqual([{ event: 'service-away', tool, errorType: 'unavailable', ...why }])
})

it('is silent about a call that only has to be corrected', () => {
  expect(logged('note_wrong', answered, 'invalid_value')).toEqual([])
})

it('is said once of several tries', () => {
  expect(logged('note_again', answered)).toHaveLength(1)
  expect(logged('note_again', answered)).toHaveLength(1)
})
