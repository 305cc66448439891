import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { callTool, type ModelServer, say, startModelServer } from '../../../support/model-server.ts'
import { project } from '../../../support/stack.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

const compare = (...words: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'lab/lab.ts', 'compare', 'lab/compare/example.ts', ...words],
    { cwd: project },
  )

test('the tool that says which days there are gets its answer, the one that does not gives up', async () => {
  server = await startModelServer(({ body }) => {
    const last = String(body.messages.at(-1)?.content)
    if (/"open"/.test(last)) return say('It is open.')
    if (body.messages.at(-1)?.role !== 'tool') return callTool('opening_hours', { day: '2026-03-16' })
    return last.includes('2026-03-15')
      ? callTool('opening_hours', { day: '2026-03-15' })
      : say('Nobody knows.')
  })
  const { stdout } = await compare('--base-url', server.url, '--model', 'scripted-model', '--times', '2')
  expect(stdout).toContain('| means of 6 runs | a | b |')
  expect(stdout).toContain('| succeeded | 0 % | 100 % |')
  expect(stdout).toContain('Only a succeeded in 0, only b in 6.')
})

test('without a model it says how to name one', async () => {
  await expect(compare()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Pass both --base-url and --model'),
  })
})
