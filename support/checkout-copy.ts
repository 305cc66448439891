import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from './stack.ts'

/** Folders that no program of the product reads. */
const left = /^(?:docs|lab|tests\/(?:stack|unit))\//

/** Copies the checkout, with what is not committed yet, to a new folder; the packages are those of the original. */
export function copyCheckout(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'askback-test-')))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0')) {
    if (file === '' || left.test(file) || !existsSync(join(project, file))) continue
    cpSync(join(project, file), join(copy, file))
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
