/** Parameters that can be dropped without changing the meaning of a request. */
export const dispensableParameters = [
  'temperature',
  'parallel_tool_calls',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  // Members of messages: thoughts that a model has sent itself.
  'reasoning_content',
  'reasoning_details',
  // Not a member of the body: reasoning has to be switched off if there are tools.
  'reasoning_with_tools',
  // Nor are these: pictures in messages.
  'pictures',
] as const

export type DispensableParameter = (typeof dispensableParameters)[number]
