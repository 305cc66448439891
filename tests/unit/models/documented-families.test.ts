import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { thinksFirst } from '../../../shared/engine/models/written-calls/families.ts'
import { readReply } from '../../../shared/engine/models/written-calls/read-reply.ts'
import { openTextGate } from '../../../shared/engine/models/written-calls/text-gate.ts'

const tools: ToolSpecification[] = [
  {
    name: 'get_weather',
    description: 'The weather.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        opts: { type: 'object' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    },
  },
  {
    name: 'search',
    description: 'Searches.',
    effect: 'read',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  { name: 'now', description: 'The time.', effect: 'read', parameters: { type: 'object', properties: {} } },
]

interface Case {
  id: string
  model?: string
  text: string
  calls?: [string, unknown][]
  /** What people may read. */
  say?: string
  /** No call, but asked again. */
  unread?: boolean
  thought?: string
}

/** What is in a reply, and what its stream has shown in the end and ever. */
function play({ model = '', text }: Pick<Case, 'model' | 'text'>, size: number) {
  const first = thinksFirst(model)
  const reply = readReply(text, { tools, thinksFirst: first, isQuoted: () => false })
  let shown = ''
  let seen = ''
  const gate = openTextGate({
    tools,
    thinksFirst: first,
    show: (delta) => {
      shown += delta
      seen += delta
    },
    restart: () => {
      shown = ''
    },
  })
  const characters = [...text]
  for (let at = 0; at < characters.length; at += size) gate.add(characters.slice(at, at + size).join(''))
  const early = shown
  gate.finish(reply.text)
  return { reply, shown, seen, early }
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw || '{}')
  } catch {
    return raw
  }
}

const W: [string, unknown] = ['get_weather', { city: 'Oslo' }]
const k3 = (n: string, args: string, i = 1) =>
  `<|open|>call tool="${n}" index="${i}"<|sep|>${args}<|close|>call<|sep|>`
const a3 = (k: string, t: string, v: string) =>
  `<|open|>argument key="${k}" type="${t}"<|sep|>${v}<|close|>argument<|sep|>`
