import { createToolSearch, toolSearchName, toolsToFind } from '../../tools/tool-search.ts'
import type { Run } from './run.ts'

/** What changes when the tools of a run are chosen. */
type Chosen = Pick<Run, 'agent' | 'tools' | 'specifications' | 'window' | 'toFind'>

/** Adds the search for tools, if the model cannot be told of all of them. */
export function addToolSearch(run: Chosen): void {
  const { agent, tools, specifications, window } = run
  const own = run.toFind.size === 0 ? agent.tools : agent.tools.slice(0, -1)
  const toFind = toolsToFind(own, window)
  if (toFind.length === 0) return
  const search = createToolSearch(toFind, window)
  tools.set(toolSearchName, search)
  specifications.set(toolSearchName, search.specification)
  run.toFind = new Set(toFind.map(({ name }) => name))
  run.agent = { ...agent, tools: [...own, search.specification] }
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
