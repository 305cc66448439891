import type { Tool, ToolLibrary } from './tool-specification.ts'

/** Collects tools by name. */
export function createToolLibrary(tools: readonly Tool[]): ToolLibrary {
  return new Map(tools.map((tool) => [tool.specification.name, tool]))
}