const NS = ']<]minimax[>['
const cases: Case[] = [
  {
    id: 'k3',
    text: `<|open|>response<|sep|>Let me look.<|close|>response<|sep|><|open|>tools<|sep|>${k3('get_weather', a3('city', 'string', 'Oslo'))}<|close|>tools<|sep|>`,
    calls: [W],
    say: 'Let me look.',
  },
  {
    id: 'k3 think',
    text: `<|open|>think<|sep|>SECRET<|close|>think<|sep|><|open|>response<|sep|>Hello.<|close|>response<|sep|><|close|>message<|sep|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'k3 unopened',
    model: 'kimi-k3',
    text: `SECRET<|close|>think<|sep|><|open|>response<|sep|>Hello.<|close|>response<|sep|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'k3 two, number, object',
    text: `<|open|>tools<|sep|>${k3('get_weather', a3('city', 'string', 'Oslo') + a3('days', 'number', '3') + a3('opts', 'object', '{"a": [1]}'))}${k3('now', '', 2)}<|close|>tools<|sep|>`,
    calls: [
      ['get_weather', { city: 'Oslo', days: 3, opts: { a: [1] } }],
      ['now', {}],
    ],
  },
  {
    id: 'k3 cut',
    text: `<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Os`,
    unread: true,
    say: '',
  },
  {
    id: 'm3',
    text: `Sure.\n${NS}<tool_call>\n${NS}<invoke name="get_weather">${NS}<city>Oslo${NS}</city>${NS}</invoke>\n${NS}</tool_call>`,
    calls: [W],
    say: 'Sure.',
  },
  {
    id: 'm3 nested',
    text: `${NS}<tool_call>\n${NS}<invoke name="get_weather">${NS}<city>Oslo${NS}</city>${NS}<tags>${NS}<item>a${NS}</item>${NS}<item>b${NS}</item>${NS}</tags>${NS}<opts>${NS}<a>1${NS}</a>${NS}</opts>${NS}</invoke>${NS}<invoke name="now">${NS}</invoke>\n${NS}</tool_call>`,
    unread: true,
    say: '',
  },
  { id: 'm3 think', text: `<mm:think>SECRET</mm:think>Hello.`, say: 'Hello.', thought: 'SECRET' },
  {
    id: 'inkling',
    text: `<|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Oslo"}}<|end_message|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'inkling text+call',
    text: `<|message_model|><|content_text|>Let me look.<|end_message|><|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Oslo"}}<|end_message|>`,
    calls: [W],
    say: 'Let me look.',
  },
  {
    id: 'inkling think',
    text: `<|content_thinking|>SECRET<|end_message|><|message_model|><|content_text|>Hello.<|end_message|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'inkling text',
    text: `<|message_model|><|content_text|>Hello.<|end_message|><|content_model_end_sampling|>`,
    say: 'Hello.',
  },
  {
    id: 'glimmer',
    text: ` to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'glimmer self',
    text: ` to=self<|message|>SECRET<|eom|><|start|>assistant to=user<|message|>Hello.<|eot|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  { id: 'glimmer user', text: ` to=user<|message|>Hello.`, say: 'Hello.' },
  {
    id: 'glimmer bare',
    text: `Sure.\n<atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls>`,
    calls: [W],
    say: 'Sure.',
  },
  {
    id: 'glimmer two',
    text: ` to=self<|message|>SECRET<|eom|><|start|>assistant to=tools<|message|><atem:function_calls>\n<atem:invoke name="get_weather.get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n<atem:invoke name="now">\n</atem:invoke>\n</atem:function_calls><|eom|>`,
    calls: [
      ['get_weather.get_weather', { city: 'Oslo' }],
      ['now', {}],
    ],
    say: '',
  },
  {
    id: 'dots',
    text: `<dots_function_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n<invoke name=search>\n<parameter name=query>x</parameter>\n</invoke>\n</dots_function_call>`,
    calls: [W, ['search', { query: 'x' }]],
    say: '',
  },
  {
    id: 'dots json',
    text: `Ok.<dots_function_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</dots_function_call>`,
    calls: [W],
    say: 'Ok.',
  },
  {
    id: 'cohere',
    text: `<|START_THINKING|>SECRET<|END_THINKING|><|START_ACTION|>[\n {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}\n]<|END_ACTION|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'cohere text',
    text: `<|START_THINKING|>SECRET<|END_THINKING|><|START_TEXT|>Hello.<|END_TEXT|><|END_OF_TURN_TOKEN|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'cohere text unopened',
    model: 'command-a-plus-05-2026',
    text: `SECRET<|END_THINKING|><|START_TEXT|>Hello.<|END_TEXT|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  { id: 'cohere response', text: `<|START_RESPONSE|>Hello.<|END_RESPONSE|>`, say: 'Hello.' },
  {
    id: 'minicpm',
    text: `<function name="get_weather"><param name="city">Oslo</param></function>\n<function name="search"><param name="query"><![CDATA[a < b\n</param>]]></param></function>`,
    calls: [W, ['search', { query: 'a < b\n</param>' }]],
    say: '',
  },
  { id: 'minicpm none', text: `<function name="now"></function>`, calls: [['now', {}]], say: '' },
  {
    id: 'gcml',
    text: `Ok.<｜GCML｜tool_calls>\n<｜GCML｜invoke name="get_weather">\n<｜GCML｜parameter name="city" string="true">Oslo</｜GCML｜parameter>\n<｜GCML｜parameter name="days" string="false">3</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls><|message_sep|>`,
    calls: [['get_weather', { city: 'Oslo', days: 3 }]],
    say: 'Ok.',
  },
  {
    id: 'hy3',
    text: `<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n<tool_call>now<tool_sep>\n</tool_call>\n</tool_calls>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'hy4 suffix',
    text: `<think:6124c78e>SECRET</think:6124c78e><tool_calls:6124c78e><tool_call:6124c78e>get_weather<arg_key:6124c78e>city</arg_key:6124c78e><arg_value:6124c78e>Oslo</arg_value:6124c78e></tool_call:6124c78e></tool_calls:6124c78e>`,
    calls: [W],
    say: '',
  },
  {
    id: 'hy3 suffix',
    text: `<tool_calls:opensource><tool_call:opensource>get_weather<tool_sep:opensource><arg_key:opensource>city</arg_key:opensource><arg_value:opensource>Oslo</arg_value:opensource></tool_call:opensource></tool_calls:opensource>`,
    calls: [W],
    say: '',
  },
  {
    id: 'pangu',
    text: `[unused16]SECRET[unused17]Ok.[unused11][{"name": "get_weather", "arguments": {"city": "Oslo"}}][unused12]`,
    calls: [W],
    say: 'Ok.',
  },
  {
    id: 'pangu2',
    text: `<|tool_call_start|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]<|tool_call_end|>`,
    calls: [W],
    say: '',
  },
  { id: 'pangu text', text: `[unused16]SECRET[unused17]Hello.`, say: 'Hello.', thought: 'SECRET' },
  {
    id: 'plamo',
    text: `Ok.<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Oslo"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>now<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>`,
    calls: [W, ['now', {}]],
    say: 'Ok.',
  },
  {
    id: 'plamo think',
    text: `<|plamo:begin_think:plamo|>SECRET<|plamo:end_think:plamo|>Hello.<|plamo:tag|>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'laguna',
    text: `<think>SECRET</think>Ok.<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>`,
    calls: [W],
    say: 'Ok.',
  },
  {
    id: 'rwkv',
    text: `Ok.\n**Tool Call:**\n\`\`\`json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n\`\`\``,
    calls: [W],
  },
  {
    id: 'k2h',
    text: `<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Oslo</ifm|arg_value>\n</ifm|tool_call>\n<ifm|tool_call>now</ifm|tool_call></ifm|tool_calls>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'k2h typed',
    text: `<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>Oslo</ifm|arg_value></ifm|tool_call></ifm|tool_calls>`,
    calls: [W],
    say: '',
  },
  {
    id: 'k2h json',
    text: `Ok.<ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</ifm|tool_call></ifm|tool_calls>`,
    calls: [W],
    say: 'Ok.',
  },
  { id: 'k2h think', text: `<ifm|think>SECRET</ifm|think>Hello.`, say: 'Hello.', thought: 'SECRET' },
  {
    id: 'solar2',
    text: `Ok.<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>\n<|tool_call:end|>`,
    calls: [W],
    say: 'Ok.',
  },
  {
    id: 'solar2 two',
    text: `<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>\n<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>\n<|tool_call:end|>\n<|tool_call:start|>now\n<|tool_call:end|>`,
    calls: [
      ['get_weather', { city: 'Oslo', days: '3' }],
      ['now', {}],
    ],
    say: '',
  },
  {
    id: 'stepaudio',
    text: `<tool_call>function\nget_weather\n{"city": "Oslo"}</tool_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'glm45 text after',
    text: `<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\nOne moment.`,
    calls: [W],
  },
  {
    id: 'hermes closing tag in string',
    text: `<tool_call>\n{"name": "search", "arguments": {"query": "what is </tool_call> for"}}\n</tool_call>`,
    calls: [['search', { query: 'what is </tool_call> for' }]],
    say: '',
  },
  {
    id: 'qwencoder closing tag in string',
    text: `<tool_call>\n<function=search>\n<parameter=query>\na </parameter> b\n</parameter>\n</function>\n</tool_call>`,
    calls: [['search', { query: 'a </parameter> b' }]],
    say: '',
  },
  {
    id: 'qwencoder function in string',
    text: `<tool_call>\n<function=search>\n<parameter=query>\nwhy does </function> end it\n</parameter>\n</function>\n</tool_call>`,
    calls: [['search', { query: 'why does </function> end it' }]],
    say: '',
  },
  {
    id: 'qwencoder html',
    text: `<tool_call>\n<function=search>\n<parameter=query>\n<div class="a">x</div>\n</parameter>\n</function>\n</tool_call>`,
    calls: [['search', { query: '<div class="a">x</div>' }]],
    say: '',
  },
  {
    id: 'hermes two in one',
    text: `<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n{"name": "now", "arguments": {}}\n</tool_call>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'llama parallel ;',
    text: `<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}; {"name": "now", "parameters": {}}`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'pythonic nested',
    text: `[get_weather(city='Oslo', opts={'a': {'b': [1, None, True]}}), now()]`,
    calls: [
      ['get_weather', { city: 'Oslo', opts: { a: { b: [1, null, true] } } }],
      ['now', {}],
    ],
    say: '',
  },
  {
    id: 'pythonic escaped',
    text: `[search(query='it\\'s [x](y) "q"')]`,
    calls: [['search', { query: `it's [x](y) "q"` }]],
    say: '',
  },
  {
    id: 'mistral v11',
    text: `[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]now[ARGS]{}`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'mistral think',
    text: `[THINK]SECRET[/THINK]Ok.[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}`,
    calls: [W],
    say: 'Ok.',
  },
  {
    id: 'ds v3',
    text: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n{"city": "Oslo"}\n\`\`\`<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n\`\`\`json\n{}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'ds 3.2',
    text: `<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n<｜DSML｜parameter name="opts" string="false">{"a": 1}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    calls: [['get_weather', { city: 'Oslo', opts: { a: 1 } }]],
    say: '',
  },
  {
    id: 'lfm2',
    text: `Checking.<|tool_call_start|>[get_weather(city="Oslo"), now()]<|tool_call_end|>`,
    calls: [W, ['now', {}]],
    say: 'Checking.',
  },
  {
    id: 'olmo3',
    text: `<function_calls>\nget_weather(city="Oslo")\nnow()\n</function_calls>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'gemma4',
    text: `<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,opts:{a:[1,true]}}<tool_call|>`,
    calls: [['get_weather', { city: 'Oslo', opts: { a: [1, true] } }]],
    say: '',
  },
  { id: 'gemma4 think', text: `<|channel>thought\nSECRET<channel|>Hello.`, say: 'Hello.', thought: 'SECRET' },
  {
    id: 'fgemma',
    text: `<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'fgemma none',
    text: `<start_function_call>call:now{}<end_function_call>`,
    calls: [['now', {}]],
    say: '',
  },
  {
    id: 'kimi',
    text: `Ok.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
    calls: [W, ['now', {}]],
    say: 'Ok.',
  },
  {
    id: 'kimi singular section',
    text: `<|tool_call_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_call_section_end|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'step3p5',
    model: 'step-3.5-flash',
    text: `SECRET</think>\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'harmony json constrain',
    text: `<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'harmony reversed',
    text: `<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Oslo"}<|call|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'trinity',
    text: `<think>SECRET</think><tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'apertus',
    text: `<|inner_prefix|>SECRET<|inner_suffix|>Ok.<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}, {"now": {}}]<|tools_suffix|>`,
    calls: [W, ['now', {}]],
  },
  {
    id: 'granite 20b',
    text: `<function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}\n<function_call> {"name": "now", "arguments": {}}`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'granite 3',
    text: `<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]`,
    calls: [W],
    say: '',
  },
  {
    id: 'hyperclova 14b',
    text: `/think\nSECRET<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[{"name": "get_weather", "arguments": {"city": "Oslo"}}]`,
    calls: [W],
    say: '',
  },
  { id: 'exaone think', text: `<thought>\nSECRET\n</thought>\nHello.`, say: 'Hello.', thought: 'SECRET' },
  {
    id: 'hermes none key',
    text: `<tool_call>\n{"name": "now"}\n</tool_call>`,
    calls: [['now', {}]],
    say: '',
  },
  {
    id: 'phi',
    text: `functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]`,
    calls: [W],
    say: '',
  },
  {
    id: 'xlam',
    text: `<think>SECRET</think>[{"name": "get_weather", "arguments": {"city": "Oslo"}}, {"name": "now", "arguments": {}}]`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'seed',
    text: `<seed:think>SECRET</seed:think><seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'seed budget',
    text: `<seed:think>SECRET<seed:cot_budget_reflect>I used 131 tokens.</seed:cot_budget_reflect>more</seed:think>Hello.`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'jamba',
    text: `<tool_calls>[\n    {"name": "get_weather", "arguments": {"city": "Oslo"}}\n]</tool_calls>`,
    calls: [W],
    say: '',
  },
  {
    id: 'internlm',
    text: `<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'step3',
    text: `<｜tool_calls_begin｜>\n<｜tool_call_begin｜>\nfunction<｜tool_sep｜><steptml:invoke name="get_weather">\n<steptml:parameter name="city">Oslo</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>`,
    calls: [W],
    say: '',
  },
  {
    id: 'longcat',
    text: `<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n<longcat_arg_value>Oslo</longcat_arg_value>\n</longcat_tool_call>`,
    calls: [W],
    say: '',
  },
  {
    id: 'longcat think',
    text: `<longcat_think>SECRET</longcat_think>Hello.`,
    say: 'Hello.',
    thought: 'SECRET',
  },
  {
    id: 'giga3',
    text: `Ok.<|role_sep|>\nfunction call<|role_sep|>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}</s>`,
    calls: [W],
  },
  {
    id: 'nemotron',
    text: `<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}, {"name": "now", "arguments": {}}]</TOOLCALL>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'functionary32',
    text: `>>>get_weather\n{"city": "Oslo"}>>>now\n{}`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'functionary32 all',
    text: `>>>all\nLet me look.>>>get_weather\n{"city": "Oslo"}`,
    calls: [W],
    say: 'Let me look.',
  },
  {
    id: 'functionary31',
    text: `Ok.<function=get_weather>{"city": "Oslo"}</function><function=now>{}</function>`,
    calls: [W, ['now', {}]],
    say: 'Ok.',
  },
  {
    id: 'solar1',
    text: `<|think|>SECRET<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Oslo"}<|tool_call:end|><|calls|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'ling3',
    text: `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n<tool_call>{"name": "now", "arguments": {}}</tool_call><|role_end|>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'minicpm4',
    text: `<|thought_start|>SECRET<|thought_end|><|tool_call_start|>\n\`\`\`python\nget_weather(city="Oslo")\n\`\`\`\n<|tool_call_end|>`,
    calls: [W],
    say: '',
  },
  {
    id: 'minimax m1',
    text: `<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n{"name": "now", "arguments": {}}\n</tool_calls>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'minimax m2 two',
    text: `<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>`,
    calls: [W, ['now', {}]],
    say: '',
  },
  {
    id: 'hunyuan',
    text: `<think>SECRET</think><answer>Ok.</answer>\n<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>`,
    calls: [W],
  },
  {
    id: 'hunyuan answer',
    text: `<think>SECRET</think>\n<answer>\nHello.\n</answer>`,
    say: 'Hello.',
    thought: 'SECRET',
  },
]

describe('the forms that the parsers of servers read', () => {
  test.each(cases)('$id', (one) => {
    for (const size of [1, 4, 9999]) {
      const { reply, shown, seen } = play(one, size)
      const ran = reply.toolCalls.map(({ name, rawArguments }) => [name, parsed(rawArguments)])
      if (one.unread === true) expect(ran.length > 0 || reply.isUnread).toBe(true)
      else {
        expect(ran).toEqual(one.calls ?? [])
        expect(reply.isUnread).toBe(false)
      }
      if (one.say !== undefined) expect(reply.text.trim()).toBe(one.say)
      expect(shown.trim()).toBe(reply.text.trim())
      expect(seen).not.toMatch(/<[|｜]|\[unused|SECRET/)
    }
  })
})

/** What people ask for, which looks like markup or speaks of it. */
const F = '```'
const words: string[] = [
  '{"name": "Ada", "arguments": ["tea", "coffee"]}',
  `Here is the JSON you asked for:\n\n${F}json\n{"name": "lookup_user", "arguments": {"id": 7}}\n${F}\n\nReplace the id.`,
  `Sure, an example of a tool call for your test suite:\n\n${F}json\n{\n  "name": "get_weather",\n  "arguments": {"city": "Oslo"}\n}\n${F}\nUse it as a fixture.`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">\n  <circle cx="5" cy="5" r="4" fill="red"/>\n</svg>`,
  `${F}tsx\nexport function Weather({ city }: Props) {\n  const [data, setData] = useState<Weather | null>(null)\n  return <Card action={reload}><button onClick={() => search(city)}>Go</button></Card>\n}\n${F}\nThis is the component.`,
  `2026-11-28T05:00:01Z ERROR [worker-3] get_weather(city=Oslo) failed: timeout after 30s <trace 8af3>`,
  `| Function | Use |\n|---|---|\n| get_weather | the weather |\n| search | \`search("x")\` |\n\nThat is all.`,
  'A `std::vector<int>` grows; std::map<std::string, std::vector<int>> nests; template <typename T> struct Tool { T call; };',
  'The integral is \\[ \\int_0^1 x^2\\,dx = \\frac{1}{3} \\] and $a < b$ implies $a + c < b + c$.',
  '> On Monday Ada Lovelace <ada@example.com> wrote:\n> > Can you search for the file?\n\nYes, I can.',
  'Oslo is cold in winter [1], Bergen is wet [2][3].\n\n[1]: https://example.com/oslo\n[2]: https://example.com/bergen',
  'If a < b and b > c, then max(a, b, c) = b. In code: if (a<b && c>d) return x<<2;',
  '<tool_call> is the tag that Qwen uses. It holds a JSON object with name and arguments.',
  `The format is:\n\n${F}\n<tool_call>\n{"name": "search", "arguments": {"query": "..."}}\n</tool_call>\n${F}\n\nEach call has its own tag.`,
  'The function get_weather(city) returns the temperature. Call search(query="x") to look for words in Python.',
  `${F}python\nimport requests\n\ndef get_weather(city):\n    return requests.get(URL, params={"q": city}).json()\n\nprint(get_weather("Oslo"))\n${F}`,
  `${F}xml\n<invoke name="search"><parameter name="query">x</parameter></invoke>\n${F}\nThis is how Claude's old format looked.`,
  'Use `[TOOL_CALLS]` for Mistral, `<|python_tag|>` for Llama and `<｜DSML｜invoke>` for DeepSeek.',
  '[ERROR] Connection refused\n[WARN] retrying\n[ACTION] none\n[INFO] done',
  '<details>\n<summary>Command line</summary>\n\nRun `npm install`.\n\n</details>',
  '<action>Ada looks at the door.</action>\n<dialogue>Who is there?</dialogue>\nThat is the first scene in XML, as you asked.',
  `${F}html\n<form action="/search" method="post">\n  <input name="search" placeholder="search">\n  <button type="submit">search</button>\n</form>\n${F}`,
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: search\nspec:\n  containers:\n  - name: search\n    command: ["search"]\n    args: ["--query", "x"]`,
  `{"type": "object", "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}, "required": ["name", "arguments"]}`,
  `Promise<ToolCall|undefined> is the return type; Array<Command<string>> is a list of them.`,
  'The model wrote "<|im_end|>" at the end, and </think> before it; both are control tokens.',
  'I think <thinking> is a tag that Claude was taught to use. <reflection> is another one.',
  `{"results": [{"name": "search", "type": "page"}, {"name": "get_weather", "type": "page"}]}`,
  `name,tool,arguments\nAda,hammer,"{""size"": 3}"\nBob,saw,{}`,
  'Search results: now(1) is the time, search(1) is the command; see man pages [now(1), search(1)].',
  'now: the present moment.\nsearch: to look for something.\n\nThese are the definitions.',
  `{"action": "approve", "parameters": {"amount": 12}, "reason": "below the limit"}`,
  `{"function": "sin", "input": 3.14, "output": 0.0015}`,
  '<p>Dear Ada,</p>\n<p>Please <a href="https://example.com/search?query=x">search</a> now.</p>',
  `<?xml version="1.0"?>\n<plugin name="search">\n  <param name="query">x</param>\n</plugin>`,
  `The steps:\n1. Call the bank.\n2. Action: sign the form.\nAction: none\nNow you are done.`,
  `/think\nis a command that Qwen reads; /no_think turns it off.`,
  'Write [unused1] tokens of BERT as `[unused11]`; they are placeholders in the vocabulary.',
  'In K3 the tokens are `<|open|>`, `<|sep|>` and `<|close|>`.',
  `${F}\n[search(query="x")]\n${F}\nis how Llama 4 writes a call.`,
  'https://api.example.com/search?query=oslo',
  'GET /search?query=oslo HTTP/1.1',
  '{"search": true, "query": "oslo"}',
  'The tool was search, with the query: "oslo".',
  'I called get_weather(city="Oslo") and it said 4 °C.',
  '- search: {"query": "oslo"} found 3 pages\n- get_weather: {"city": "Oslo"} said 4 °C',
  '| tool | query |\n|---|---|\n| search | oslo |',
  'search:\n  query: oslo\n  limit: 3',
  `The body to send:\n\n{"index": "search", "query": {"match": {"city": "Oslo"}}}`,
  `<input type="search" name="query" value="oslo">`,
  `curl -G https://example.com/search -d query=oslo`,
  `{% search query="oslo" %}`,
  `{{ search(query) }} is Jinja for it.`,
  '(see get_weather in the manual)',
  '@search is the name of the team; ask them.',
  '!important wins over everything in CSS.',
  '§ 12 of the law says so.\n\n§ 13 does not.',
  '[[wiki]] links use two brackets, {{templates}} two braces, %%comments%% two signs.',
  '[search the web] is what I would press.',
  '(a) search by city: Oslo, (b) search by query: x',
  `SELECT * FROM search WHERE query = 'oslo' AND city = 'Oslo';`,
  `export const search = ({ query }: { query: string }) => fetch(\`/search?query=\${query}\`)`,
  `search query="oslo" | stats count by city`,
  'Query: "oslo". Tool: search. Result: {"pages": 3}.',
  '<search query="oslo"/> is how the element looks in your XML.',
  'A $x < y$ in math; \\begin{cases} a & x<0 \\\\ b & x>0 \\end{cases}',
  '<<EOF starts a here-document; a << b shifts.',
  'Dear <name>,\n\nyour order <order-id> has shipped.\n\n<your signature>',
  'I would use <tool_name> as a placeholder, and <function> too.',
  `The <command> element is obsolete; <param> belongs to <object>.`,
  `Usage: search [options] <query>\n\n  -n <count>  how many\n  -c <city>   where`,
  `useEffect(() => { search(query) }, [query])`,
  '`<think>` opens thoughts. Mistral uses `[THINK]`.',
  `[2026-11-28 05:00] <ada> search query: oslo\n[2026-11-28 05:01] <bob> done`,
  '1 < 2 < 3 and x |> f |> g in F#; a <| b too.',
  'In Elixir: "a" <> "b" |> IO.puts()',
  'function_call: none\ntool_calls: []\nis what the log says.',
  `List<Function<String, Tool>> calls = new ArrayList<>();`,
  `fn call<T: Tool>(t: T) -> Result<ToolOutput, CallError> { t.run() }`,
  'Press <kbd>Ctrl</kbd>+<kbd>K</kbd>, then type the <command>.',
  '{"tool": "hammer", "args": {"size": 3}}',
  'The SQL function is now(), and CURRENT_TIMESTAMP is the same.',
  'SELECT now();',
]

describe('words about markup, code and data', () => {
  test.each(words)('%j', (text) => {
    for (const size of [1, 4, 9999]) {
      const { reply, shown, seen } = play({ text }, size)
      expect(reply).toMatchObject({ toolCalls: [], isUnread: false, thoughts: '' })
      expect(shown).toBe(text)
      expect(seen).toBe(text)
    }
  })

  test.each([
    'Use `[TOOL_CALLS]` for Mistral, `<|python_tag|>` for Llama and `<｜DSML｜invoke>` for DeepSeek.',
    '[ERROR] Connection refused\n[WARN] retrying\n[ACTION] none\n[INFO] done',
    '<action>Ada looks at the door.</action>\n<dialogue>Who is there?</dialogue>\nThe first scene.',
    '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}',
    'The steps:\n1. Call the bank.\nAction: none\nNow you are done.',
    'In K3 the tokens are `<|open|>`, `<|sep|>` and `<|close|>`, in this order.',
  ])('at once: %j', (text) => {
    expect(play({ text }, 1).early).toBe(text)
  })
})
