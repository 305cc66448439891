import { describe, expect, test } from 'vitest'
import { extractToolError } from '../../../shared/engine/failures/extract-tool-error.ts'

describe('a success is not an error', () => {
  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a text', 'Done.'],
    ['a text about an error', 'The log says that an error occurred: timeout 401.'],
    ['a list', [{ error: 'x' }]],
    ['ok with a null error', { ok: true, error: null }],
    ['ok with an error field', { ok: true, error: 'none' }],
    ['success', { success: true, error: 'x' }],
    ['a null error', { data: [1], error: null }],
    ['an empty error', { data: [1], error: '', errors: [] }],
    ['no MCP error', { isError: false, content: [{ type: 'text', text: 'Error: it says here' }] }],
    ['exit code 0 with warnings', { exitCode: 0, stdout: 'x', stderr: 'warning: error-prone' }],
    [
      'a search without results',
      { status: 'Success', error: "Google hasn't returned any results for this query." },
    ],
    ['data with a partial error', { data: { a: 1 }, errors: [{ message: 'x' }] }],
    ['a record with a status', { id: 1, status: 'open', title: 'Not found' }],
    ['a record with a number as status', { status: 404, count: 1 }],
    ['a nested success', { result: { ok: true, data: 1 } }],
    ['JSON of a success', '{"ok":true,"error":null}'],
    ['a record of a code', { error_code: 'E7', label: 'Not found' }],
    ['a message', { message: 'File not found in the archive, so it was created.' }],
  ])('%s', (_, value) => {
    expect(extractToolError(value)).toBeUndefined()
  })
})

describe('an error is found', () => {
  test.each([
    ['ok: false', { ok: false, error: 'channel_not_found' }, 'not_found'],
    ['success: false', { success: false, error: 'Invalid API key' }, 'authentication_error'],
    [
      'error: true',
      { error: true, message: 'query is required', toolName: 'search', feedback: 'f' },
      'missing_parameter',
    ],
    ['an error text', { error: 'Rate limit exceeded' }, 'rate_limit_exceeded'],
    ['an error object', { error: { code: 404, message: 'No such page' } }, 'not_found'],
    ['errors without data', { data: null, errors: [{ message: 'Forbidden' }] }, 'permission_denied'],
    [
      'errors beside nothing but nulls',
      { data: { page: null }, errors: [{ message: 'Forbidden' }] },
      'permission_denied',
    ],
    [
      'PostgREST',
      { message: 'permission denied for table a', code: '42501', details: null, hint: null },
      'permission_denied',
    ],
    [
      'an MCP error',
      { isError: true, content: [{ type: 'text', text: 'Permission denied' }] },
      'permission_denied',
    ],
    ['an exit code', { exitCode: 1, stdout: '', stderr: 'permission denied' }, 'permission_denied'],
    ['stderr alone', { stderr: 'no such file' }, 'not_found'],
    ['a status text', { status: 'error', message: 'Service unavailable' }, 'unavailable'],
    ['a status number', { statusCode: 403, message: 'Forbidden' }, 'permission_denied'],
    [
      'a problem document',
      { type: 'about:blank', title: 'Conflict', status: 409, detail: 'taken' },
      'conflict',
    ],
    [
      'Notion',
      { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find page' },
      'not_found',
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'unavailable',
    ],
    ['Supabase auth', { code: 404, error_code: 'user_not_found', msg: 'User not found' }, 'not_found'],
    ['OData', { 'odata.error': { code: '-1', message: { value: 'File Not Found.' } } }, 'not_found'],
    ['Tavily', { detail: { error: 'Unauthorized: missing or invalid API key.' } }, 'authentication_error'],
    ['a nested error', { result: { success: false, error: 'timed out' } }, 'timeout'],
    ['an error wrapped twice', { data: { result: { error: 'timed out' } } }, 'timeout'],
    ['JSON of an error', '{"success":false,"error":"timed out"}', 'timeout'],
    ['an older text', 'Tool execution error: page not found', 'not_found'],
    ['an older list', 'Validation errors: Recipient (to) is required', 'missing_parameter'],
    ['the text of an exception', 'TypeError: fetch failed', 'unavailable'],
    ['an exception', new Error('deadline exceeded'), 'timeout'],
  ])('%s', (_, value, errorType) => {
    expect(extractToolError(value)?.errorType).toBe(errorType)
  })

  test('beside the value', () => {
    expect(extractToolError({ ok: true }, 'Not found')?.errorType).toBe('not_found')
    expect(extractToolError(undefined, new Error('Not found'))?.errorType).toBe('not_found')
    expect(extractToolError({ ok: true }, null)).toBeUndefined()
  })

  test('with what is known about the tool', () => {
    const error = extractToolError({ success: false, error: 'timed out' }, undefined, {
      effect: 'write',
      toolName: 'send',
    })
    expect(error?.errorType).toBe('outcome_unknown')
  })
})
