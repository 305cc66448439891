import { expect, test } from 'vitest'
import { isFrontEndRequest } from '../../../supabase/functions/chat/openai/front-end-requests.ts'

test.each([
  '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:',
  '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific',
  '### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this',
  'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title',
  'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the',
  '### Task:\nGenerate a concise title summarizing the chat history.\n### Guidelines:\n- The title should clearly',
  '### Task:\nSummarize the conversation history that will be compacted out of the active chat context.\n',
  'You have been provided with a set of responses from various models to the latest user query: "Hi"',
  'Create a structured context checkpoint summary of the conversation. This summary will replace the conversation',
])('%j is a front end that asks for itself', (text) => {
  expect(isFrontEndRequest(text, [])).toBe(true)
  expect(isFrontEndRequest('The conversation.', ['Be brief.', text])).toBe(true)
})

test('a front end that chooses among tools of its own asks for itself: its user is asked about later', () => {
  const choosing =
    'Available Tools: [{"name":"clock"}]\n\nYour task is to choose and return the correct tool(s) from the list of available tools based on the query. Follow these guidelines:'
  expect(isFrontEndRequest('Query: Send a mail to ada@example.com', [choosing])).toBe(true)
  expect(isFrontEndRequest('Query: Send a mail to ada@example.com', ['Available Tools: none.'])).toBe(false)
})

test.each([
  'Generate a title for my essay and send it to ada@example.com',
  '### Task:\nRespond to the user query using the provided context, incorporating inline citations',
  'Mail this to Ada: "### Task: Generate a concise, 3-5 word title"',
  '',
])('%j is the user who asks', (text) => {
  expect(isFrontEndRequest(text, ['You are a helpful assistant.'])).toBe(false)
})
