/**
 * Every refusal of a request, by the code in `{ error: { code, message } }`: clients translate it. Add a new code here
 * first, and then to `docs/sentences.md`, which a test compares with this list.
 */
export const refusals = {
  // The request.
  bad_request: 'The request is invalid; the message says why.',
  bad_conversation_id: 'The conversation id is not valid.',
  body_incomplete: 'The request broke off.',
  body_timeout: 'The request took too long to arrive.',
  invalid_json: 'The body is not JSON.',
  nested_too_deeply: 'The body is nested too deeply.',
  wrong_media_type: 'The media type of the body is not accepted.',
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
  file_not_found: 'A file is no longer stored.',
  file_too_large: 'A file is too large.',
  files_too_large: 'The files are too large together.',
  too_many_files: 'There are too many files.',
  too_much_stored: 'There is no room left for files.',
  unreadable_file: 'A file cannot be read.',
  too_many_documents: 'Too many files are being read.',
  link_expired: 'The link has expired.',
  link_not_valid: 'The link is not valid.',
  storage_unavailable: 'Files cannot be reached.',

  // Authentication.
  unauthorized: 'Nobody is signed in.',
  invalid_api_key: 'The token is not valid.',
  unknown_user: 'The account no longer exists.',
  not_an_operator: 'Only operators may do this.',
  keys_unavailable: 'The sign-in cannot be checked right now.',
  wrong_email: 'The address is not the account’s.',

  // Conversations and decisions.
  agent_not_found: 'There is no such agent.',
  conversation_not_found: 'There is no such conversation.',
  message_not_found: 'There is no such message.',
  run_not_found: 'There is no such run.',
  item_not_found: 'Nothing with this id is waiting.',
  approval_id_missing: 'The decision does not name its approval.',
  already_decided: 'It was decided differently, or asked again.',
  nothing_pending: 'Nothing is waiting for this.',
  not_due: 'It is not due yet.',
  still_running: 'It is still running.',
  not_running: 'Nothing is running.',
  stale: 'It has changed in the meantime.',
  cannot_continue: 'It cannot continue.',
  too_many_readers: 'Too many readers of this answer at once.',
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
  built_in: 'It is built in and needs no connection.',
  connection_not_found: 'There is no such connection.',
  connection_test_failed: 'The test of the connection failed; the message has the reason.',
  label_taken: 'Another connection has this name.',
  no_account: 'The account is unknown.',
  no_sign_in: 'It does not use sign-in.',
  sign_in_needed: 'It is connected by signing in with the provider.',
  sign_in_refused: 'The provider refused the sign-in.',
  nothing_granted: 'No permission was granted at the provider.',
  foreign_code: 'Somebody else started this sign-in.',
  unknown_code: 'The sign-in has expired or was used.',
  unknown_state: 'The sign-in has expired or was used.',
  unknown_provider: 'There is no such provider.',
  return_to_not_allowed: 'The return address does not belong to the app.',
  token_not_found: 'There is no such token.',

  // The server.
  run_failed: 'The run has failed; the message says why.',
  provider_unavailable: 'The provider cannot be reached.',
  invalid_values: 'Some values of the connection are invalid; the details say which.',
  internal_error: 'An internal error.',
  database_unavailable: 'The database cannot be reached.',
  not_configured: 'Something is not set up on this server.',
  tool_not_found: 'There is no such tool.',
  not_offered: 'This function is not offered.',
  offer_refused: 'This function cannot be offered.',
} as const

export type RefusalCode = keyof typeof refusals
