import { brotliCompressSync, constants } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'

/** Modules that are far larger than what is used of them, with what stands in for them. */
const lighter: Record<string, string> = {
  // Only the connection and the request.
  'undici/index.js': `
    export { request } from 'undici/lib/api/index.js'
    export { default as Agent } from 'undici/lib/dispatcher/agent.js'
    export { default as buildConnector } from 'undici/lib/core/connect.js'`,
  // The same parser again, for machines without SIMD, which V8 always has.
  'undici/lib/llhttp/llhttp-wasm.js': `module.exports = require('./llhttp_simd-wasm.js')`,
  // sanitize-html needs it only to parse styles, which is switched off.
  'postcss/lib/postcss.mjs': 'export const parse = undefined',
  'postcss/lib/postcss.js': 'export const parse = undefined',
  // Questions have their own words.
  'zod/v4/locales/index.js': `export { default as en } from './en.js'`,
}

/** Providers of models that the engine knows the list's name of. */
const priced = ['openai', 'anthropic', 'google', 'openrouter', 'groq', 'mistral', 'deepseek', 'moonshotai']

/** What models are called for people, and remarks about them. */
const remarks = ['name', 'description', 'price_comments', 'pricing_urls', 'prices_checked']

/** The list of prices with these providers alone, and without remarks: two thirds of it are others. */
function withoutOtherPrices(code: string): string {
  const start = code.indexOf('[')
  const end = code.indexOf('\n]', start) + 2
  const providers: { id: string }[] = new Function(`return ${code.slice(start, end)}`)()
  const kept = providers.filter(({ id }) => priced.includes(id))
  if (kept.length !== priced.length)
    throw new Error('The list of prices has another shape: see scripts/build/lighter.ts.')
  return `${code.slice(0, start)}${JSON.stringify(kept, (key, value) => (remarks.includes(key) ? undefined : value))}${code.slice(end)}`
}

/**
 * The reader of PDFs, packed: it is as large as all other code together, and is unpacked for the first document. So all
 * of it stays below the 3 MB that a project takes along. (As a module with a `data:` address it takes twice the time to
 * load, because Deno parses it first.)
 */
async function packPdfReader(path: string): Promise<string> {
  const bundle = await rolldown({ input: path, platform: 'neutral', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', name: 'reader', minify: true })
  await bundle.close()
  const packed = brotliCompressSync(output[0].code, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  }).toString('base64')
  return `import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
const code = brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString()
export const { getDocument } = new Function(code + ';return reader')()`
}

/** Puts smaller modules in the place of such. */
export const lighterPlugin: Plugin = {
  name: 'lighter',
  load(id) {
    if (id.endsWith('/unpdf/dist/pdfjs.mjs')) return packPdfReader(id)
    const name = id.split('/node_modules/').at(-1) ?? ''
    return lighter[name] ?? null
  },
  transform: (code, id) =>
    id.endsWith('/@pydantic/genai-prices/dist/index.js')
      ? { code: withoutOtherPrices(code), map: null }
      : null,
}
