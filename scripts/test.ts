/**
 * `npm test`: runs all tests, each on its real runtime, and prints the counts in one last line. Arguments select tests:
 * files of `tests/functions` run under both Denos, everything else is passed on to vitest.
 * `npm test -- tests/unit/loop`, `npm test -- tests/functions/smtp-api-app.test.ts`
 * `npm run test:all` takes longer: every device and variant of a test, more random runs, all functions on both Denos.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findDeno } from '../local/functions/deno-binary.ts'
import { chromiumPath } from './chromium.ts'
import { environment, hostedDeno, installed, root, run, runAside } from './platform.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const isAll = process.argv.includes('--all')
// Read by the tests, see `support/test-all.ts`.
if (isAll) environment.ASKBACK_TEST_ALL = '1'
const chosen = process.argv.slice(2).filter((word) => word !== '--all')
const chosenForDeno = chosen.filter((word) => /^(?:\.\/)?tests\/functions\b/.test(word))
const chosenForVitest = chosen.filter((word) => !chosenForDeno.includes(word))
const reports = await mkdtemp(join(tmpdir(), 'askback-test-'))
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
/** What failed and why: printed last, so that it survives in logs that keep only their end. */
const failures: string[] = []
let broken = false

/** Adds a runner's counts; one that fails without a failed test (a crash, a syntax error) fails everything. */
function add(counts: Counts, exitCode: number): void {
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
  if (exitCode !== 0 && counts.failed === 0) broken = true
}

function noteFailure(place: string, test: string, reason: string): void {
  failures.push(`${place}: ${test}\n${reason.slice(0, 1500)}`)
}

async function runVitest(): Promise<void> {
  const report = join(reports, 'vitest.json')
  const code = await run(installed('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...chosenForVitest,
  ])
  const json = await readFile(report, 'utf8').then(JSON.parse, () => undefined)
  if (!json) {
    broken = true
    return
  }
  for (const file of json.testResults) {
    const path = relative(root, file.name)
    const failed = file.assertionResults.filter((test: { status: string }) => test.status === 'failed')
    for (const test of failed) noteFailure(path, test.fullName, test.failureMessages.join('\n'))
    if (file.status === 'failed' && failed.length === 0) noteFailure(path, 'the file itself', file.message)
  }
  add({ passed: json.numPassedTests, failed: json.numFailedTests, skipped: json.numPendingTests }, code)
}

/** Runs the function tests; resolves to a function that prints the outcome. */
async function runDeno(name: string, binary: string): Promise<() => Promise<void>> {
  const report = join(reports, `${name}.xml`)
  const all = (await readdir(join(root, 'tests/functions'))).filter((name) => name.endsWith('.test.ts'))
  const files = chosenForDeno.length > 0 ? chosenForDeno : all.map((name) => `tests/functions/${name}`)
  const options = ['--allow-all', '--no-check', '--cached-only', '--node-modules-dir=manual']
  const { code, output } = await runAside(binary, ['test', ...options, `--junit-path=${report}`, ...files], {
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
    // Two versions would discard each other's cache.
    DENO_DIR: join(String(environment.DENO_DIR), name),
  })
  return async () => {
    console.log(`\nfunction tests under ${name}\n${output}`)
    const xml = await readFile(report, 'utf8').catch(() => '')
    const suites = /<testsuites [^>]*>/.exec(xml)?.[0]
    if (!suites) {
      broken = true
      return
    }
    const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suites)?.[1] ?? 0)
    const failed = count('failures') + count('errors')
    const skipped = (xml.match(/<skipped/g) ?? []).length
    for (const [, test, reason] of xml.matchAll(
      /<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error) message="([^"]*)"/g,
    )) {
      noteFailure(name, String(test), String(reason))
    }
    add({ passed: count('tests') - failed - skipped, failed, skipped }, code)
  }
}

// All at once: the function tests wait for their servers most of the time.
const underDeno: Promise<() => Promise<void>>[] = []
if (chosen.length === 0 || chosenForDeno.length > 0) {
  const hasHosted = existsSync(hostedDeno)
  if (hasHosted) underDeno.push(runDeno('Deno 2.1', hostedDeno))
  else console.log('The function tests do not run under Deno 2.1.14: npm has it for Linux on x64 only.')
  // The tests of the stack run every function under 2.9, too.
  if (isAll || !hasHosted || chosenForDeno.length > 0) underDeno.push(runDeno('Deno 2.9', findDeno()))
}
if (chosen.length === 0 || chosenForVitest.length > 0) await runVitest()
for (const show of await Promise.all(underDeno)) await show()
if (chromiumPath === undefined) {
  console.log(
    'The browser tests did not run: there is no Chromium here. Install one, or name it in CHROMIUM_PATH.',
  )
}
await rm(reports, { recursive: true, force: true })
if (broken) console.error('A test runner ended with an error of its own: see above.')
if (failures.length > 0) console.log(`\nwhat failed\n${failures.join('\n\n')}`)
const failed = total.failed + (broken ? 1 : 0)
console.log(`\n${total.passed} passed, ${failed} failed, ${total.skipped} skipped`)
process.exitCode = failed > 0 || total.passed === 0 ? 1 : 0
