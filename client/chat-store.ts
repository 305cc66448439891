import type { ChatState, ChatStatus } from 'ai'
import type { ChatMessage, MessageData } from './api/message.ts'
import { AskbackError } from './askback-error.ts'

/** What a chat shows. */
export interface ChatView {
  messages: ChatMessage[]
  status: ChatStatus
  error: Error | undefined
  /** What is happening now, until more of the answer arrives. */
  notice: MessageData['notice'] | undefined
}

/** Why the chat failed, if it did; an error of the stream has its code in the notice before it. */
export function failureIn({ error, notice }: ChatView): (Error & { code?: string }) | undefined {
  return error && notice && notice.text === error.message
    ? new AskbackError(error.message, { code: notice.code })
    : error
}

/** Milliseconds between two renderings of a message that is being written. */
export const pictureMs = 50

/** The messages and state of a chat. It exists before the code that sends is loaded, which then writes into it. */
export class ChatStore implements ChatState<ChatMessage> {
  #view: ChatView = { messages: [], status: 'ready', error: undefined, notice: undefined }
  #listeners = new Set<(view: ChatView) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = 0

  get view(): ChatView {
    return this.#view
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (view: ChatView) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#view)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  get messages(): ChatMessage[] {
    return this.#view.messages
  }
  set messages(messages: ChatMessage[]) {
    this.#set({ messages, notice: undefined })
  }
  get status(): ChatStatus {
    return this.#view.status
  }
  set status(status: ChatStatus) {
    this.#set({ status })
  }
  get error(): Error | undefined {
    return this.#view.error
  }
  set error(error: Error | undefined) {
    this.#set({ error })
  }

  set notice(notice: MessageData['notice'] | undefined) {
    this.#set({ notice })
  }

  pushMessage = (message: ChatMessage) => {
    this.messages = [...this.messages, message]
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  /** Called for every chunk the model writes; not every call is drawn. */
  replaceMessage = (index: number, message: ChatMessage) => {
    const messages = this.messages.with(index, this.snapshot(message))
    this.#view = { ...this.#view, messages, notice: undefined }
    const waitMs = this.#toldAt + pictureMs - Date.now()
    this.#timer ??= setTimeout(this.#tell, Math.max(0, waitMs))
  }
  /** Copies the message and its parts, which the writer keeps changing, but not what the parts contain. */
  snapshot = <Value>(value: Value): Value => {
    const message = value as ChatMessage
    const parts = message.parts.map((part) => ({ ...part }))
    return { ...message, parts } as Value
  }

  #set(change: Partial<ChatView>): void {
    this.#view = { ...this.#view, ...change }
    this.#tell()
  }

  #tell = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#toldAt = Date.now()
    for (const listener of this.#listeners) listener(this.#view)
  }
}
