import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isTestAll } from './support/test-all.ts'
import { otherVersions, postgresOf } from './support/test-postgres.ts'

const everywhere = {
  // A worker reads our code once for all its files: none of them holds state. What a test replaces comes back.
  isolate: false,
  restoreMocks: true,
  // Only against a test that hangs: a busy machine needs many times what an idle one does.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // What a test found is said in its message: a log may keep nothing else.
  chaiConfig: { truncateThreshold: 400 },
}

/** The versions of PostgreSQL beside ours: what asks the database, and with `npm run test:all` the whole stack. */
const onOtherVersions = otherVersions.flatMap((version) => {
  const folder = postgresOf(version)
  if (folder === undefined) {
    console.log(`The tests do not run on PostgreSQL ${version}: npm has it for Linux on x64 only.`)
    return []
  }
  const include = ['tests/unit/database/**/*.test.ts']
  if (isTestAll) include.push('tests/stack/**/*.test.ts')
  const env = { ASKBACK_POSTGRES_DIR: folder }
  return [{ test: { name: `PostgreSQL ${version}`, include, env, ...everywhere } }]
})

export default defineConfig({
  test: {
    globalSetup: ['support/test-folder.ts'],
    // More than there are processors: many tests wait for another process most of their time.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/conformance/*.test.ts'],
          ...everywhere,
        },
      },
      {
        test: {
          name: 'stack',
          include: ['tests/stack/**/*.test.ts', 'tests/conformance/clients/*.test.ts'],
          globalSetup: ['tests/conformance/clients/install.ts'],
          ...everywhere,
        },
      },
      ...onOtherVersions,
      {
        test: {
          name: 'package',
          include: ['tests/package/**/*.test.ts'],
          globalSetup: ['tests/package/build.ts'],
          ...everywhere,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/end-to-end/**/*.test.ts'],
          globalSetup: ['tests/package/build.ts'],
          ...everywhere,
          // Chromium draws late on a busy machine; what is wrong is wrong again.
          retry: 1,
          // Some build an app, or compile it, beside other tests that do.
          testTimeout: 180_000,
        },
      },
    ],
  },
})
