import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAskback } from '../../scripts/build/askback.ts'

/** Set-up of vitest: builds the package once for all tests of this folder, which find it in `ASKBACK_TEST_PACKAGE`. */
export default async function build(): Promise<void> {
  const folder = join(process.env.ASKBACK_TEST_FOLDER ?? tmpdir(), 'package')
  await buildAskback(folder)
  process.env.ASKBACK_TEST_PACKAGE = folder
}
