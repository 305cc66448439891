import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { experiments } from '../../../lab/experiments.ts'
import { project } from '../../../support/stack.ts'

const lab = (...words: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'lab/lab.ts', ...words], { cwd: project })

test('without a name, the lab lists every experiment', async () => {
  const { stdout } = await lab()
  for (const [name, { what }] of Object.entries(experiments)) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +`, 'm'))
    expect(stdout).toContain(what)
  }
})

test('a name that is no experiment is refused, with those that there are', async () => {
  await expect(lab('toString')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no experiment "toString".'),
    stdout: expect.stringContaining('conformance'),
  })
})

test('the options after the name are those of the experiment', async () => {
  await expect(lab('front-ends', '--only', 'no such scene')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No scene has "no such scene" in its name.'),
  })
})

test('the README names every experiment', async () => {
  const page = await readFile(join(project, 'lab/README.md'), 'utf8')
  expect(Object.keys(experiments).filter((name) => !new RegExp(`\`${name}[\` ]`).test(page))).toEqual([])
})
