import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isExcerpt, pages, readPage } from '../../../support/docs-pages.ts'
import { blocksIn, blocksUnder, commandsIn } from '../../../support/readme-blocks.ts'
import { project } from '../../../support/stack.ts'
import { headerLines } from '../../../web/pages/tokens/header-lines.ts'

/** Commands of the pages that are run by tests, or that nothing here can run, with who runs them or why not. */
const commands: [command: RegExp, by: string][] = [
  [/^npm ci( && npm (start|test))?$/, '.ci/run'],
  [/^npm (start|test|run test:all|run check)$/, '.ci/run and tests/stack/start.test.ts'],
  [/^npm run lab$/, 'tests/unit/lab/lab.test.ts'],
  [/^npm run lab -- chaos /, 'tests/stack/chaos.test.ts, in short'],
  [/^ASKBACK_SIMULATE=google,search npm start$/, 'tests/stack/simulated.test.ts'],
  [/^npx askback (dev|doctor)$/, 'tests/package/dev.test.ts'],
  [/^npx askback dev --app$/, 'tests/end-to-end/first-email.test.ts'],
  [/^supabase functions deploy$/, 'scripts/deploy-check.ts'],
  [/^supabase (link|db push|secrets set)\b/, 'needs a hosted project'],
  [/^(curl "\$URL|URL=|USER_JWT=)/, 'tests/stack/docs-snippets.test.ts'],
  [/^(time=|mac=|curl -X POST -H "x-askback-clock)/, 'tests/stack/clock-chain.test.ts'],
  [
    /^(npx supabase (functions new tell-\w+|migration new told)$|node -[pe] |SECRET_KEY=|curl 'http:\S+\/rest\/v1\/on_open\?)/,
    'tests/package/tell.test.ts',
  ],
  [/^npx vite build web /, 'below'],
  [/^echo '.*' > dist-web\/config\.json$/, 'below'],
  [/^npx --no-install askback /, 'tests/package/skill.test.ts'],
  [/^npx askback (add|test|new-integration tasks|web\b.*)$/, 'tests/package'],
  [/^(npm create vite@|cd shop$|npx supabase init$)/, 'tests/package/first-email.test.ts'],
  [
    /^(npx create-next-app@|npm run dev$|ASKBACK_APP_URLS=\S+ npx askback dev$)/,
    'by hand: docs/first-email-next.md',
  ],
  [/^npm ci && npm run build$/, 'tests/package/build.ts'],
  [/^npm pack --silent \.\/dist\/askback \.\/dist\/askback-local$/, 'tests/package/package.test.ts'],
  [/^npm run build && npm pack --silent \.\/dist\/askback$/, 'tests/package/package.test.ts'],
  [/^npm install (--save-(dev|prod) )?\.\/askback-/, 'tests/end-to-end/client-package.test.ts'],
]
/** Its commands are run one by one by tests/stack/readme-walk.test.ts. */
const walk = 'docs/tools.md'

test('every command of a page is run somewhere, or cannot be', () => {
  const unknown = pages
    .filter((page) => page !== walk)
    .flatMap((page) =>
      blocksIn(readPage(page))
        .filter(({ language }) => language === 'sh')
        .flatMap(commandsIn),
    )
    .filter((command) => !commands.some(([known]) => known.test(command)))
  expect(unknown).toEqual([])
})

test('the chats of the pages are those that the tests of the client build', () => {
  const chats = (page: string) => blocksIn(readPage(page)).filter(({ language }) => language === 'tsx')
  const [chat, , , settings] = chats('client/README.md')
  expect(chats('docs/first-email.md').slice(0, 2)).toEqual([chat, settings])
  expect(chats('README.md')).toEqual([chat])
  const [inDocs] = blocksUnder(readPage('docs/your-design.md'), 'shadcn/ui and Tailwind 4')
  expect(inDocs).toEqual(blocksIn(readPage('client/README.md')).find(({ language }) => language === 'css'))
  // Those of tests/end-to-end/first-email.test.ts and client-look.test.ts.
  expect(pages.filter((page) => /^(?:docs\/|README)/.test(page) && chats(page).length > 0)).toEqual([
    'README.md',
    'docs/first-email-next.md',
    'docs/first-email.md',
    'docs/your-design.md',
  ])
})

test('the headers for OpenAI clients are those that the web app shows to copy', () => {
  const blocks = blocksIn(readPage('docs/openai-clients.md'))
  const codes = (language: string) =>
    blocks.filter((block) => block.language === language).map(({ text }) => text.trim())
  expect(codes('json')).toContain(headerLines.openWebUi)
  expect(codes('yaml')).toContain(headerLines.libreChat)
  expect(codes('python')).toContain(headerLines.sdk('{url}/functions/v1/chat/v1', 'an ID for this chat'))
})

/** TypeScript that names its file, with that file. */
const excerptsOf = (page: string) =>
  blocksIn(readPage(page))
    .filter((block) => block.language === 'ts' && isExcerpt(block))
    .map(({ text }) => /^\/\/ (\S+)\n([\s\S]*)$/.exec(text)?.slice(1) ?? [])
const ownWords = 'docs/your-own-words.md'

test('excerpts name their file, and stand in it', () => {
  const excerpts = pages.filter((page) => page !== ownWords).flatMap(excerptsOf)
  expect(excerpts.map(([path]) => path)).toEqual([
    'supabase/functions/tasks-api/integration.ts',
    'supabase/functions/tasks-api/actions.ts',
    'supabase/functions/tasks-api/words.ts',
  ])
  for (const [path = '', excerpt] of excerpts) {
    const template = path.replace('supabase/functions', 'scripts/new-integration')
    expect(readFileSync(join(project, template), 'utf8')).toContain(excerpt)
  }
})

test('the web app is built as its page says', async () => {
  const [build = '', configure = ''] = blocksIn(readPage('docs/web-app.md'))
    .filter(({ language }) => language === 'sh')
    .flatMap(commandsIn)
  const folder = mkdtempSync(join(tmpdir(), 'askback-docs-'))
  try {
    mkdirSync(join(folder, 'dist-web'))
    // Into another folder than the page names: two tests may be at it.
    await promisify(execFile)('sh', ['-c', build.replace('../dist-web', join(folder, 'dist-web'))], {
      cwd: project,
    })
    await promisify(execFile)('sh', ['-c', configure], { cwd: folder })
    expect(existsSync(join(folder, 'dist-web/index.html'))).toBe(true)
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'dist-web/config.json'), 'utf8')))).toEqual([
      'url',
      'publishableKey',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
