import type { ToolErrorType } from './tool-error.ts'

interface Sentence {
  /** What it tells people. */
  says: string
  /** Names of the values that it can come with. */
  values?: readonly string[]
}

/** What every question about a value comes with. `question` and `hint`: in the words of the tool's author. */
const about = ['tool', 'toolName', 'field', 'parameter', 'question', 'hint', 'also'] as const
/** What is known of a call that waits for a yes. */
const call = ['tool', 'toolName', 'known', 'besides'] as const
const earlier = ['at', 'isDone', 'input'] as const
/** Why a call failed. */
const failure = ['tool', 'toolName', 'field', 'parameter', 'reason', 'thing', 'retryAfterMs'] as const
const connection = ['provider'] as const

/**
 * Every sentence of ours for people, by its code: clients say it in their own languages. A new sentence has its place
 * here first; `docs/sentences.md` is this list.
 */
export const sentences = {
  // What a form asks.
  value_missing: { says: 'A value is missing.', values: about },
  value_unfit: {
    says: 'A value is not what belongs there.',
    values: [...about, 'value', 'format', 'example'],
  },
  value_not_said: {
    says: 'A value has to come from the user, who has not said it.',
    values: [...about, 'value'],
  },
  value_not_taken: {
    says: 'The tool was given something that it does not take.',
    values: ['tool', 'toolName'],
  },
  document_not_found: { says: 'There is no such document that can be opened here.' },
  emails_not_found: { says: 'These emails are not in the mailbox any more.' },
  tool_asks: { says: 'A tool asks, in its own words.', values: ['tool', 'words'] },
  tool_says: { says: 'A tool says, in its own words.', values: ['tool', 'words'] },

  // What waits for a yes.
  approve: { says: 'The call waits for a yes, like every one of its kind.', values: call },
  approve_destructive: {
    says: 'It deletes or overwrites, and something from outside was read.',
    values: call,
  },
  approve_origin: {
    says: 'Values of it come from elsewhere than from the user.',
    values: [...call, 'origins'],
  },
  approve_addresses: {
    says: 'Addresses on the web are to be read that the user has not named.',
    values: [...call, 'addresses', 'origins', 'sites', 'privateRead', 'others'],
  },
  approve_yes: {
    says: 'The tool has asked, and only the model has said yes.',
    values: [...call, 'asker', 'words'],
  },
  approve_again: { says: 'The same was done before.', values: [...call, ...earlier] },
  approve_uncertain: { says: 'The same may have been done before.', values: [...call, ...earlier] },
  no_draft: { says: 'It cannot be kept as a draft.' },
  outcome_unknown: {
    says: 'It may have been done, and no confirmation came. Of a question: whether to do it again.',
    values: [...call, ...earlier, 'words'],
  },

  // What has to be connected.
  connection_missing: {
    says: 'An account or a key is missing.',
    values: [...connection, 'providerId', 'service', 'purpose', 'others', 'isKey', 'toolName'],
  },
  permission_missing: {
    says: 'The connection does not allow this.',
    values: [...connection, 'tool', 'toolName'],
  },
  connection_unusable: {
    says: 'The connection is not complete, or not right.',
    values: [...connection, 'fault'],
  },
  connection_refused: { says: 'The provider does not take what is stored.', values: connection },
  key_refused: { says: 'The provider does not take the key.', values: connection },
  sign_in_again: { says: 'The sign-in has expired or was withdrawn.', values: connection },
  secret_corrupted: { says: 'A stored secret cannot be read any more.', values: [...connection, 'field'] },

  // What goes on by itself.
  wait_for_tool: {
    says: 'A tool cannot be used right now and is tried again.',
    values: ['tool', 'toolName', 'why'],
  },
  wait_time: { says: 'It takes longer than one run may take.' },

  // How a call has failed: the types of tool errors.
  missing_parameter: { says: 'Something is missing.', values: [...failure, 'question', 'hint'] },
  invalid_type: { says: 'A value is of the wrong kind.', values: failure },
  invalid_value: { says: 'A value is wrong.', values: failure },
  unknown_parameter: { says: 'Something was given that the tool does not know.', values: failure },
  malformed_arguments: { says: 'The call could not be read.' },
  tool_not_found: { says: 'There is nothing here that can do this.' },
  not_found: { says: 'Something that is named is not there.', values: failure },
  conflict: { says: 'It conflicts with something that is there, or has changed.', values: failure },
  rate_limit_exceeded: { says: 'The service takes no more calls for the moment.', values: failure },
  timeout: { says: 'There was no answer in time.', values: failure },
  unavailable: { says: 'The service cannot be reached.', values: failure },
  not_configured: { says: 'Something has to be set up.', values: failure },
  authentication_error: { says: 'The service does not take the credentials.', values: failure },
  permission_denied: { says: 'The service does not allow it.', values: failure },
  quota_exceeded: { says: 'A limit of the plan or account is reached.', values: failure },
  approval_denied: { says: 'The user has not allowed it.', values: failure },
  cancelled: { says: 'It was stopped before it was done.', values: failure },
  execution_error: { says: 'It has failed.', values: failure },

  // What a card says that is over.
  asked_again: { says: 'The same is asked again below.' },
  expired: { says: 'It was open for too long.' },
  not_carried_out: { says: 'It was stopped before it was done.' },
  new_message: { says: 'It was not done because the user wrote a new message.' },
  skipped: { says: 'The user went on without it.' },
  declined: { says: 'The user declined it.' },
  decided: { says: 'It was decided already.' },
  waits_for_other: { says: 'It waits for the decision about another call.' },

  // What an answer says at its end.
  stopped: { says: 'The user has stopped it.' },
  interrupted: { says: 'It was interrupted before it was finished.' },
  server_fault: { says: 'A fault on the server has ended it.' },
  program_fault: { says: 'A fault of the program has ended it.' },
  not_stored: { says: 'The answer could not be stored.' },
  model_unavailable: { says: 'No language model answers.' },
  model_late: { says: 'The language model did not answer in time.' },
  model_silent: { says: 'The language model gave no answer.' },
  out_of_tokens: { says: 'What one run may use is used up.' },
  cut_off: { says: 'The answer was cut off at the length limit.' },
  done: { says: 'What was done.', values: ['tools', 'toolNames'] },
  done_meanwhile: { says: 'What was done in the meantime.', values: ['tools', 'toolNames'] },
  nothing_done: { says: 'Nothing was done.' },
  nothing_more_done: { says: 'Nothing more was done.' },
  not_done: {
    says: 'What was not done, and why.',
    values: ['tool', 'toolName', 'why', 'whyValues', 'whyText'],
  },
  not_certain: {
    says: 'What may have been done, and why that is not known.',
    values: ['tool', 'toolName', 'why', 'whyValues', 'whyText'],
  },

  // What is said while a message is written.
  model_empty: { says: 'The model gave no answer and is asked again.' },
  model_cut_off: { says: 'The answer of the model was cut off, and it is asked again.' },
  model_malformed: { says: 'The answer of the model could not be read, and it is asked again.' },
  model_repeats: { says: 'The model repeats itself and is asked for its answer.' },
  model_not_responding: { says: 'The model fails again and again, and is asked again.' },
} as const satisfies Record<string, Sentence> & Record<ToolErrorType, Sentence>

export type SentenceCode = keyof typeof sentences
