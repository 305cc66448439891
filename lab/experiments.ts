/** What `npm run lab -- NAME` runs. Each module reads its own options from the command line, and runs when it is imported. */
export interface Experiment {
  /** What it shows, in one line. */
  what: string
  run(): Promise<unknown>
}

export const experiments: Readonly<Record<string, Experiment>> = {
  chaos: {
    what: 'what becomes of writes while processes are killed and frozen',
    run: () => import('./chaos/run.ts'),
  },
  floods: {
    what: 'how long others wait while one user floods the service',
    run: () => import('./floods/run.ts'),
  },
  'front-ends': {
    what: 'what clients of the OpenAI endpoint do to writes',
    run: () => import('./front-ends/run.ts'),
  },
  agentdojo: {
    what: 'what planted instructions achieve, and what people are asked because of it',
    run: () => import('./agentdojo/run.ts'),
  },
  sentences: {
    what: 'every sentence that people and models are told, and what differs (FILE, or --compare FILE FILE)',
    run: () => import('./sentences/run.ts'),
  },
  conformance: {
    what: "every fault of a model or a tool; or, with --base-url and --model, your model's success",
    run: () => import('./conformance/run.ts'),
  },
  compare: {
    what: 'which of two tool libraries does better with your model (FILE)',
    run: () => import('./compare/run.ts'),
  },
  corpora: {
    what: 'labeled data: what is repaired, corrected, refused and asked about (--dir FOLDER)',
    run: () => import('./corpora/run.ts'),
  },
  mcp: {
    what: 'whether clients of MCP are served as its suite and they expect, on both Denos at once',
    run: () => import('./mcp/run.ts'),
  },
  'mcp-tools': {
    what: 'spoiled calls of the tools of MCP servers ([FOLDER])',
    run: () => import('./mcp-tools/run.ts'),
  },
  'find-tools': {
    what: "whether requests in people's words find tools of MCP servers (FOLDER)",
    run: () => import('./mcp-tools/find.ts'),
  },
  fuzz: {
    what: 'whether tools of random schemas and random answers of models break the engine',
    run: () => import('./fuzz/run.ts'),
  },
  wires: {
    what: 'recorded answers of model servers (FILE)',
    run: () => import('./wires/run.ts'),
  },
  pages: {
    what: 'how much of web pages is read (FOLDER)',
    run: () => import('./pages/run.ts'),
  },
  window: {
    what: 'what models with small windows are sent in long conversations',
    run: () => import('./window/run.ts'),
  },
  measure: {
    what: 'start, memory and times of the local stack',
    run: () => import('./measure/run.ts'),
  },
  'measure:web': {
    what: 'size, first paint and long conversations of the web app',
    run: () => import('./measure/web.ts'),
  },
  'measure:add': {
    what: 'the time from `askback add` to the first email',
    run: () => import('./measure/add.ts'),
  },
  'bench:engine': {
    what: 'a run of the engine beside the AI SDK and a plain loop',
    run: () => import('./bench/engine.ts'),
  },
  'bench:service': {
    what: 'a streamed turn beside the function that a team would write without us',
    run: () => import('./bench/service.ts'),
  },
  'bench:stream': {
    what: 'what the chat function adds to each token',
    run: () => import('./bench/stream.ts'),
  },
  'bench:flat': {
    what: 'a turn with many tools, messages or users',
    run: () => import('./bench/flatness.ts'),
  },
  'bench:memory': {
    what: 'memory of the requests that need the most',
    run: () => import('./bench/memory.ts'),
  },
  'bench:turns': {
    what: 'what hundreds of turns leave behind',
    run: () => import('./bench/turns.ts'),
  },
  'bench:spans': {
    what: 'what tracing costs',
    run: () => import('./bench/spans.ts'),
  },
  patches: {
    what: 'what it buys to patch two libraries: the local data API, the format of addresses',
    run: () => import('./patches/run.ts'),
  },
  dependencies: {
    what: 'what a function would pay for supabase-js, openai or googleapis, and what these send again',
    run: () => import('./dependencies/run.ts'),
  },
}
