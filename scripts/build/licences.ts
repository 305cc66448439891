import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Notes the packages whose code is bundled, by folder. */
export function noteBundled(folders: Set<string>): Plugin {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const id of output.moduleIds) {
          const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ''))?.[0]
          if (folder) folders.add(folder)
        }
      }
    },
  }
}

/** Their names, licences and the texts of these, one after another. */
export function writeLicences(folders: ReadonlySet<string>): string {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)/i.test(name))
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
    return `${name} ${version} (${license})${text}`
  })
  return `Askback contains code of these packages.\n\n${texts.sort().join('\n\n---\n\n')}\n`
}
