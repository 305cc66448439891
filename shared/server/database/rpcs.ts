/** What JSON can say: an object of any type that has no functions. Undefined members are left out. */
export type Json = string | number | boolean | null | object

/** The functions of the schema `askback` and their arguments. Made by `npx tsx scripts/types.ts`. */
export interface Rpcs {
  account_refusal: { p_user_id: string }
  add_permission: { p_user_id: string; p_permission: Json }
  add_schedule: { p_user_id: string; p_schedule: Json }
  amend_note: {
    p_user_id: string
    p_invocation_id: string
    p_delivery_id: string
    p_earlier: Json
    p_note: Json
  }
  answer_pushed: { p_user_id: string; p_grant_key: string; p_request_id: string; p_answer: Json }
  ask_first: { p_user_id: string; p_agent_id: string; p_tool_name: string }
  ask_program: {
    p_user_id: string
    p_conversation_id: string
    p_item_id: string
    p_again?: boolean | null | undefined
    p_grant_id?: string | null | undefined
  }
  begin_client_call: { p_user_id: string; p_request: Json }
  begin_completion: { p_user_id: string; p_request: Json }
  begin_digest: { p_digest_id: string; p_attempt: number }
  begin_effect: { p_user_id: string; p_effect: Json }
  begin_oauth: { p_user_id: string; p_flow: Json }
  begin_oauth_refresh: {
    p_user_id: string
    p_connection_id: string
    p_holder: string
    p_lease_seconds: number
    p_margin_seconds: number
    p_refused_version?: number | null | undefined
  }
  begin_reminder: { p_ring_id: string }
  begin_resume: { p_user_id: string; p_conversation_id: string; p_answer: Json }
  begin_server_sign_in: { p_user_id: string; p_flow: Json }
  begin_turn: { p_user_id: string; p_request: Json }
  bell_key: { p_made?: Json | null | undefined }
  call_off_effect: { p_user_id: string; p_invocation_id: string; p_delivery_id: string }
  call_offered_function: {
    p_user_id: string
    p_tool_name: string
    p_arguments: Json
    p_claims?: Json | null | undefined
    p_looks?: boolean | null | undefined
    p_scope?: string | null | undefined
    p_client_id?: string | null | undefined
  }
  change_connection: { p_user_id: string; p_connection_id: string; p_change: Json }
  change_conversation: {
    p_user_id: string
    p_conversation_id: string
    p_title?: string | null | undefined
    p_pinned?: boolean | null | undefined
    p_archived?: boolean | null | undefined
  }
  change_digest_setting: { p_user_id: string; p_minutes?: number | null | undefined }
  change_document: {
    p_user_id: string
    p_idempotency_key: string
    p_document_id: string
    p_change: Json
    p_as?: Json | null | undefined
  }
  change_limit: { p_act: Json; p_limit: Json }
  change_mcp_grant: { p_user_id: string; p_grant_id: string; p_change: Json }
  change_schedule: { p_user_id: string; p_schedule_id: string; p_change: Json }
  change_server: { p_user_id: string; p_server_id: string; p_seen: string; p_change: Json }
  claim_invocation: { p_run_id: string; p_invocation: Json; p_entries?: Json | null | undefined }
  clock_state: Record<string, never>
  close_stream: { p_user_id: string; p_stream_id: string }
  correct_usage: { p_run_id: string; p_sequence: number; p_used: Json }
  count_waiting: Record<string, never>
  create_api_token: { p_user_id: string; p_token: Json }
  create_document: { p_user_id: string; p_idempotency_key: string; p_title: string; p_content: string }
  create_item_link: { p_link: Json; p_user_id?: string | null | undefined }
  decisions_since: {
    p_act: Json
    p_since: string
    p_after?: Json | null | undefined
    p_limit?: number | null | undefined
  }
  delete_account: { p_user_id: string }
  delete_conversation: { p_user_id: string; p_conversation_id: string }
  delete_schedule: { p_user_id: string; p_schedule_id: string }
  describe_constraint: { p_tool_name: string; p_constraint: string; p_relation?: string | null | undefined }
  describe_type: { p_type_name: string }
  digest_setting: { p_user_id: string }
  document_versions_of: { p_user_id: string; p_document_id: string }
  draw_model_calls: { p_user_id: string; p_calls: number; p_agent_id?: string | null | undefined }
  earlier_change: { p_user_id: string; p_idempotency_key: string }
  end_digests: { p_user_id: string }
  fail_oauth_refresh: {
    p_user_id: string
    p_connection_id: string
    p_holder: string
    p_version?: number | null | undefined
    p_error?: string | null | undefined
    p_said?: Json | null | undefined
  }
  find_files: { p_user_id: string; p_ids: readonly string[] }
  find_oauth_connection: { p_user_id: string; p_provider: string; p_server: string; p_subject: string }
  find_raise: { p_message: string }
  find_runs: { p_act: Json; p_id: string }
  find_same_write: { p_run_id: string; p_invocation: Json }
  find_server_registration: { p_issuer: string }
  find_tool: { p_user_id: string; p_tool_name: string }
  find_value: { p_run_id: string; p_pattern: string }
  finish_oauth_refresh: { p_user_id: string; p_connection_id: string; p_holder: string; p_tokens: Json }
  finish_run: { p_run_id: string; p_result: Json }
  follow_run: {
    p_user_id: string
    p_run_id: string
    p_skip?: number | null | undefined
    p_follower?: string | null | undefined
  }
  forget_objects: { p_objects: readonly string[] }
  forget_server_registration: { p_issuer: string }
  get_conversation: {
    p_user_id: string
    p_conversation_id: string
    p_before?: string | null | undefined
    p_limit?: number | null | undefined
    p_former_of?: string | null | undefined
  }
  get_run: { p_user_id: string; p_run_id: string }
  heartbeat_run: {
    p_run_id: string
    p_lease_seconds?: number | null | undefined
    p_entries?: Json | null | undefined
  }
  hold_server_grant: {
    p_user_id: string
    p_server: string
    p_holder: string
    p_refused?: string | null | undefined
  }
  insights: { p_days?: number | null | undefined; p_time_zone?: string | null | undefined }
  integration_settings: { p_user_id: string; p_provider?: string | null | undefined }
  is_operator: { p_user_id: string }
  items_waiting_for: { p_user_id: string; p_provider: string }
  judge_schedule_time: { p_schedule_id: string; p_message_id: string; p_due_at?: string | null | undefined }
  keep_file_reading: { p_user_id: string; p_file_id: string; p_reading: Json }
  keep_rules: { p_rules: Json }
  latest_run: { p_user_id: string; p_conversation_id: string }
  list_agents: { p_user_id: string }
  list_api_tokens: { p_user_id: string }
  list_approvals: { p_user_id: string }
  list_conversations: {
    p_user_id: string
    p_limit?: number | null | undefined
    p_before?: string | null | undefined
    p_archived?: boolean | null | undefined
    p_scope?: string | null | undefined
    p_calls_of?: string | null | undefined
  }
  list_functions: Record<string, never>
  list_item_links: { p_user_id: string }
  list_items: {
    p_user_id: string
    p_conversation_id?: string | null | undefined
    p_agent_id?: string | null | undefined
  }
  list_limits: Record<string, never>
  list_mcp_grants: { p_user_id: string }
  list_open: { p_user_id: string; p_agent_id?: string | null | undefined }
  list_permissions: { p_user_id: string; p_agent_id?: string | null | undefined }
  list_schedules: { p_user_id: string }
  list_servers: { p_user_id: string; p_server_id?: string | null | undefined }
  list_shared_tools: Record<string, never>
  list_tools: Record<string, never>
  list_unasked_tools: { p_user_id: string }
  load_catalogue: Record<string, never>
  load_client_tools: {
    p_user_id: string
    p_agent_id?: string | null | undefined
    p_client?: string | null | undefined
    p_tool?: string | null | undefined
    p_grant_id?: string | null | undefined
  }
  load_connections: {
    p_user_id: string
    p_providers: readonly string[]
    p_agent_id?: string | null | undefined
    p_tool_name?: string | null | undefined
    p_connection_id?: string | null | undefined
  }
  load_effect: { p_user_id: string; p_effect: Json }
  load_model_choice: {
    p_user_id: string
    p_agent_id?: string | null | undefined
    p_conversation_id?: string | null | undefined
  }
  load_offered_function: { p_tool_name: string }
  load_servers: { p_user_id: string; p_ids?: readonly string[] | null | undefined }
  load_words: { p_language: string; p_version?: string | null | undefined }
  make_mcp_grant: { p_user_id: string; p_grant: Json }
  mark_connection: {
    p_user_id: string
    p_connection_id: string
    p_status: string
    p_error?: string | null | undefined
    p_said?: Json | null | undefined
  }
  name_conversation: {
    p_user_id: string
    p_conversation_id: string
    p_first_title: string
    p_title: string
    p_used: Json
  }
  note_call_told: { p_user_id: string; p_conversation_id: string }
  note_digest: {
    p_digest_id: string
    p_attempt: number
    p_again: boolean
    p_status?: number | null | undefined
  }
  note_effect: {
    p_user_id: string
    p_invocation_id: string
    p_delivery_id: string
    p_earlier: Json
    p_note: Json
  }
  note_heard: { p_user_id: string; p_conversation_id: string; p_ids: readonly string[] }
  note_program_reply: { p_user_id: string; p_conversation_id: string; p_item_id: string; p_declined: boolean }
  note_reading: { p_user_id: string; p_run_id: string; p_read: boolean }
  note_ring: { p_ring_id: string; p_status?: number | null | undefined }
  note_schedule_time: { p_schedule_id: string; p_time: Json }
  note_stop: { p_act: Json; p_run_id: string }
  note_told: { p_user_id: string; p_run_id: string; p_text: string }
  offer_as_operator: { p_act: Json; p_function: string; p_options: Json }
  open_approval: { p_user_id: string; p_item_id: string }
  open_connection: { p_user_id: string; p_connection_id: string }
  open_item_link: { p_hash: string; p_reader?: string | null | undefined }
  open_server: { p_user_id: string; p_server_id: string; p_tool_name: string }
  open_stream: { p_user_id: string; p_stream_id: string; p_seconds: number }
  parked_question: { p_user_id: string; p_invocation_id: string }
  pause_failing_schedule: { p_schedule_id: string }
  project_insights: { p_act: Json; p_days: number }
  push_request: {
    p_user_id: string
    p_grant_key: string
    p_request_id: string
    p_item_id?: string | null | undefined
  }
  rate_message: {
    p_user_id: string
    p_conversation_id: string
    p_message_id: string
    p_rating?: string | null | undefined
    p_reason?: string | null | undefined
  }
  read_document: { p_user_id: string; p_document_id: string }
  read_file: { p_user_id: string; p_file_id: string }
  read_linked_file: { p_file_id: string }
  read_pushed: { p_user_id: string; p_request_id: string }
  read_run: { p_act: Json; p_run_id: string }
  reader_of: { p_user_id: string }
  receive_oauth: {
    p_flow_id: string
    p_state_hash: string
    p_code_hash?: string | null | undefined
    p_provider_code?: Json | null | undefined
  }
  receive_server_sign_in: {
    p_flow_id: string
    p_state_hash: string
    p_code_hash?: string | null | undefined
    p_answer?: Json | null | undefined
  }
  release_server_grant: { p_user_id: string; p_server: string; p_holder: string; p_is_over: boolean }
  remove_connection: { p_user_id: string; p_connection_id: string }
  remove_follower: { p_user_id: string; p_run_id: string; p_follower: string }
  remove_server: { p_user_id: string; p_server_id: string }
  remove_server_grant: { p_user_id: string; p_server: string }
  renew_server_grant: { p_user_id: string; p_grant: Json; p_version: number }
  restore_document: {
    p_user_id: string
    p_idempotency_key: string
    p_document_id: string
    p_revision?: number | null | undefined
    p_as?: Json | null | undefined
  }
  revoke_api_token: { p_user_id: string; p_token_id: string }
  revoke_api_tokens: { p_user_id: string }
  revoke_item_link: { p_link_id: string; p_user_id?: string | null | undefined }
  revoke_mcp_grant: { p_user_id: string; p_grant_id: string }
  revoke_permission: { p_user_id: string; p_permission_id: string }
  save_server_grant: { p_user_id: string; p_grant: Json }
  save_server_registration: { p_issuer: string; p_secret: Json }
  search_conversations: {
    p_user_id: string
    p_query: string
    p_limit?: number | null | undefined
    p_before?: string | null | undefined
    p_scope?: string | null | undefined
  }
  search_documents: { p_user_id: string; p_query: string; p_limit: number; p_offset: number }
  server_headers: { p_user_id: string; p_server_id: string }
  settle_asked: {
    p_user_id: string
    p_invocation_id: string
    p_delivery_id: string
    p_result: Json
    p_parked: Json
    p_duration_ms: number
  }
  settle_invocation: {
    p_user_id: string
    p_invocation_id: string
    p_status: string
    p_result: Json
    p_duration_ms?: number | null | undefined
    p_delivery_id?: string | null | undefined
    p_run_id?: string | null | undefined
    p_entries?: Json | null | undefined
  }
  stop_account: { p_user_id: string }
  stop_run: { p_user_id: string; p_conversation_id: string }
  store_connection: { p_user_id: string; p_connection: Json }
  store_file: { p_user_id: string; p_file: Json; p_limit: number; p_content?: string | null | undefined }
  store_oauth_connection: { p_user_id: string; p_connection: Json }
  store_server: { p_user_id: string; p_server: Json }
  stuck_runs: { p_act: Json }
  sweep_files: { p_user_id?: string | null | undefined }
  switch_tool: { p_act: Json; p_tool_name: string; p_enabled: boolean }
  switched_off_reason: { p_tool_name: string }
  take_digests: { p_limit?: number | null | undefined; p_named?: number | null | undefined }
  take_due_runs: { p_limit: number; p_chain?: string | null | undefined }
  take_oauth: { p_user_id: string; p_code_hash: string; p_taker: string }
  take_rings: { p_limit?: number | null | undefined }
  take_server_sign_in: { p_user_id: string; p_code_hash: string; p_taker: string }
  taken_names: { p_user_id: string; p_server_id?: string | null | undefined }
  tick_clock: Record<string, never>
  use_api_token: { p_hash: string; p_scope: string }
  use_mcp_grant: { p_user_id: string; p_client_id: string; p_agent_id?: string | null | undefined }
  user_facts: { p_user_id: string }
  verify_invocation: { p_user_id: string; p_invocation_id: string }
  version: Record<string, never>
  withdraw_as_operator: { p_act: Json; p_function: string }
  write_outcomes: { p_run_id: string; p_tool_call_ids: readonly string[] }
}
