import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../../local/settings/settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askback-unit-'))
  mkdirSync(join(folder, 'functions'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('readSettings', () => {
  it('has defaults for everything', () => {
    expect(readSettings({}, folder)).toEqual({
      port: 54321,
      dataDirectory: resolve('.askback'),
      databaseUrl: undefined,
      supabaseDirectory: folder,
      functionsDirectory: join(folder, 'functions'),
      clockSeconds: 5,
      confirmsEmail: false,
      environment: {},
    })
  })

  it('takes an empty variable for one that is not set', () => {
    const empty = { ASKBACK_PORT: '', ASKBACK_DATA_DIR: '', DATABASE_URL: '' }
    const { port, dataDirectory, databaseUrl } = readSettings(empty, folder)
    expect([port, dataDirectory, databaseUrl]).toEqual([54321, resolve('.askback'), undefined])
  })

  it('reads supabase/functions/.env, which the environment overrides', () => {
    writeFileSync(join(folder, 'functions', '.env'), 'OPENAI_API_KEY=file\nOPENAI_MODEL="gpt"\n')
    expect(readSettings({ OPENAI_API_KEY: 'environment' }, folder).environment).toEqual({
      OPENAI_API_KEY: 'environment',
      OPENAI_MODEL: 'gpt',
    })
  })

  it('loses no line of it to a comment, and no comment to a value of several lines', () => {
    const lines = [
      "  # The team's own key",
      'OWN_KEY=first',
      "\t# It's said twice = here",
      "export OTHER_KEY='second'",
      'LONG_KEY="one',
      "  # two's",
      'three"',
      'LAST_KEY=last',
    ]
    writeFileSync(join(folder, 'functions', '.env'), lines.join('\r\n'))
    expect(readSettings({}, folder).environment).toEqual({
      OWN_KEY: 'first',
      OTHER_KEY: 'second',
      LONG_KEY: "one\n  # two's\nthree",
      LAST_KEY: 'last',
    })
  })

  it.each(['0', '1', '65535'])('accepts the port %s', (port) => {
    expect(readSettings({ ASKBACK_PORT: port }, folder).port).toBe(Number(port))
  })

  it.each(['-1', '65536', '8080x', '1e3', ' 80'])('refuses the port "%s" with a sentence', (port) => {
    expect(() => readSettings({ ASKBACK_PORT: port }, folder)).toThrow(
      `ASKBACK_PORT is "${port}". Set it to a port`,
    )
  })

  it('never repeats what was given as DATABASE_URL: it may hold a password', () => {
    expect(() => readSettings({ DATABASE_URL: 'user:hunter2@host' }, folder)).toThrow(
      /^(?!.*hunter2)DATABASE_URL is not/,
    )
  })
})
