/** The functions of the schema `askback` and their arguments. Made by `npx tsx scripts/types.ts`. */
export interface Rpcs {
  account_refusal: { p_user_id: unknown }
  add_permission: { p_user_id: unknown; p_permission: unknown }
  amend_note: {
    p_user_id: unknown
    p_invocation_id: unknown
    p_delivery_id: unknown
    p_earlier: unknown
    p_note: unknown
  }
  begin_completion: { p_user_id: unknown; p_request: unknown }
  begin_effect: { p_user_id: unknown; p_effect: unknown }
  begin_oauth: { p_user_id: unknown; p_flow: unknown }
  begin_oauth_refresh: {
    p_user_id: unknown
    p_connection_id: unknown
    p_holder: unknown
    p_lease_seconds: unknown
    p_margin_seconds: unknown
    p_refused_version?: unknown
  }
  begin_resume: { p_user_id: unknown; p_conversation_id: unknown; p_answer: unknown }
  begin_turn: { p_user_id: unknown; p_request: unknown }
  call_off_effect: { p_user_id: unknown; p_invocation_id: unknown; p_delivery_id: unknown }
  call_offered_function: {
    p_user_id: unknown
    p_tool_name: unknown
    p_arguments: unknown
    p_claims?: unknown
    p_looks?: unknown
  }
  change_connection: { p_user_id: unknown; p_connection_id: unknown; p_change: unknown }
  change_conversation: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_title?: unknown
    p_pinned?: unknown
    p_archived?: unknown
  }
  change_document: {
    p_user_id: unknown
    p_idempotency_key: unknown
    p_document_id: unknown
    p_change: unknown
    p_as?: unknown
  }
  change_limit: { p_act: unknown; p_limit: unknown }
  claim_invocation: { p_run_id: unknown; p_invocation: unknown; p_entries?: unknown }
  clock_state: Record<string, never>
  close_stream: { p_user_id: unknown; p_stream_id: unknown }
  correct_usage: { p_run_id: unknown; p_sequence: unknown; p_used: unknown }
  create_api_token: { p_user_id: unknown; p_token: unknown }
  create_document: { p_user_id: unknown; p_idempotency_key: unknown; p_title: unknown; p_content: unknown }
  delete_account: { p_user_id: unknown }
  delete_conversation: { p_user_id: unknown; p_conversation_id: unknown }
  describe_constraint: { p_tool_name: unknown; p_constraint: unknown; p_relation?: unknown }
  describe_type: { p_type_name: unknown }
  document_versions_of: { p_user_id: unknown; p_document_id: unknown }
  draw_model_calls: { p_user_id: unknown; p_agent_id: unknown; p_calls: unknown }
  earlier_change: { p_user_id: unknown; p_idempotency_key: unknown }
  fail_oauth_refresh: {
    p_user_id: unknown
    p_connection_id: unknown
    p_holder: unknown
    p_version?: unknown
    p_error?: unknown
    p_said?: unknown
  }
  find_files: { p_user_id: unknown; p_ids: unknown }
  find_oauth_connection: { p_user_id: unknown; p_provider: unknown; p_server: unknown; p_subject: unknown }
  find_raise: { p_message: unknown }
  find_runs: { p_act: unknown; p_id: unknown }
  find_same_write: { p_run_id: unknown; p_invocation: unknown }
  find_tool: { p_tool_name: unknown }
  find_value: { p_run_id: unknown; p_pattern: unknown }
  finish_oauth_refresh: { p_user_id: unknown; p_connection_id: unknown; p_holder: unknown; p_tokens: unknown }
  finish_run: { p_run_id: unknown; p_result: unknown }
  follow_run: { p_user_id: unknown; p_run_id: unknown; p_skip?: unknown; p_follower?: unknown }
  forget_objects: { p_objects: unknown }
  get_conversation: { p_user_id: unknown; p_conversation_id: unknown; p_before?: unknown; p_limit?: unknown }
  get_run: { p_user_id: unknown; p_run_id: unknown }
  heartbeat_run: { p_run_id: unknown; p_lease_seconds?: unknown; p_entries?: unknown }
  insights: { p_days?: unknown; p_time_zone?: unknown }
  integration_settings: { p_user_id: unknown; p_provider?: unknown }
  is_operator: { p_user_id: unknown }
  items_waiting_for: { p_user_id: unknown; p_provider: unknown }
  keep_file_reading: { p_user_id: unknown; p_file_id: unknown; p_reading: unknown }
  keep_rules: { p_rules: unknown }
  latest_run: { p_user_id: unknown; p_conversation_id: unknown }
  list_agents: { p_user_id: unknown }
  list_api_tokens: { p_user_id: unknown }
  list_conversations: { p_user_id: unknown; p_limit?: unknown; p_before?: unknown; p_archived?: unknown }
  list_functions: Record<string, never>
  list_items: { p_user_id: unknown; p_conversation_id?: unknown; p_agent_id?: unknown }
  list_limits: Record<string, never>
  list_open: { p_user_id: unknown; p_agent_id?: unknown }
  list_permissions: { p_user_id: unknown; p_agent_id?: unknown }
  list_shared_tools: Record<string, never>
  list_tools: Record<string, never>
  load_catalogue: Record<string, never>
  load_connections: {
    p_user_id: unknown
    p_providers: unknown
    p_agent_id?: unknown
    p_tool_name?: unknown
    p_connection_id?: unknown
  }
  load_effect: { p_user_id: unknown; p_effect: unknown }
  load_model_choice: { p_user_id: unknown; p_agent_id?: unknown; p_conversation_id?: unknown }
  load_offered_function: { p_tool_name: unknown }
  load_words: { p_language: unknown; p_version?: unknown }
  mark_connection: {
    p_user_id: unknown
    p_connection_id: unknown
    p_status: unknown
    p_error?: unknown
    p_said?: unknown
  }
  name_conversation: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_first_title: unknown
    p_title: unknown
    p_used: unknown
  }
  note_effect: {
    p_user_id: unknown
    p_invocation_id: unknown
    p_delivery_id: unknown
    p_earlier: unknown
    p_note: unknown
  }
  note_heard: { p_user_id: unknown; p_conversation_id: unknown; p_ids: unknown }
  note_reading: { p_user_id: unknown; p_run_id: unknown; p_read: unknown }
  note_stop: { p_act: unknown; p_run_id: unknown }
  note_told: { p_user_id: unknown; p_run_id: unknown; p_text: unknown }
  offer_as_operator: { p_act: unknown; p_function: unknown; p_options: unknown }
  open_connection: { p_user_id: unknown; p_connection_id: unknown }
  open_stream: { p_user_id: unknown; p_stream_id: unknown; p_seconds: unknown }
  project_insights: { p_act: unknown; p_days: unknown }
  rate_message: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_message_id: unknown
    p_rating?: unknown
    p_reason?: unknown
  }
  read_document: { p_user_id: unknown; p_document_id: unknown }
  read_file: { p_user_id: unknown; p_file_id: unknown }
  read_linked_file: { p_file_id: unknown }
  read_run: { p_act: unknown; p_run_id: unknown }
  reader_of: { p_user_id: unknown }
  receive_oauth: {
    p_flow_id: unknown
    p_state_hash: unknown
    p_code_hash?: unknown
    p_provider_code?: unknown
  }
  remove_connection: { p_user_id: unknown; p_connection_id: unknown }
  remove_follower: { p_user_id: unknown; p_run_id: unknown; p_follower: unknown }
  restore_document: {
    p_user_id: unknown
    p_idempotency_key: unknown
    p_document_id: unknown
    p_revision: unknown
    p_as?: unknown
  }
  revoke_api_token: { p_user_id: unknown; p_token_id: unknown }
  revoke_api_tokens: { p_user_id: unknown }
  revoke_permission: { p_user_id: unknown; p_permission_id: unknown }
  search_conversations: { p_user_id: unknown; p_query: unknown; p_limit?: unknown; p_before?: unknown }
  search_documents: { p_user_id: unknown; p_query: unknown; p_limit: unknown; p_offset: unknown }
  settle_invocation: {
    p_user_id: unknown
    p_invocation_id: unknown
    p_status: unknown
    p_result: unknown
    p_duration_ms?: unknown
    p_delivery_id?: unknown
    p_run_id?: unknown
    p_entries?: unknown
  }
  stop_account: { p_user_id: unknown }
  stop_run: { p_user_id: unknown; p_conversation_id: unknown }
  store_connection: { p_user_id: unknown; p_connection: unknown }
  store_file: { p_user_id: unknown; p_file: unknown; p_limit: unknown; p_content?: unknown }
  store_oauth_connection: { p_user_id: unknown; p_connection: unknown }
  stuck_runs: { p_act: unknown }
  sweep_files: { p_user_id: unknown }
  switch_tool: { p_act: unknown; p_tool_name: unknown; p_enabled: unknown }
  switched_off_reason: { p_tool_name: unknown }
  take_due_runs: { p_limit: unknown; p_chain?: unknown }
  take_oauth: { p_user_id: unknown; p_code_hash: unknown; p_taker: unknown }
  tick_clock: Record<string, never>
  use_api_token: { p_hash: unknown }
  user_facts: { p_user_id: unknown }
  verify_invocation: { p_user_id: unknown; p_invocation_id: unknown }
  version: Record<string, never>
  withdraw_as_operator: { p_act: unknown; p_function: unknown }
  write_outcomes: { p_run_id: unknown; p_tool_call_ids: unknown }
}
