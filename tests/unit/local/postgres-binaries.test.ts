import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findPostgresBinaries, repairInstall } from '../../../local/database/postgres-binaries.ts'

it('the binaries that npm installed are found', () => {
  const folder = findPostgresBinaries()
  for (const program of ['initdb', 'postgres']) expect(existsSync(join(folder, 'bin', program))).toBe(true)
})

it('links and modes that an npm without install scripts leaves out are made, and those that exist stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'askback-unit-'))
  try {
    const native = join(folder, 'native')
    mkdirSync(join(native, 'lib'), { recursive: true })
    mkdirSync(join(native, 'bin'))
    for (const file of ['lib/libpq.so.5.18', 'bin/initdb', 'bin/postgres'])
      writeFileSync(join(native, file), file)
    chmodSync(join(native, 'bin/initdb'), 0o644)
    const links = ['libpq.so.5', 'libpq.so'].map((name) => ({
      source: 'native/lib/libpq.so.5.18',
      target: `native/lib/${name}`,
    }))
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    repairInstall(native)
    repairInstall(native)
    expect(readlinkSync(join(native, 'lib/libpq.so'))).toBe('libpq.so.5.18')
    expect(readlinkSync(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18')
    expect(statSync(join(native, 'bin/initdb')).mode & 0o111).toBe(0o111)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
