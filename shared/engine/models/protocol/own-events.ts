import type { ModelEvent } from './model-client.ts'
import type { WireKeys } from './wire-keys.ts'

/** Events with the tools' own names. */
export interface OwnEvents {
  add(event: ModelEvent): void
  /** The reply is complete. */
  end(): void
}

/**
 * Passes on events with the tools' own names and parameters. Arguments whose parameters have other names on the wire come
 * at the end, in one piece: half a name cannot be translated.
 */
export function ownEvents(
  emit: (event: ModelEvent) => void,
  own: ReadonlyMap<string, string> | undefined,
  keys: ReadonlyMap<string, WireKeys> | undefined,
): OwnEvents {
  const inputs = new Map<number, { keys: WireKeys; json: string }>()
  return {
    add(event) {
      if (event.type === 'tool-input-start') {
        const toolName = own?.get(event.toolName) ?? event.toolName
        const renamed = keys?.get(toolName)
        if (renamed) inputs.set(event.index, { keys: renamed, json: '' })
        emit({ ...event, toolName })
        return
      }
      const call = event.type === 'tool-input-delta' ? inputs.get(event.index) : undefined
      if (call && event.type === 'tool-input-delta') call.json += event.delta
      else emit(event)
    },
    end() {
      for (const [index, call] of inputs) {
        if (call.json !== '') emit({ type: 'tool-input-delta', index, delta: call.keys.toOwn(call.json) })
      }
    },
  }
}
