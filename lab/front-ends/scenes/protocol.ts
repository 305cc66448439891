import type { Scene, Step } from '../scene.ts'

const completions = '/chat/completions'
const toAda = 'Send an email about lunch to {ada}'
const asked = { model: '{agent}', messages: [{ role: 'user', content: toAda }] }

/** Members of a body that cannot be honoured, by what the error about them names. */
const refused: readonly [string, object, RegExp][] = [
  ['n above 1', { n: 2 }, /"?n"?\b/],
  ['tool_choice required', { tool_choice: 'required' }, /tool_choice/],
  [
    'a function as tool_choice',
    { tool_choice: { type: 'function', function: { name: 'f' } } },
    /tool_choice/,
  ],
  ['audio', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }, /audio/],
  ['response_format json_object', { response_format: { type: 'json_object' } }, /response_format/],
  [
    'response_format json_schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'r', schema: { type: 'object' } } } },
    /response_format/,
  ],
  [
    'tool results after the last message of the user',
    {
      messages: [
        { role: 'user', content: toAda },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Done by the client.' },
      ],
    },
    /tool/,
  ],
]

const notHere = (path: string): Step => ({
  do: 'post',
  path,
  body: asked,
  status: 404,
  says: ['/chat/completions', /"type":"\w+"/],
})

/** What the protocol specifies is honoured, or refused in one sentence. */
export const protocol: readonly Scene[] = [
  ...refused.map(
    ([what, members, named]): Scene => ({
      name: `400: ${what}`,
      mails: [],
      steps: [
        {
          do: 'post',
          path: completions,
          body: { ...asked, ...members },
          status: 400,
          says: [named, /"type":"invalid_request_error"/],
        },
      ],
    }),
  ),
  {
    name: 'paths of other protocols: 404 that names /chat/completions',
    mails: [],
    steps: ['/responses', '/completions', '/embeddings', '/messages'].map(notHere),
  },
  {
    name: 'a key of somebody else',
    mails: [],
    steps: [
      {
        do: 'post',
        path: completions,
        token: 'sk-proj-0123456789',
        body: asked,
        status: 401,
        says: ['This is not an Askback token. Create one under Integrations, OpenAI clients.'],
      },
    ],
  },
  {
    name: 'functions of the client are ignored, and it is told so',
    mails: ['ada'],
    steps: [{ do: 'say', text: toAda, headers: { 'x-askback-ignored': /\btools\b/ } }],
  },
  {
    name: 'max_tokens reaches the model',
    mails: ['ada', 'bob'],
    steps: [
      { do: 'say', text: toAda, body: { max_tokens: 77 }, modelReads: [/"max_(completion_)?tokens":77/] },
      {
        do: 'say',
        text: 'And one to {bob}',
        body: { max_completion_tokens: 78 },
        modelReads: [/"max_(completion_)?tokens":78/],
      },
    ],
  },
  {
    name: 'metadata and user name nobody',
    mails: ['ada'],
    steps: [
      { do: 'say', text: toAda, body: { user: 'somebody-else', metadata: { chat_id: '1' } } },
      { do: 'again', body: { user: 'another', metadata: { chat_id: '2' } }, says: ['Done.'] },
    ],
  },
  {
    name: 'beside calls a model reads empty words, not null',
    mails: ['ada'],
    steps: [{ do: 'say', text: toAda, modelReads: [/"content":""/] }],
  },
  {
    name: 'usage in a stream, where it is asked for',
    mails: ['ada'],
    steps: [
      {
        do: 'post',
        path: completions,
        body: { ...asked, stream: true, stream_options: { include_usage: true } },
        says: [/"usage":\{"prompt_tokens":\d+/],
      },
    ],
  },
]
