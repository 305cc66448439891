/**
 * How the requests begin that chat front ends make for themselves, beside those of their users; runs of blanks count as
 * one. Open WebUI: the defaults of its `*_PROMPT_TEMPLATE` settings (docs.openwebui.com, "Environment variable
 * configuration", tasks). LibreChat: the title prompts of `@librechat/agents` and of its assistants endpoint.
 */
const beginnings = [
  // Open WebUI: title, tags, follow-ups, search queries, completion of what is typed, picture prompt, emoji.
  '### Task: Generate a concise, 3-5 word title',
  '### Task: Generate 1-3 broad tags categorizing the main themes of the chat history',
  '### Task: Suggest 3-5 relevant follow-up questions or prompts',
  '### Task: Analyze the chat history to determine the necessity of generating search queries',
  '### Task: You are an autocompletion system.',
  '### Task: Generate a detailed prompt for am image generation task',
  "Your task is to reflect the speaker's likely facial expression through a fitting emoji.",
  // LibreChat: title, title with its language, title of an assistant's thread.
  'Provide a concise, 5-word-or-less title for the conversation',
  'Analyze this conversation and provide: 1. The detected language of the conversation 2. A concise title',
  'Please generate a concise title (max 40 characters) for a conversation that starts with:',
]

/** Whether a front end asks here for itself: for words about a conversation, in which nothing is to be done. */
export function isFrontEndRequest(text: string): boolean {
  const start = text.slice(0, 400).trim().replace(/\s+/g, ' ')
  return beginnings.some((beginning) => start.startsWith(beginning))
}
