/**
 * How the requests begin that chat front ends make for themselves, beside those of their users; runs of blanks count as
 * one. Open WebUI: the `DEFAULT_*_PROMPT_TEMPLATE`s of its `backend/open_webui/config.py` (and `DEFAULT_CONTEXT_COMPACTION_PROMPT`),
 * those of earlier versions too. LibreChat: the title and summary prompts of `@librechat/agents`, the title prompt of its
 * assistants endpoint.
 */
const beginnings = [
  // Open WebUI: title (now, and until 2026), tags, follow-ups, search queries, completion of what is typed, picture
  // prompt, emoji, several answers made one, history made shorter.
  '### Task: Generate a concise title summarizing the chat history',
  '### Task: Generate a concise, 3-5 word title',
  '### Task: Generate 1-3 broad tags categorizing the main themes of the chat history',
  '### Task: Suggest 3-5 relevant follow-up questions or prompts',
  '### Task: Analyze the chat history to determine the necessity of generating search queries',
  '### Task: You are an autocompletion system.',
  '### Task: Generate a detailed prompt for am image generation task',
  "Your task is to reflect the speaker's likely facial expression through a fitting emoji.",
  'You have been provided with a set of responses from various models to the latest user query:',
  '### Task: Summarize the conversation history that will be compacted out of the active chat context',
  // LibreChat: title, title with its language, title of an assistant's thread, history made shorter.
  'Provide a concise, 5-word-or-less title for the conversation',
  'Analyze this conversation and provide: 1. The detected language of the conversation 2. A concise title',
  'Please generate a concise title (max 40 characters) for a conversation that starts with:',
  'Create a structured context checkpoint summary of the conversation',
]
/** What stands in the instructions where Open WebUI chooses among tools of its own, before it asks what it was asked. */
const choosing =
  'Your task is to choose and return the correct tool(s) from the list of available tools based on the query.'

/**
 * Whether a front end asks here for itself: for words about a conversation, in which nothing is to be done. `text`: the
 * last message of the user; `instructions`: the system messages.
 */
export function isFrontEndRequest(text: string, instructions: readonly string[]): boolean {
  return (
    [text, ...instructions].some((one) => {
      const start = one.slice(0, 400).trim().replace(/\s+/g, ' ')
      return beginnings.some((beginning) => start.startsWith(beginning))
    }) || instructions.some((one) => one.includes(choosing))
  )
}
