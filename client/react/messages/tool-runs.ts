import type { Block } from './message-blocks.ts'

/** This many consecutive calls of one tool become one block. */
const fewest = 3

/** Folds consecutive calls of one tool into one block. Those of `apart` stay separate. */
export function foldRuns(blocks: readonly Block[], apart: ReadonlySet<string>): Block[] {
  const folded: Block[] = []
  for (const block of blocks) {
    const last = folded.at(-1)
    const toolName = toolOf(block, apart)
    if (block.kind === 'calls' && last?.kind === 'run' && last.runs[0]?.[0]?.toolName === toolName)
      last.runs.push(block.attempts)
    else if (block.kind === 'calls' && toolName !== undefined)
      folded.push({ kind: 'run', key: block.key, runs: [block.attempts] })
    else folded.push(block)
  }
  return folded.flatMap((block): Block[] =>
    block.kind === 'run' && block.runs.length < fewest
      ? block.runs.map((attempts) => ({ kind: 'calls', key: attempts[0]?.toolCallId ?? block.key, attempts }))
      : [block],
  )
}

/** The tool of a finished call; undefined for blocks that are not folded. */
function toolOf(block: Block, apart: ReadonlySet<string>): string | undefined {
  if (block.kind !== 'calls' || block.attempts.some(({ toolCallId }) => apart.has(toolCallId)))
    return undefined
  const last = block.attempts.at(-1)
  return last?.state === 'done' || last?.state === 'failed' ? last.toolName : undefined
}
