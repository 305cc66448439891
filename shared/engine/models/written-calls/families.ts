/**
 * How models write thoughts and calls as text where their server does not read them, from their documented chat templates
 * and the parsers of vLLM, SGLang, llama.cpp and Ollama. Data only: a new family is one more row. What stands between the
 * marks is read alike for all of them, because models mix their own form with others.
 */
export interface Family {
  family: string
  /** What stands before a call. */
  calls?: readonly string[]
  /** Around its thoughts, if the marks do not say so themselves (`isThoughtMark`). */
  thoughts?: readonly (readonly [open: string, close: string])[]
  /** Models whose prompt has already opened the thoughts: only the end of them is written. */
  thinksFirst?: RegExp
  /** A call that begins within thoughts ends them. */
  callEndsThoughts?: true
  /** Marks of its own for what another family writes too, and how that one writes it: `plainMarks` replaces them. */
  dialect?: readonly (readonly [own: RegExp, common: string])[]
}

const families: readonly Family[] = [
  // https://huggingface.co/NousResearch/Hermes-2-Pro-Llama-3-8B; also Qwen, Ernie, Granite 4, EXAONE, MiMo, SmolLM3.
  { family: 'Hermes', calls: ['<tool_call>'] },
  {
    // https://github.com/vllm-project/vllm/blob/main/vllm/reasoning/qwen3_reasoning_parser.py
    family: 'Qwen',
    calls: ['<tool_call>', '<function='],
    thinksFirst: /qwen-?3\.[5-9]|qwen-?[4-9]|qwen.*thinking|qwq/i,
  },
  // https://www.llama.com/docs/model-cards-and-prompt-formats: JSON, the function tag, lists of Python calls.
  { family: 'Llama', calls: ['<|python_tag|>', '<|python_start|>', '<function='] },
  // https://docs.mistral.ai/guides/tokenization and mistral-common: before and after v11.
  { family: 'Mistral', calls: ['[TOOL_CALLS]'], thoughts: [['[THINK]', '[/THINK]']] },
  {
    // https://huggingface.co/deepseek-ai: R1, V3, V3.1.
    family: 'DeepSeek',
    calls: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
    thinksFirst: /deepseek.?r1/i,
  },
  {
    // https://api-docs.deepseek.com: V3.2 (function_calls), V4 (tool_calls).
    family: 'DeepSeek DSML',
    calls: ['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>', '<｜DSML｜invoke'],
    thinksFirst: /deepseek.?v?[4-9]/i,
  },
  {
    // https://github.com/MoonshotAI/Kimi-K2/blob/main/docs/tool_call_guidance.md
    family: 'Kimi',
    calls: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
    callEndsThoughts: true,
  },
  {
    // https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/function_call/kimik3_detector.py
    family: 'Kimi K3',
    thoughts: [['<|open|>think<|sep|>', '<|close|>think<|sep|>']],
    thinksFirst: /kimi-?k[3-9]/i,
    dialect: [
      [/<\|open\|>call [^<>]{0,40}?tool="([^"<>]{1,100})"[^<>]{0,60}<\|sep\|>/g, '<invoke name="$1">'],
      [/<\|close\|>call<\|sep\|>/g, '</invoke>'],
      [
        /<\|open\|>argument key="([^"<>]{1,100})" type="string"<\|sep\|>/g,
        '<parameter name="$1" string="true">',
      ],
      [
        /<\|open\|>argument key="([^"<>]{1,100})"[^<>]{0,60}<\|sep\|>/g,
        '<parameter name="$1" string="false">',
      ],
      [/<\|close\|>argument<\|sep\|>/g, '</parameter>'],
      [/<\|open\|>tools<\|sep\|>/g, '<function_calls>'],
      [/<\|close\|>tools<\|sep\|>/g, '</function_calls>'],
      [/<\|open\|>think<\|sep\|>/g, '<think>'],
      [/<\|close\|>think<\|sep\|>/g, '</think>'],
      [/<\|(?:open|close)\|>(?:response|message)(?:<\|sep\|>|$)/g, '<|end_message|>'],
    ],
  },
  {
    // https://huggingface.co/zai-org: arg_key and arg_value; the vision models box their answer.
    family: 'GLM, Ling, Ring',
    calls: ['<tool_call>'],
    thinksFirst: /glm-?(?:4\.[7-9]|[5-9])|\bling-?[3-9]|\bring-/i,
    dialect: [[/<\|(?:begin|end)_of_box\|>/g, '']],
  },
  {
    // https://huggingface.co/MiniMaxAI: M1 (tool_calls), M2; M3 puts a mark before each tag.
    family: 'MiniMax',
    calls: ['<minimax:tool_call>', '<tool_calls>', ']<]minimax[>['],
    thinksFirst: /minimax.?m[2-9]/i,
    dialect: [[/\]<\]minimax\[>\[\s{0,8}/g, '']],
  },
  // https://github.com/openai/harmony: read by `harmony.ts`.
  { family: 'gpt-oss', calls: ['<|channel|>', '<|start|>'] },
  {
    // https://www.ibm.com/granite/docs: 20b-functioncalling, 3.x; 3.2 announces its thoughts in words.
    family: 'Granite',
    calls: ['<|tool_call|>', '<function_call>'],
    thoughts: [
      ['Here is my thought process:', 'Here is my response:'],
      ["Here's my thought process:", "Here's my response:"],
    ],
  },
  // https://github.com/MeetKai/functionary: v2, v3.1, v3.2.
  { family: 'Functionary', calls: ['<|recipient|>', '>>>', '<function='] },
  {
    // https://docs.cohere.com/docs/command-r-hf, Command A.
    family: 'Command',
    calls: ['<|START_ACTION|>'],
    thoughts: [['<|START_THINKING|>', '<|END_THINKING|>']],
    thinksFirst: /command-a-(?:plus|reasoning)/i,
  },
  // Phi-4-mini, Firefunction v2: https://huggingface.co/microsoft/Phi-4-mini-instruct.
  { family: 'Phi, Firefunction', calls: ['functools[', '<|tool_call|>'] },
  // https://huggingface.co/ai21labs, tencent/Hunyuan-A13B-Instruct, ServiceNow-AI/Apriel.
  {
    family: 'Jamba, Hunyuan, Apriel',
    calls: ['<tool_calls>'],
    thoughts: [['Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]']],
  },
  // https://github.com/InternLM/InternLM/blob/main/chat/chat_format.md
  { family: 'InternLM', calls: ['<|action_start|>', '<|plugin|>'] },
  {
    // https://huggingface.co/stepfun-ai/step3: step tags within DeepSeek's marks.
    family: 'Step',
    calls: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>', '<steptml:invoke'],
    thinksFirst: /\bstep-?3\.[5-9]/i,
  },
  // https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct
  { family: 'Seed-OSS', calls: ['<seed:tool_call>'] },
  // https://huggingface.co/baidu/ERNIE-4.5-21B-A3B-Thinking
  { family: 'Ernie', calls: ['<tool_call>'], thinksFirst: /ernie.*thinking/i },
  // https://huggingface.co/Salesforce/xLAM-2: a list of JSON objects, also bare.
  { family: 'xLAM', calls: ['<tool_call>', '[TOOL_CALLS]'] },
  // https://huggingface.co/allenai/Olmo-3-7B-Instruct: Python calls, one per line; Claude's XML has the same tag.
  { family: 'OLMo, Claude', calls: ['<function_calls>', '<invoke name='] },
  {
    // https://ai.google.dev/gemma/docs: Gemma 3 (tool_code), FunctionGemma, Gemma 4.
    family: 'Gemma',
    calls: ['<|tool_call>', '<start_function_call>', '```tool_code'],
    thoughts: [['<|channel>', '<channel|>']],
  },
  {
    // https://huggingface.co/swiss-ai/Apertus-8B-Instruct-2509
    family: 'Apertus',
    calls: ['<|tools_prefix|>'],
    thoughts: [['<|inner_prefix|>', '<|inner_suffix|>']],
  },
  {
    // https://huggingface.co/nvidia: Nemotron Nano 2 (TOOLCALL), Nemotron 3 (as Qwen3-Coder).
    family: 'Nemotron',
    calls: ['<TOOLCALL>'],
    thinksFirst: /nemotron-?3/i,
  },
  // https://huggingface.co/meituan-longcat/LongCat-Flash-Chat
  { family: 'LongCat', calls: ['<longcat_tool_call>'] },
  {
    // https://huggingface.co/ai-sage: GigaChat 3, and 3.5 with a markup language like DeepSeek's.
    family: 'GigaChat',
    calls: ['<|function_call|>', 'function call<|role_sep|>', '<｜GCML｜'],
    dialect: [[/<(\/?)｜GCML｜/g, '<$1｜DSML｜']],
  },
  // https://docs.liquid.ai/lfm/key-concepts/tool-use
  { family: 'LFM2', calls: ['<|tool_call_start|>'] },
  {
    // https://huggingface.co/upstage: Solar Open (an id before the name), Solar Open 2.
    family: 'Solar',
    calls: ['<|tool_calls|>', '<|tool_call:begin|>', '<|tool_call:start|>'],
    thoughts: [['<|think|>', '<|end|>']],
    dialect: [
      [/<\|begin\|>assistant(?=<\|)/g, ''],
      [/<\|tool_call:begin\|>[\w-]{0,60}<\|tool_call:name\|>/g, '<tool_call>'],
      [/<\|tool_call:start\|>/g, '<tool_call>'],
      [/<\|tool_call:end\|>/g, '</tool_call>'],
      [/<\|tool_arg:start\|>/g, '<arg_key>'],
      [/<\|tool_arg:value\|>/g, '</arg_key><arg_value>'],
      [/<\|tool_arg:end\|>/g, '</arg_value>'],
    ],
  },
  {
    // https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/hy_v4_tool_parser.py: tags may have a suffix.
    family: 'Hunyuan 3, 4',
    calls: ['<tool_calls>', '<tool_calls:', '<tool_call:'],
    dialect: [[/<(\/?(?:think|tool_calls?|tool_sep|arg_key|arg_value)):[\w-]{1,40}>/g, '<$1>']],
  },
  {
    // https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/k2_horizon_tool_parser.py
    family: 'K2 Horizon',
    calls: ['<ifm|tool_calls>', '<ifm|tool_call>'],
    thoughts: [['<ifm|think>', '</ifm|think>']],
    dialect: [
      [/<ifm\|arg_type>[^<>]{0,100}<\/ifm\|arg_type>\s{0,8}/g, ''],
      [/<(\/?)ifm\|/g, '<$1'],
    ],
  },
  {
    // https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/function_call/inkling_detector.py
    family: 'Inkling',
    calls: ['<|content_invoke_tool_json|>'],
    dialect: [[/(?:<\|message_model\|>[\w.-]{0,100})?<\|content_invoke_tool_json\|>/g, '<tool_call>']],
  },
  {
    // https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B
    family: 'HyperCLOVA X',
    thoughts: [['/think\n', '<|im_end|>\n<|im_start|>assistant\n']],
    dialect: [[/(<\|im_start\|>assistant) -> tool\/function_call\n/g, '$1\n<tool_call>']],
  },
  // https://github.com/ollama/ollama/blob/main/model/parsers/glimmer.go: in messages like those of harmony.
  { family: 'Muse Glimmer', calls: ['<atem:function_calls>', '<atem:invoke'] },
  {
    // https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/pangu_tool_parser.py
    family: 'Pangu',
    calls: ['[unused11]', '<|tool_call_start|>'],
    thoughts: [['[unused16]', '[unused17]']],
    dialect: [
      [/\[unused11\]/g, '<tool_call>'],
      [/\[unused12\]/g, '</tool_call>'],
    ],
  },
  // https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/step_audio_2_tool_parser.py
  { family: 'Step Audio', dialect: [[/(<tool_call>\s{0,8})function\n/g, '$1']] },
  // https://github.com/sgl-project/sglang: dots (dots_detector.py), MiniCPM 5 (minicpm5_detector.py).
  { family: 'dots, MiniCPM', calls: ['<dots_function_call>', '<function name='] },
  // https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/plamo3_tool_parser.py
  { family: 'PLaMo', calls: ['<|plamo:begin_tool_requests:plamo|>'] },
]

/** What calls begin with, whatever the family. */
export const openers: readonly string[] = [...new Set(families.flatMap(({ calls = [] }) => calls))]

export const namedThoughts = families.flatMap(({ thoughts = [] }) => thoughts)

/** Every mark of a dialect. */
export const dialects = families.flatMap(({ dialect = [] }) => dialect)

/** Calls that end the thoughts they begin in. */
export const endingCalls = families.flatMap(({ calls = [], callEndsThoughts }) =>
  callEndsThoughts ? calls : [],
)

/**
 * True for a model whose answer begins within its thoughts.
 *
 * @example
 * thinksFirst('deepseek-ai/DeepSeek-R1-Distill-Llama-8B') // => true
 * thinksFirst('gpt-4.1-mini') // => false
 */
export function thinksFirst(model: string): boolean {
  return families.some((family) => family.thinksFirst?.test(model))
}
