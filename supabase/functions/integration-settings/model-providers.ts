/** `start`: how its keys begin; `keysAt`: the page where people get one. The id is the same as in the model presets. */
export const modelProviders = [
  { id: 'openai', name: 'OpenAI', start: 'sk-', keysAt: 'https://platform.openai.com/api-keys' },
  {
    id: 'anthropic',
    name: 'Anthropic',
    start: 'sk-ant-',
    keysAt: 'https://platform.claude.com/settings/keys',
  },
  { id: 'gemini', name: 'Gemini', start: 'AIza', keysAt: 'https://aistudio.google.com/apikey' },
  { id: 'openrouter', name: 'OpenRouter', start: 'sk-or-', keysAt: 'https://openrouter.ai/settings/keys' },
] as const
