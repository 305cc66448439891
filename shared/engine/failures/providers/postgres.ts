import type { CodeTable, Meaning } from '../rules/verdict.ts'

/** SQLSTATE, PostgREST's PGRST codes, and codes of Supabase's auth and storage. */
export const postgresCodes: CodeTable = [
  [
    { type: 'conflict' },
    '23505 23P01 42P07 42710 user_already_exists email_exists phone_exists identity_already_exists ResourceAlreadyExists KeyAlreadyExists BucketAlreadyExists',
  ],
  [{ type: 'missing_parameter' }, '23502'],
  [
    { type: 'not_found' },
    `42P01 42703 42883 42704 3D000 3F000 P0002 PGRST116 PGRST200 PGRST202 PGRST204 PGRST205 PGRST125 NoSuchKey NoSuchBucket
     NoSuchUpload flow_state_not_found identity_not_found`,
  ],
  [
    { type: 'invalid_value' },
    'PGRST100 PGRST102 PGRST103 PGRST106 PGRST108 PGRST118 PGRST201 PGRST203 42601 42P02 42P18 42804 weak_password same_password EntityTooLarge InvalidKey InvalidMimeType',
  ],
  [
    { type: 'permission_denied' },
    '42501 25006 signup_disabled email_provider_disabled AccessDenied SignatureDoesNotMatch',
  ],
  [
    { type: 'authentication_error' },
    'PGRST301 PGRST302 PGRST303 invalid_credentials email_not_confirmed bad_jwt no_authorization otp_expired session_not_found session_expired refresh_token_not_found refresh_token_already_used InvalidJWT ExpiredToken',
  ],
  [{ type: 'not_configured', resolver: 'nobody' }, 'PGRST300'],
  [{ type: 'timeout' }, '57014 25P03 PGRST003'],
  [{ type: 'unavailable' }, '40001 40P01 55P03 55006 57P01 57P02 57P03 PGRST000 PGRST001 PGRST002'],
  [{ type: 'execution_error' }, 'PGRST101 PGRST117 PGRST121 PGRST127 PGRSTX00'],
  [{ as: 429 }, 'SlowDown over_request_rate_limit over_email_send_rate_limit over_sms_send_rate_limit'],
  [{ as: 400 }, 'validation_failed bad_json P0001'],
]

/** Meaning of an SQLSTATE class, where the state itself says no more. */
export const sqlStateClasses: Readonly<Record<string, Meaning>> = {
  '08': { type: 'unavailable' },
  '0A': { type: 'invalid_value' },
  '21': { type: 'invalid_value' },
  '22': { type: 'invalid_value' },
  '23': { as: 409 },
  '25': { type: 'conflict' },
  '28': { type: 'authentication_error' },
  '40': { type: 'unavailable' },
  '42': { type: 'invalid_value' },
  '53': { type: 'unavailable' },
  '54': { type: 'invalid_value' },
  '55': { type: 'conflict' },
  '57': { type: 'unavailable' },
  '58': { type: 'unavailable' },
  P0: { as: 400 },
  XX: { type: 'unavailable' },
}
