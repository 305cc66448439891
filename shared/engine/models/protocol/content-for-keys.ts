import { attachment } from '../../core/attached.ts'
import type { ChatMessage } from './model-client.ts'
import type { WireKeys } from './wire-keys.ts'

type Write = (keys: WireKeys) => string

const contents = attachment<Write>()

/** The message, which can be told with the names by which a model knows the parameters. */
export function withContentFor(message: ChatMessage, write: Write): ChatMessage {
  return contents.attach(message, write)
}

/** The message's content with those names; undefined if it names no parameters. */
export function contentFor(message: ChatMessage, keys: WireKeys): string | undefined {
  return contents.of(message)?.(keys)
}
