/** A fenced block of a page: its language and its lines. */
export interface Block {
  language: string
  text: string
}

/** The blocks under a heading of level 2, up to the next one. */
export function blocksUnder(page: string, heading: string): Block[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const own = section.split('\n## ')[0] ?? ''
  return [...own.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}

/** The commands of a shell block, without comments. */
export function commandsIn({ text }: Block): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
