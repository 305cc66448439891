/**
 * PostgreSQL cannot store U+0000 or half a surrogate pair. In JSON text both are escapes (`JSON.stringify` escapes lone
 * surrogates): they become the replacement character.
 */
export function storableJson(json: string): string {
  return json.replace(unstorable, '\ufffd')
}

/** An escape starts at an odd backslash. The regex checks that last: checking it at every backslash takes seconds. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})(?<=(?:^|[^\\])(?:\\\\)*\\u....)/g
