import { attachment } from '../../core/attached.ts'
import type { ChatMessage } from './model-client.ts'
import type { WireKeys } from './wire-keys.ts'

type Tell = (keys: WireKeys) => string

const tellings = attachment<Tell>()

/** The message, which can be told with the names by which a model knows the parameters. */
export function retellable(message: ChatMessage, tell: Tell): ChatMessage {
  return tellings.attach(message, tell)
}

/** The message's content with those names; undefined if it names no parameters. */
export function retell(message: ChatMessage, keys: WireKeys): string | undefined {
  return tellings.of(message)?.(keys)
}
