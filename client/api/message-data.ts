import type { ChatPart, MessageData } from './message.ts'

/** The data of a message's `data-*` part about one call. */
export function findData<Name extends keyof MessageData>(
  parts: readonly ChatPart[],
  name: Name,
  toolCallId: string,
): MessageData[Name] | undefined {
  const part = parts.find((one) => one?.type === `data-${name}` && (one as { id?: string }).id === toolCallId)
  return (part as { data?: MessageData[Name] | null } | undefined)?.data ?? undefined
}
