import type { Tool, ToolLibrary, ToolSpecification } from './tool-specification.ts'

/** Binds specifications to their implementations; throws when any does not fit. */
export function bindTools(specifications: readonly ToolSpecification[], library: ToolLibrary): Tool[] {
  return specifications.map((specification) => {
    const tool = library.get(specification.name)
    if (!tool) throw new Error(`Tool "${specification.name}" is not in the library.`)
    return tool
  })
}
