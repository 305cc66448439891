/** The functions of the schema `askback` and their arguments. Made by `npx tsx scripts/types.ts`. */
export interface Rpcs {
  account_refusal: { p_user_id: unknown }
  add_follower: { p_user_id: unknown; p_run_id: unknown; p_follower: unknown }
  add_permission: { p_user_id: unknown; p_permission: unknown }
  add_usage: {
    p_user_id: unknown
    p_agent_id: unknown
    p_model_calls: unknown
    p_tokens: unknown
    p_cost_usd: unknown
  }
  amend_note: {
    p_user_id: unknown
    p_invocation_id: unknown
    p_delivery_id: unknown
    p_earlier: unknown
    p_note: unknown
  }
  answer_again: { p_run_id: unknown; p_user_id: unknown; p_conversation_id: unknown }
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
  begin_or_join_completion: { p_user_id: unknown; p_request: unknown }
  begin_resume: { p_user_id: unknown; p_conversation_id: unknown; p_answer: unknown }
  begin_turn: { p_user_id: unknown; p_request: unknown }
  busy_answer: { p_user_id: unknown; p_conversation_id: unknown }
  call_off_effect: { p_user_id: unknown; p_invocation_id: unknown; p_delivery_id: unknown }
  call_offered_function: {
    p_user_id: unknown
    p_tool_name: unknown
    p_arguments: unknown
    p_claims?: unknown
    p_looks?: unknown
  }
  carrying_out_answer: { p_user_id: unknown; p_conversation_id: unknown }
  change_catalogue: Record<string, never>
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
  check_schema: { p_definition: unknown; p_subject: unknown }
  choose_agent: { p_user_id: unknown; p_asked_for: unknown; p_conversation_agent: unknown }
  claim_invocation: { p_run_id: unknown; p_invocation: unknown; p_entries?: unknown }
  clock_state: Record<string, never>
  close_stream: { p_user_id: unknown; p_stream_id: unknown }
  closed_items: { p_user_id: unknown; p_conversation_id: unknown; p_message_id: unknown }
  conversation_of_request: { p_user_id: unknown; p_key: unknown }
  conversation_of_task: { p_run_id: unknown }
  copies_of: { p_user_id: unknown; p_conversation_id: unknown }
  correct_usage: { p_run_id: unknown; p_sequence: unknown; p_used: unknown }
  count_open: { p_user_id: unknown; p_conversation_id: unknown }
  create_api_token: { p_user_id: unknown; p_token: unknown }
  create_document: { p_user_id: unknown; p_idempotency_key: unknown; p_title: unknown; p_content: unknown }
  current_message: { p_user_id: unknown; p_conversation_id: unknown; p_id: unknown }
  cut_conversation: { p_user_id: unknown; p_conversation_id: unknown; p_position: unknown }
  deciding_run: { p_user_id: unknown; p_conversation_id: unknown; p_item_id: unknown }
  default_value: { p_default: unknown; p_schema: unknown }
  delete_account: { p_user_id: unknown }
  delete_conversation: { p_user_id: unknown; p_conversation_id: unknown }
  delete_unused_files: { p_ids: unknown }
  describe_constraint: { p_tool_name: unknown; p_constraint: unknown; p_relation?: unknown }
  describe_type: { p_type_name: unknown }
  document_versions_of: { p_user_id: unknown; p_document_id: unknown }
  draw_model_calls: { p_user_id: unknown; p_agent_id: unknown; p_calls: unknown }
  drop_abandoned_files: Record<string, never>
  drop_files: { p_user_id: unknown; p_ids: unknown }
  due_runs: { p_limit?: unknown }
  earlier_change: { p_user_id: unknown; p_idempotency_key: unknown }
  effective_status: { p_status: unknown; p_lease_expires_at: unknown; p_delivery_id: unknown }
  end_waits_of_stopped: { p_user_id: unknown; p_conversation_id: unknown }
  entry_words: { p_user_id: unknown; p_entry: unknown }
  equal_write: { p_writes: unknown; p_argument_hash: unknown; p_before: unknown }
  expire_executions: Record<string, never>
  expire_items: { p_user_id: unknown; p_conversation_id: unknown }
  expire_runs: { p_user_id: unknown; p_conversation_id: unknown }
  fail_oauth_refresh: {
    p_user_id: unknown
    p_connection_id: unknown
    p_holder: unknown
    p_version?: unknown
    p_error?: unknown
    p_said?: unknown
  }
  find_files: { p_user_id: unknown; p_ids: unknown }
  find_function: { p_function: unknown }
  find_oauth_connection: { p_user_id: unknown; p_provider: unknown; p_server: unknown; p_subject: unknown }
  find_raise: { p_message: unknown }
  find_runs: { p_act: unknown; p_id: unknown }
  find_same_write: { p_run_id: unknown; p_invocation: unknown }
  find_tool: { p_tool_name: unknown }
  find_value: { p_run_id: unknown; p_pattern: unknown }
  finish_oauth_refresh: { p_user_id: unknown; p_connection_id: unknown; p_holder: unknown; p_tokens: unknown }
  finish_run: { p_run_id: unknown; p_result: unknown }
  flood_refusal: { p_user_id: unknown; p_conversation_id: unknown; p_may_wait: unknown }
  follow_run: { p_user_id: unknown; p_run_id: unknown; p_skip?: unknown; p_follower?: unknown }
  forget_objects: { p_objects: unknown }
  forget_passing_chats: Record<string, never>
  forget_usage: Record<string, never>
  function_parameters: { p_function: unknown }
  function_refusal: { p_function: unknown; p_allow_definer: unknown }
  function_shape: { p_function: unknown }
  get_conversation: { p_user_id: unknown; p_conversation_id: unknown; p_before?: unknown; p_limit?: unknown }
  get_run: { p_user_id: unknown; p_run_id: unknown }
  give_back_permissions: { p_ids: unknown; p_used_at: unknown }
  has_foreign_answer: { p_user_id: unknown; p_conversation_id: unknown; p_answers: unknown }
  has_read_private: { p_user_id: unknown; p_conversation_id: unknown }
  heartbeat_run: { p_run_id: unknown; p_lease_seconds?: unknown; p_entries?: unknown }
  hold_account: { p_user_id: unknown }
  idempotency_key: {
    p_user_id: unknown
    p_turn_id: unknown
    p_tool_name: unknown
    p_argument_hash: unknown
    p_repetition: unknown
  }
  insights: { p_days?: unknown; p_time_zone?: unknown }
  integration_settings: { p_user_id: unknown; p_provider?: unknown }
  is_about_chat: { p_user_id: unknown; p_text: unknown }
  is_accepted: { p_version: unknown }
  is_followed: { p_followers: unknown }
  is_operator: { p_user_id: unknown }
  is_readable: { p_entry_version: unknown }
  is_same_decision: { p_made: unknown; p_again: unknown }
  is_task: { p_user_id: unknown; p_request: unknown }
  items_waiting_for: { p_user_id: unknown; p_provider: unknown }
  keep_file_reading: { p_user_id: unknown; p_file_id: unknown; p_reading: unknown }
  keep_refusal: { p_scope: unknown; p_subject: unknown; p_measure: unknown; p_kept: unknown }
  keep_rules: { p_rules: unknown }
  kept_versions: { p_document_id: unknown }
  lacks_files: { p_user_id: unknown; p_messages: unknown }
  latest_run: { p_user_id: unknown; p_conversation_id: unknown }
  limit_of: { p_scope: unknown; p_subject: unknown; p_measure: unknown; p_per?: unknown }
  limit_refusal: { p_code: unknown; p_about: unknown; p_until?: unknown }
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
  live_execution: { p_user_id: unknown; p_idempotency_key: unknown }
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
  lock_run: { p_run_id: unknown }
  lock_usage: { p_user_id: unknown }
  look_refusal: { p_looks: unknown; p_function: unknown; p_allow_definer: unknown }
  make_decision: { p_item: unknown; p_made: unknown }
  mark_connection: {
    p_user_id: unknown
    p_connection_id: unknown
    p_status: unknown
    p_error?: unknown
    p_said?: unknown
  }
  may_change_data: Record<string, never>
  may_use_data: Record<string, never>
  means_the_same: {
    p_sourced: unknown
    p_arguments: unknown
    p_other_sourced: unknown
    p_other_arguments: unknown
  }
  message_before: { p_user_id: unknown; p_conversation_id: unknown; p_id: unknown; p_before: unknown }
  missing_words: { p_specification: unknown; p_said: unknown }
  model_keys: { p_user_id: unknown }
  model_preference: { p_agent_id: unknown }
  name_conversation: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_first_title: unknown
    p_title: unknown
    p_used: unknown
  }
  newest_run: { p_user_id: unknown; p_conversation_id: unknown; p_message_id?: unknown; p_turn_id?: unknown }
  note_act: {
    p_act: unknown
    p_action: unknown
    p_subject?: unknown
    p_user_id?: unknown
    p_run_id?: unknown
  }
  note_copies: { p_user_id: unknown; p_conversation_id: unknown; p_message: unknown; p_answers: unknown }
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
  note_time_zone: { p_user_id: unknown; p_name: unknown }
  note_told: { p_user_id: unknown; p_run_id: unknown; p_text: unknown }
  offer_as_operator: { p_act: unknown; p_function: unknown; p_options: unknown }
  one_line: { p_text: unknown }
  open_after: { p_user_id: unknown; p_conversation_id: unknown; p_position: unknown }
  open_calls: { p_run_id: unknown }
  open_connection: { p_user_id: unknown; p_connection_id: unknown }
  open_stream: { p_user_id: unknown; p_stream_id: unknown; p_seconds: unknown }
  outcomes_of: { p_user_id: unknown; p_conversation_id: unknown; p_returned: unknown }
  permitted_specifications: { p_user_id: unknown; p_agent_id: unknown; p_names: unknown }
  permitted_tool_names: { p_agent_id: unknown }
  plain_name: { p_argument: unknown }
  position_of: { p_user_id: unknown; p_conversation_id: unknown; p_message_id: unknown }
  project_insights: { p_act: unknown; p_days: unknown }
  question_of: { p_user_id: unknown; p_conversation_id: unknown; p_message_id: unknown; p_item_id: unknown }
  rate_message: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_message_id: unknown
    p_rating?: unknown
    p_reason?: unknown
  }
  rate_refusal: { p_user_id: unknown; p_conversation_id: unknown; p_may_wait: unknown }
  read_document: { p_user_id: unknown; p_document_id: unknown }
  read_file: { p_user_id: unknown; p_file_id: unknown }
  read_linked_file: { p_file_id: unknown }
  read_run: { p_act: unknown; p_run_id: unknown }
  receive_oauth: {
    p_flow_id: unknown
    p_state_hash: unknown
    p_code_hash?: unknown
    p_provider_code?: unknown
  }
  refusal: { p_code: unknown }
  refuse_offer: { p_reason: unknown }
  refuse_without_factor: Record<string, never>
  remember_approval: { p_user_id: unknown; p_conversation_id: unknown; p_item: unknown; p_remember: unknown }
  remove_connection: { p_user_id: unknown; p_connection_id: unknown }
  remove_follower: { p_user_id: unknown; p_run_id: unknown; p_follower: unknown }
  renew_follower: { p_user_id: unknown; p_run_id: unknown; p_follower: unknown }
  require_account: { p_user_id: unknown }
  reserve_budget: { p_user_id: unknown; p_agent_id: unknown; p_run_id: unknown }
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
  run_of_message: { p_user_id: unknown; p_message_key: unknown }
  run_refusal: {
    p_user_id: unknown
    p_agent_id: unknown
    p_run_id: unknown
    p_conversation_id: unknown
    p_may_wait: unknown
  }
  said_in: { p_entry: unknown }
  search_conversations: { p_user_id: unknown; p_query: unknown; p_limit?: unknown; p_before?: unknown }
  search_documents: { p_user_id: unknown; p_query: unknown; p_limit: unknown; p_offset: unknown }
  sender_of: { p_user_id: unknown; p_agent_id: unknown; p_tool_name: unknown }
  session_of: { p_root_run_id: unknown; p_invocation_id: unknown; p_intent: unknown }
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
  split_condition: { p_condition: unknown }
  stop_account: { p_user_id: unknown }
  stop_run: { p_user_id: unknown; p_conversation_id: unknown }
  stop_runs: { p_user_id: unknown; p_conversation_id: unknown; p_overtaken?: unknown }
  store_connection: { p_user_id: unknown; p_connection: unknown }
  store_file: { p_user_id: unknown; p_file: unknown; p_limit: unknown; p_content?: unknown }
  store_oauth_connection: { p_user_id: unknown; p_connection: unknown }
  stuck_runs: { p_act: unknown }
  sweep_files: { p_user_id: unknown }
  switch_tool: { p_act: unknown; p_tool_name: unknown; p_enabled: unknown }
  switched_off_reason: { p_tool_name: unknown }
  take_due_runs: { p_limit: unknown; p_chain?: unknown }
  take_oauth: { p_user_id: unknown; p_code_hash: unknown; p_taker: unknown }
  tell_closed: { p_user_id: unknown; p_conversation_id: unknown }
  tell_conversations: { p_conversations: unknown; p_limit: unknown; p_found?: unknown }
  template_fault: { p_template: unknown; p_function: unknown }
  text_list: { p_list: unknown }
  tick_clock: Record<string, never>
  tool_connections: { p_user_id: unknown }
  turns_of_message: { p_user_id: unknown; p_conversation_id: unknown; p_message: unknown }
  type_schema: { p_type: unknown; p_typmod?: unknown }
  unreported_writes: {
    p_user_id: unknown
    p_conversation_id: unknown
    p_before: unknown
    p_messages: unknown
  }
  usable_connections: {
    p_user_id: unknown
    p_providers: unknown
    p_agent_id?: unknown
    p_tool_name?: unknown
    p_connection_id?: unknown
  }
  use_api_token: { p_hash: unknown }
  use_files: { p_ids: unknown }
  use_permissions: { p_ids: unknown }
  user_claims: { p_user_id: unknown }
  user_facts: { p_user_id: unknown }
  verify_invocation: { p_user_id: unknown; p_invocation_id: unknown }
  version: Record<string, never>
  watched_run: { p_user_id: unknown; p_run_id: unknown }
  window_end: { p_per: unknown }
  window_start: { p_per: unknown }
  withdraw_as_operator: { p_act: unknown; p_function: unknown }
  word_mark: { p_user_id: unknown }
  words_around: { p_text: unknown; p_message: unknown; p_answer: unknown }
  words_before: { p_user_id: unknown; p_conversation_id: unknown; p_follows: unknown; p_before: unknown }
  words_of: { p_text: unknown }
  words_refusal: { p_function: unknown; p_specification: unknown; p_words: unknown }
  write_document: { p_document_id: unknown; p_content: unknown }
  write_hold: { p_user_id: unknown; p_tool_name: unknown }
  write_outcomes: { p_run_id: unknown; p_tool_call_ids: unknown }
}
