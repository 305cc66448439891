/** A JSON Schema (draft 2020-12 or draft-07 style) with our extra keywords; zod schemas are converted to it. */
export interface JsonSchema {
  $schema?: string
  $ref?: string
  $defs?: Record<string, JsonSchema | boolean>
  definitions?: Record<string, JsonSchema | boolean>
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number | boolean
  exclusiveMaximum?: number | boolean
  multipleOf?: number
  properties?: Record<string, JsonSchema | boolean>
  patternProperties?: Record<string, JsonSchema | boolean>
  propertyNames?: JsonSchema
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema | boolean | (JsonSchema | boolean)[]
  prefixItems?: (JsonSchema | boolean)[]
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  contains?: JsonSchema | boolean
  minContains?: number
  minProperties?: number
  maxProperties?: number
  anyOf?: (JsonSchema | boolean)[]
  oneOf?: (JsonSchema | boolean)[]
  allOf?: (JsonSchema | boolean)[]
  not?: JsonSchema | boolean
  dependentSchemas?: Record<string, JsonSchema | boolean>
  /** The question that an error asks about this parameter, without the `Question:` prefix. */
  question?: string
  /** What a good answer looks like, in one sentence. */
  hint?: string
  /** The label beside its value, where the title is too long: `to` for `recipient email address`. */
  short?: string
  /** What people read for the values of `enum`. */
  choices?: Record<string, string>
  /** What people read if a value does not fit, instead of our sentences. */
  unfit?: string
  /** Other names that models use for this parameter. */
  aliases?: string[]
  /**
   * Where the value must come from, see `checkProvenance`; inherited by items and members. `conversation`: from the
   * user. `seen`: a place on the web that the user named, a search found, or a person opened.
   */
  source?: 'conversation' | 'seen'
  /** On a list: lists of such lists fit, too. PostgreSQL's arrays have any number of dimensions. */
  anyDepth?: boolean
  /** Any JSON, as PostgreSQL's jsonb: a text that holds an object or a list stands for it. */
  json?: boolean
  /** Set by `normaliseSchema` for `anyDepth`: an alternative that is checked, but neither told nor proposed. */
  untold?: boolean
  /** Set by `normaliseSchema`: a `format` that is mentioned but not checked. */
  statedFormat?: string
  /** Set by `normaliseSchema` for `format: password` and `writeOnly`: never shown. */
  secret?: boolean
  [keyword: string]: unknown
}
