import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataDirectory, writePrivateFile } from '../../../local/data-directory/data-directory.ts'
import { identifyProcess } from '../../../local/process/running-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askback-unit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('openDataDirectory', () => {
  it('makes the folder for its owner only', () => {
    const path = join(folder, 'deep', 'data')
    openDataDirectory(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('gives a folder to one holder at a time, and to the next one afterwards', () => {
    const first = openDataDirectory(folder)
    expect(() => openDataDirectory(folder)).toThrow(
      `Askback is already running (process ${process.pid}) with the data directory ${folder}.`,
    )
    first.close()
    openDataDirectory(folder).close()
    expect(readdirSync(folder)).toEqual(['.gitignore'])
  })

  it('names the address of the stack that holds it', () => {
    openDataDirectory(folder)
    writeFileSync(join(folder, 'stack.json'), '{"url":"http://127.0.0.1:1234"}')
    expect(() => openDataDirectory(folder)).toThrow('already running at http://127.0.0.1:1234 (process')
  })

  it.each([
    ['a process that is gone', '4194305 started 1'],
    ['another process that has got its id since', `${process.pid} started 1`],
    ['nobody', ''],
  ])('takes over a lock that belongs to %s', (_, lock) => {
    writeFileSync(join(folder, 'lock'), lock)
    openDataDirectory(folder)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(identifyProcess(process.pid))
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'lock'])
  })

  it('keeps its keys out of git, whatever the folder is called', () => {
    const path = join(folder, '.askback-simulated')
    execFileSync('git', ['init', '-q', folder])
    openDataDirectory(path)
    writeFileSync(join(path, 'keys.json'), '{}')
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe('')
  })

  it.runIf(existsSync('/proc/self'))('ends with a sentence where nothing can be created', () => {
    expect(() => openDataDirectory('/proc/askback/data')).toThrow(
      'The data directory /proc/askback/data cannot be created: ENOENT',
    )
  })

  it('says what is wrong with a path that cannot be a folder', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => openDataDirectory(join(folder, 'file', 'data'))).toThrow(
      /^The data directory .* cannot be created: /,
    )
  })
})

describe('writePrivateFile', () => {
  it('replaces a file at once and lets nobody else read it', () => {
    const path = join(folder, 'secret')
    writeFileSync(path, 'old', { mode: 0o644 })
    writePrivateFile(path, 'new')
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secret'])
  })
})
