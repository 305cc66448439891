import type { CodeTable } from '../rules/verdict.ts'

/** Slack: HTTP 200 with `ok: false` and `error`. */
export const slackCodes: CodeTable = [
  [{ as: 429 }, 'ratelimited rate_limited accesslimited message_limit_exceeded'],
  [
    { type: 'authentication_error' },
    'not_authed invalid_auth account_inactive token_revoked token_expired invalid_refresh_token org_login_required bad_client_secret',
  ],
  [
    { type: 'permission_denied' },
    `missing_scope no_permission not_in_channel restricted_action restricted_action_read_only_channel is_archived
     ekm_access_denied not_allowed_token_type team_access_not_granted cant_update_message cant_delete_message
     access_denied channel_is_limited_access user_is_restricted posting_to_general_channel_denied
     two_factor_setup_required cannot_dm_bot user_is_bot edit_window_closed`,
  ],
  [
    { type: 'not_found' },
    'channel_not_found user_not_found users_not_found message_not_found thread_not_found file_not_found team_not_found bot_not_found',
  ],
  [
    { type: 'conflict' },
    'name_taken already_in_channel already_reacted already_pinned already_archived duplicate_message_not_allowed',
  ],
  [{ type: 'missing_parameter', parameter: 'text' }, 'no_text'],
  [{ type: 'missing_parameter' }, 'no_channel users_list_not_supplied'],
  [
    { type: 'invalid_value' },
    'msg_too_long invalid_blocks invalid_blocks_format too_many_attachments cant_invite_self time_in_past time_too_far user_disabled',
  ],
  [{ type: 'execution_error' }, 'method_deprecated deprecated_endpoint unknown_method'],
  [{ type: 'unavailable' }, 'fatal_error team_added_to_org service_unavailable'],
  [{ as: 400 }, 'invalid_arguments invalid_arg_name invalid_array_arg invalid_form_data invalid_charset'],
]
