import * as z from 'zod'
import {
  type Integration,
  type IntegrationProvider,
  integrationTool,
  toJsonSchema,
} from '../../../shared/integrations/definition/integration.ts'
import { words } from './words.ts'

/** What a user fills in once to connect an account. Fields with `secret: true` are stored encrypted. */
const connection = z
  .strictObject({
    api_key: z.string().min(1).max(512).meta({
      title: 'API key',
      question: 'What is your Tasks API key?',
      hint: 'Please copy it from your account at Tasks.',
      secret: true,
    }),
  })
  // The page where people get the key.
  .meta({ keysAt: 'https://tasks.example.com/settings/keys' })

export const provider: IntegrationProvider = {
  id: 'tasks',
  name: 'Tasks',
  description: 'Finds and adds tasks. You need an API key from Tasks.',
  service: 'task',
  purpose: 'work with your tasks',
  connection: toJsonSchema(connection),
}

/** The parameters. The questions about missing or wrong values are made from these texts. */
export const findParameters = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(200)
    .meta({
      title: 'search words',
      question: 'Which tasks should I look for?',
      hint: 'Please provide words from their titles.',
      examples: ['printer'],
      aliases: ['text', 'words'],
    }),
  limit: z
    .int()
    .min(1)
    .max(50)
    .meta({
      title: 'number of tasks',
      question: 'How many tasks should I look for?',
      hint: 'Please provide a number from 1 to 50.',
    })
    .optional(),
})

export const findTasks = integrationTool({
  name: 'tasks_find',
  // The name that people see.
  title: 'Find tasks',
  // One line for people about what a call did.
  summary: 'Looked for tasks about "{query}"',
  // Tells the model when to use it.
  description: 'Finds tasks by words in their titles.',
  parameters: findParameters,
  effect: 'read',
  // What it returns is the user's own: after it, web addresses that the user did not name are not opened without asking.
  private: true,
  action: 'find',
  providers: ['tasks'],
})

export const addParameters = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(200)
    .meta({
      title: 'title',
      question: 'What is to be done?',
      hint: 'Please provide the title of the task.',
      examples: ['Order toner'],
    }),
  due: z.iso
    .date()
    .meta({
      title: 'due date',
      question: 'When is the task due?',
      hint: 'Please provide a date like 2027-03-01.',
    })
    .optional(),
})

export const addTask = integrationTool({
  name: 'tasks_add',
  title: 'Add task',
  // The question of its approval, and the button that agrees.
  confirm: 'Add the task "{title}"?',
  button: 'Add task',
  summary: 'Added the task "{title}"',
  description: 'Adds a task to the list of the user.',
  parameters: addParameters,
  // It changes something, so the user is asked each time, unless the tool sets `approval: 'never'`.
  effect: 'write',
  action: 'add',
  providers: ['tasks'],
})

export const integration: Integration = {
  name: 'tasks-api',
  providers: [provider],
  tools: [findTasks, addTask],
  words,
}
