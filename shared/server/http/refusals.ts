/**
 * Every refusal of a request, by the code in `{ error: { code, message } }`: clients say it in their own languages. A
 * new code has its place here first; `docs/sentences.md` is this list.
 */
export const refusals = {
  // What was sent.
  bad_request: 'The request is not as it should be; the message says what is wrong.',
  bad_conversation_id: 'The id of the conversation is none.',
  body_incomplete: 'The request broke off.',
  body_timeout: 'The request took too long to arrive.',
  invalid_json: 'The body is no JSON.',
  nested_too_deeply: 'The body has too many levels.',
  wrong_media_type: 'The body is of a type that is not taken.',
  message_too_large: 'The message is too long.',
  message_id_taken: 'Another message has this id.',
  no_message: 'There is no message to answer.',
  empty_message: 'The message is empty.',
  too_many_messages: 'Too many messages at once.',
  unknown_path: 'There is nothing at this path.',
  not_found: 'There is nothing with this name.',
  unknown_action: 'The function has no such action.',
  unknown_tool: 'There is no such tool.',
  idempotency_key_reused: 'The key was used for another call.',
  body_too_large: 'The body is too large.',
  too_many_large_bodies: 'Too many large requests at once.',
  too_many_requests: 'Too many requests at once.',

  // Files.
  empty_file: 'A file is empty.',
  file_not_found: 'A file is not stored any more.',
  file_too_large: 'A file is too large.',
  files_too_large: 'The files are too large together.',
  too_many_files: 'There are too many files.',
  too_much_stored: 'There is no room left for files.',
  unreadable_file: 'A file cannot be read.',
  too_many_documents: 'Too many files are being read.',
  link_expired: 'The link has expired.',
  link_not_valid: 'The link is not valid.',
  storage_unavailable: 'Files cannot be reached.',

  // Who asks.
  unauthorized: 'Nobody is signed in.',
  invalid_api_key: 'The token is not valid.',
  unknown_user: 'The account is gone.',
  not_an_operator: 'Only operators may do this.',
  keys_unavailable: 'The sign-in cannot be checked right now.',
  wrong_email: 'The address is not that of the account.',

  // Conversations and decisions.
  agent_not_found: 'There is no such agent.',
  conversation_not_found: 'There is no such conversation.',
  message_not_found: 'There is no such message.',
  run_not_found: 'There is no such run.',
  item_not_found: 'Nothing that waits has this id.',
  approval_id_missing: 'The decision does not say what it is about.',
  already_decided: 'It was decided differently, or asked again.',
  nothing_pending: 'Nothing waits for this.',
  not_due: 'It is not time to go on.',
  still_running: 'It is still at work.',
  not_running: 'Nothing is at work.',
  stale: 'It has changed in the meantime.',
  cannot_continue: 'It cannot go on.',
  too_many_readers: 'Too many read this answer at once.',
  interrupted: 'The answer was interrupted.',

  // Models.
  model_not_available: 'This model cannot be chosen.',
  model_not_found: 'There is no such model.',
  model_not_configured: 'No model is set up.',
  model_unavailable: 'No model answers.',
  own_key_refused: 'The user’s own key was refused.',
  own_key_unused: 'The user’s own key is used, and its model does not answer.',
  tools_do_not_fit: 'The tools of the agent do not fit into the model.',

  // Connections.
  built_in: 'It is there without being connected.',
  connection_not_found: 'There is no such connection.',
  connection_test_failed: 'The test of the connection failed; the message has the reason.',
  label_taken: 'Another connection has this name.',
  no_account: 'The account is not known.',
  no_sign_in: 'It is not connected by signing in.',
  sign_in_needed: 'It is connected by signing in.',
  sign_in_refused: 'The provider refused the sign-in.',
  nothing_granted: 'Nothing was allowed at the provider.',
  foreign_code: 'Somebody else began this sign-in.',
  unknown_code: 'The sign-in has expired or was used.',
  unknown_state: 'The sign-in has expired or was used.',
  unknown_provider: 'There is no such provider.',
  return_to_not_allowed: 'The way back is not one of the app.',
  token_not_found: 'There is no such token.',

  // The server.
  run_failed: 'The run has failed; the message says why.',
  provider_unavailable: 'The provider cannot be reached.',
  invalid_values: 'Values of the connection do not fit; the details say which.',
  internal_error: 'A fault of ours.',
  database_unavailable: 'The database cannot be reached.',
  not_configured: 'Something is not set up on this server.',
  tool_not_found: 'There is no such tool.',
  not_offered: 'This function is not offered.',
  offer_refused: 'This function cannot be offered.',
} as const

export type RefusalCode = keyof typeof refusals
