import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followSettings } from '../../../local/project/follow-settings.ts'

it('says that a migration was changed, also one that was there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'askback-test-'))
  mkdirSync(join(folder, 'migrations'))
  const path = join(folder, 'migrations/20260101000000_notes.sql')
  writeFileSync(path, 'select 1;')
  const said = new Promise<string>((resolve) => {
    const following = followSettings(folder, (sentence) => {
      following.close()
      resolve(sentence)
    })
  })
  writeFileSync(path, 'select 2;')
  expect(await said).toMatch(/^supabase\/migrations has changed\. Stop `askback dev`/)
  rmSync(folder, { recursive: true })
})
