import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksIn } from './readme-blocks.ts'
import { project } from './stack.ts'

/** Every page that people read, by its path from the top of the repository. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'lab/README.md',
  'skills/askback/SKILL.md',
  ...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

export const readPage = (page: string): string => readFileSync(join(project, page), 'utf8')

const signIn = () =>
  blocksIn(readPage('docs/embedding.md')).find(({ language }) => language === 'ts')?.text ?? ''

/** Blocks of TypeScript that say which file they are an excerpt of. */
export const isExcerpt = ({ text }: Block): boolean => text.startsWith('// supabase/')

/** Code for a project that has Askback's integrations in it. */
const isOfProject = ({ text }: Block): boolean => text.includes('/_askback/')

/**
 * The TypeScript of a page as one module, which stands after the lines that sign the demo user in; undefined where it has
 * none. `withModel`: also what needs a model of one's own; `ofProject`: also what runs only in a project.
 */
export function moduleOf(page: string, { withModel = true, ofProject = true } = {}): string | undefined {
  const blocks = blocksIn(readPage(page))
    .filter((block) => block.language === 'ts' && !isExcerpt(block) && (ofProject || !isOfProject(block)))
    .map(({ text }) => text)
    .filter((text) => text !== signIn() && (withModel || !text.includes('createModelClient')))
  return blocks.length === 0 ? undefined : [signIn(), ...blocks].join('\n')
}
