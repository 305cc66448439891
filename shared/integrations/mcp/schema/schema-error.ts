/** Why a schema is of no use here. */
export type SchemaFault =
  | 'foreign_tool_too_large'
  | 'foreign_tool_takes_no_object'
  | 'foreign_tool_characters'
  | 'foreign_tool_unreadable'

/** A tool with such a schema can't be called safely, or not at all. */
export class SchemaError extends Error {
  override name = 'SchemaError'
  readonly fault: SchemaFault
  constructor(fault: SchemaFault) {
    super(fault)
    this.fault = fault
  }
}
