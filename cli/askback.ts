#!/usr/bin/env node
/** The command `askback`. Older versions of Node read this file too, so it may hold only what they understand. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
if (isSupported) {
  import('./run.ts')
    .then(({ run }) => run(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code
    })
} else {
  console.error(`askback needs Node 20.19, 22.12 or later; this is Node ${process.versions.node}.`)
  process.exitCode = 1
}
