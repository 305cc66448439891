import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import type { Plugin } from 'rolldown'

const nothing = '\0nothing'
const { browser } = JSON.parse(
  readFileSync(new URL('../../node_modules/postcss/package.json', import.meta.url), 'utf8'),
)
const left = Object.keys(browser).filter((name) => !name.startsWith('.'))

/**
 * Leaves out what postcss, which reads the styles of mails, needs on servers only, as its package.json tells bundlers for
 * browsers: Next.js refuses modules of Node there.
 */
export const withoutFiles: Plugin = {
  name: 'without-files',
  resolveId: {
    order: 'pre',
    handler: (name, importer) =>
      left.includes(name) && importer?.includes(`${sep}postcss${sep}`) ? nothing : undefined,
  },
  load: (id) => (id === nothing ? { code: 'module.exports = {}', moduleType: 'js' } : undefined),
}
