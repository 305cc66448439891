/** A fenced block of a page: its language and its lines. */
export interface Block {
  language: string
  text: string
}

/** All blocks of a page that name their language, those in lists too. */
export function blocksIn(page: string): Block[] {
  return [...page.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(([, , language = '', text = '']) => ({
    language,
    text,
  }))
}

/** The blocks under a heading of level 2, up to the next one. */
export function blocksUnder(page: string, heading: string): Block[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  return blocksIn(section.split('\n## ')[0] ?? '')
}

/** The commands of a shell block, without comments. */
export function commandsIn({ text }: Block): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
