import { createToolSearch, needsToolSearch, toolSearchName } from '../../tools/tool-search.ts'
import type { Run } from './run.ts'

/** What changes when the tools of a run are chosen. */
type Chosen = Pick<Run, 'agent' | 'tools' | 'specifications' | 'window'>

/** Adds the search for tools, if the model cannot be told of all of them. */
export function addToolSearch(run: Chosen): void {
  const { agent, tools, specifications, window } = run
  if (!needsToolSearch(agent.tools, window)) return
  const search = createToolSearch(agent.tools, window)
  tools.set(toolSearchName, search)
  specifications.set(toolSearchName, search.specification)
  run.agent = { ...agent, tools: [...agent.tools, search.specification] }
}

/**
 * Chooses the tools again if the model has turned out to read less than they were chosen for: by a refusal, a cut without
 * a word, or its server's list. False if they stay.
 */
export function chooseToolsAgain(run: Run): boolean {
  const window = run.model.window?.() ?? run.window
  if (window >= run.window) return false
  run.window = window
  addToolSearch(run)
  return true
}
