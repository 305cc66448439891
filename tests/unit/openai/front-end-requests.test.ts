import { expect, test } from 'vitest'
import { isFrontEndRequest } from '../../../supabase/functions/chat/openai/front-end-requests.ts'

test.each([
  '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:',
  '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific',
  '### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this',
  'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title',
  'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the',
])('%j is a front end that asks for itself', (text) => {
  expect(isFrontEndRequest(text)).toBe(true)
})

test.each([
  'Generate a title for my essay and send it to ada@example.com',
  '### Task:\nRespond to the user query using the provided context, incorporating inline citations',
  'Mail this to Ada: "### Task: Generate a concise, 3-5 word title"',
  '',
])('%j is the user who asks', (text) => {
  expect(isFrontEndRequest(text)).toBe(false)
})
