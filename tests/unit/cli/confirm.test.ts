import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { confirm, type Usual } from '../../../cli/command/confirm.ts'
import { Refusal } from '../../../cli/command/refusal.ts'

/** What comes of keys that are pressed after the question. */
async function pressed(
  keys: string,
  usual: Usual = 'yes',
): Promise<{ refusal: string | undefined; shown: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true })
  const outcome = confirm('Go on?', usual, { input, output }).then(
    () => undefined,
    (error) => {
      if (error instanceof Refusal) return error.message
      throw error
    },
  )
  input.write(keys)
  return { refusal: await outcome, shown: String(output.read()) }
}

describe('the question of a command', () => {
  it.each(['\r', 'y\r', 'Yes\r'])('goes on after %j', async (keys) => {
    const { refusal, shown } = await pressed(keys)
    expect(refusal).toBeUndefined()
    expect(shown).toContain('Go on? [Y/n] ')
  })

  it('changes nothing after Enter alone where something is taken away', async () => {
    expect(await pressed('\r', 'no')).toEqual({
      refusal: 'Nothing was changed.',
      shown: expect.stringContaining('Go on? [y/N] '),
    })
    expect((await pressed('y\r', 'no')).refusal).toBeUndefined()
  })

  it.each([
    ['no', 'n\r'],
    ['anything else', 'maybe\r'],
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ])('changes nothing after %s', async (_, keys) => {
    expect((await pressed(keys)).refusal).toBe('Nothing was changed.')
  })

  it('is not put where nobody can answer', async () => {
    const nobody = { input: new PassThrough(), output: new PassThrough() }
    await expect(confirm('Go on?', 'yes', nobody)).rejects.toThrow('Use --yes to skip the question.')
  })
})
